import pg from 'pg'
import { expect, test } from 'vitest'
import { UnavailableError } from '../../src/errors.ts'
import { canRunAgain, translatedCommit, translatedStatement } from '../../src/store/postgres/errors.ts'

const ofServer = (code: string) => Object.assign(new pg.DatabaseError('message', 0, 'error'), { code })

/** Returns what becomes of a transaction after an error: it runs again at once, or its caller gets the error. */
function fateOf(error: unknown): 'runs again' | UnavailableError['reason'] | 'defect' {
  if (canRunAgain(error)) return 'runs again'
  return error instanceof UnavailableError ? error.reason : 'defect'
}

/** The fates after an error of a statement, and after the same error of COMMIT, whose outcome may be unknown. */
const fates = (error: unknown) => [fateOf(translatedStatement(error)), fateOf(translatedCommit(error))]

/** An administrator or a crash ends the session, the connection breaks, or the session waited too long. */
test.each(['57P01', '57P02', '08000', '08003', '08006', '25P03'])(
  '[D4.9] a transaction that the server ends with %s runs again, unless its commit was sent',
  (code) => {
    expect(fates(ofServer(code))).toEqual(['runs again', 'unavailable'])
  },
)

test.each(['40001', '40P01', '0A000', '26000'])(
  'a conflict between transactions or nodes, %s, is tried again',
  (code) => {
    expect(fates(ofServer(code))).toEqual(['runs again', 'runs again'])
  },
)

/** Refused sessions, missing resources, a standby, system errors, locks, time-outs and an administrator at work. */
const passing = ['28P01', '3D000', '53200', '53300', '58030', 'XX000', '25006', '55P03', '57014', '57P03', '57P05']

test.each(passing)('[D1.23] after %s the service is unavailable, and the transaction does not run again', (code) => {
  expect(fates(ofServer(code))).toEqual(['unavailable', 'unavailable'])
})

test('[D1.23] a full disk of the server is reported as such', () => {
  expect(fates(ofServer('53100'))).toEqual(['storage_full', 'storage_full'])
})

test.each(['22003', '23505', '25P02', '42601', '42P01'])('%s is a defect', (code) => {
  expect(fates(ofServer(code))).toEqual(['defect', 'defect'])
})

test('[D4.9] a transaction on a broken connection runs again, unless its commit was sent', () => {
  expect(fates(new Error('Connection terminated unexpectedly'))).toEqual(['runs again', 'unavailable'])
  const lost = new Error('Client has encountered a connection error and is not queryable')
  expect(fates(lost)).toEqual(['runs again', 'runs again'])
  expect(fates(new Error('Query read timeout'))).toEqual(['unavailable', 'unavailable'])
})
