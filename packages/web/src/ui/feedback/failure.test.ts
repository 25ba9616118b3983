import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  InvalidRecordError,
  MissingRecordError,
  NotSignedInError,
  OfflineError,
  OtherUserError,
  RejectedError,
  StoreError,
  UnsentChangesError,
  WrongServiceError,
} from '@saldo/client'
import { problemOf, problems, type UserNumber } from '@saldo/core'
import { expect, test } from 'vitest'
import { languageOf } from '../../../build/language-files.ts'
import { AuthenticatorError, failureOf, noticeMissingParts, problemKey } from './failure.ts'

test('a problem of the service has a text of the app, which a view can replace by its own', () => {
  const taken = new RejectedError(problemOf('conflict', 'This e-mail address has an account already.'))
  expect(failureOf(taken).key).toBe('ui.problem.conflict')
  expect(failureOf(taken, { conflict: 'signIn.taken' }).key).toBe('signIn.taken')
})

test('a view can give wrong places in a request texts at their fields', () => {
  const common = problemOf('invalid_request', 'Choose another.', [{ pointer: '/password', detail: 'is common' }])
  expect(failureOf(new RejectedError(common), { '/password': ['signIn.common', 'password'] })).toMatchObject({
    key: 'signIn.common',
    field: 'password',
  })
  expect(failureOf(new RejectedError(common)).field).toBeUndefined()
})

test('an unreachable service and one that answers with a problem have different texts', () => {
  expect(failureOf(new OfflineError()).key).toBe('ui.failure.offline')
  expect(failureOf(new OfflineError(problemOf('rate_limited', 'Too many requests.'))).key).toBe(
    'ui.problem.rate_limited',
  )
})

test('a captive portal and a server that is too new have texts of their own', () => {
  for (const code of ['wrongService', 'unknownProtocol'] as const) {
    expect(failureOf(new WrongServiceError({ code, detail: 'x' })).key).toBe(`ui.failure.${code}`)
  }
})

test('a problem that the app does not know shows the text of the service', () => {
  const later = { ...problemOf('conflict', 'Not on Sundays.'), code: 'later' as 'conflict' }
  expect(failureOf(new RejectedError(later))).toEqual({ key: 'ui.failure.rejected', detail: 'Not on Sundays.' })
})

test('a missing session has a text of the app, which a view can replace by its own', () => {
  expect(failureOf(new NotSignedInError()).key).toBe('ui.failure.notSignedIn')
  expect(failureOf(new NotSignedInError(), { invalid_credentials: 'signIn.wrong' }).key).toBe('signIn.wrong')
})

test('an entry that would last too long has a text of its own', () => {
  const keyOf = (...pointers: string[]) =>
    failureOf(new InvalidRecordError(pointers.map((pointer) => ({ pointer, detail: 'is wrong' })))).key
  expect([keyOf('/ended_at'), keyOf('/note')]).toEqual(['ui.failure.tooLong', 'ui.failure.invalid'])
  expect(keyOf('/note', '/ended_at')).toBe('ui.failure.tooLong')
})

test('a record that is gone has a text without its id', () => {
  expect(failureOf(new MissingRecordError('00000000-0000-4000-8000-000000000001')).key).toBe('ui.failure.gone')
})

test('an error of the store has a text by its code; a defect shows its message', () => {
  expect(failureOf(new StoreError('full')).key).toBe('ui.failure.store.full')
  expect(failureOf(new TypeError('x is undefined'))).toEqual({ key: 'ui.failure.other', detail: 'x is undefined' })
})

test('unsent changes and another user have texts of their own', () => {
  expect(failureOf(new UnsentChangesError(3))).toMatchObject({ key: 'ui.failure.unsent' })
  expect(failureOf(new OtherUserError(7 as UserNumber))).toMatchObject({ key: 'ui.failure.otherUser' })
})

test('a failure of the authenticator has the text of its reason', () => {
  expect(failureOf(new AuthenticatorError('passkeys.cancelled', null)).key).toBe('passkeys.cancelled')
})

test('a chunk that could not be loaded has a text of its own', () => {
  const window = new EventTarget()
  noticeMissingParts(window)
  const error = new TypeError('Failed to fetch dynamically imported module')
  window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }))
  expect(failureOf(error).key).toBe('ui.failure.part')
})

const folder = join(import.meta.dirname, '..')
const languages = globSync('*.json', { cwd: folder }).filter(languageOf)

test.each(languages)('every problem has a text in %s', (file) => {
  const { ui } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  expect(Object.keys(ui.problem).sort()).toEqual(Object.keys(problems).sort())
})

test('an unknown problem has no key', () => {
  expect(problemKey(problemOf('invalid_record', 'no'))).toBe('ui.problem.invalid_record')
  expect(problemKey({ ...problemOf('internal', 'teapot'), type: 'about:blank' })).toBeUndefined()
  expect(problemKey({ type: 'urn:saldo:problem:later', code: 'later' })).toBeUndefined()
})
