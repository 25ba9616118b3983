import { expect, test } from 'vitest'
import { Own } from './attempts.ts'

test('the stored record must be the acknowledged change or a later one; at rest, the last', () => {
  const own = new Own()
  expect(own.problemOf(undefined, false)).toBeUndefined()
  const first = own.attempt('1')
  expect(own.problemOf(undefined, false)).toBeUndefined()
  own.acknowledge(first, 5)
  expect(own.problemOf(undefined, false)).toMatch(/^lost/)
  expect(own.problemOf({ note: '1', version: 4 }, false)).toMatch(/^lost/)
  expect(own.problemOf({ note: '1', version: 5 }, true)).toBeUndefined()
  own.attempt('2')
  own.attempt(null)
  for (const note of ['1', '2', null]) expect(own.problemOf({ note, version: 5 }, false)).toBeUndefined()
  expect(own.problemOf({ note: '2', version: 6 }, true)).toMatch(/^lost/)
  expect(own.problemOf({ note: null, version: 7 }, true)).toBeUndefined()
})
