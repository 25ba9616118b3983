import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ProblemCode, problemOf, problems } from '@saldo/core'
import { expect, test } from 'vitest'
import { faultKey, reasonKey, refusalCodes } from './reason.ts'

const folder = join(import.meta.dirname, '..')
const languages = globSync('??.json', { cwd: folder })

test.each(languages)('every code that a change can be refused with has a text in %s', (file) => {
  const { sync } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  expect(Object.keys(sync.refused.reason).sort()).toEqual([...refusalCodes].sort())
})

test('no refusal is left out but those of sign-in, of pull, and those that pass', () => {
  const notOfChanges = ['unauthenticated', 'invalid_credentials', 'invalid_since', 'invalid_cursor', 'sync_stale']
  const codes = Object.entries(problems).filter(([, { status }]) => status !== 429 && status !== 503)
  const wanted = codes.map(([code]) => code).filter((code) => !notOfChanges.includes(code))
  expect([...refusalCodes].sort()).toEqual(wanted.sort())
})

test('what the app has no words for is left to the service', () => {
  expect(reasonKey(problemOf('invalid_record', 'no'))).toBe('sync.refused.reason.invalid_record')
  expect(reasonKey({ ...problemOf('internal', 'teapot'), type: 'about:blank' })).toBeUndefined()
  expect(reasonKey({ type: 'urn:saldo:problem:later', code: 'later' as ProblemCode })).toBeUndefined()
  const fault = { pointer: '/record/delta_ms', detail: 'too much' }
  expect(faultKey('balance_adjustments', fault)).toBe('sync.refused.beyondBalance')
  expect(faultKey('balance_adjustments', { ...fault, pointer: '/delta_ms' })).toBe('sync.refused.beyondBalance')
  expect(faultKey('entries', fault)).toBeUndefined()
})
