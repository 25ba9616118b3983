import type { InboxRow } from '@saldo/core'
import { expect, test } from 'vitest'
import { isAboutAbsence, keyOf, rowBeside, shownRow } from './inbox-model.ts'

const row = (id: string) => ({ user: { user_id: 1, name: 'Ada' }, request_id: id }) as unknown as InboxRow
const [a, b, c] = [row('a'), row('b'), row('c')]

test('after a decision the request that took the place of the decided one is shown', () => {
  expect(shownRow([a, b, c], keyOf(b), 0)).toBe(b)
  expect(shownRow([a, c], keyOf(b), 1)).toBe(c)
  expect(shownRow([a], keyOf(b), 1)).toBe(a)
  expect(shownRow([], keyOf(b), 1)).toBeUndefined()
})

test('keys go through the list and stop at its ends', () => {
  expect(rowBeside([a, b, c], a, 1)).toBe(b)
  expect(rowBeside([a, b, c], c, 1)).toBe(c)
  expect(rowBeside([a, b, c], a, -1)).toBe(a)
  expect(rowBeside([a, b, c], undefined, 1)).toBe(a)
})

test('[D26.11] a decider sees others who are away for changes of absences alone', () => {
  const change = (record: object) => ({ kind: 'entries', op: 'upsert', record })
  expect(isAboutAbsence([change({ kind: 'work' })], [null])).toBe(false)
  expect(isAboutAbsence([change({ kind: 'sick' })], [null])).toBe(true)
  expect(isAboutAbsence([{ kind: 'entries', op: 'delete' }], [{ kind: 'vacation' }])).toBe(true)
})
