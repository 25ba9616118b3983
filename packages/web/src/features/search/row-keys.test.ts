import { expect, test } from 'vitest'
import { rowKeys } from './row-keys.ts'

const ids = (from: number, count = 6) => Array.from({ length: count }, (_, place) => `id ${from + place}`)

test('a row keeps its element while it is there, in either direction', () => {
  const keysOf = rowKeys()
  expect(keysOf(ids(10), false)).toEqual([0, 1, 2, 3, 4, 5])
  expect(keysOf(ids(12), false)).toEqual([2, 3, 4, 5, 6, 7])
  expect(keysOf(ids(11), false)).toEqual([8, 2, 3, 4, 5, 6])
})

test('where most rows are others, they get the elements of those before, in order', () => {
  const keysOf = rowKeys()
  keysOf(ids(0), false)
  expect(keysOf(ids(100), false)).toEqual([0, 1, 2, 3, 4, 5])
  expect(keysOf(ids(50, 7), false)).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(keysOf(ids(0, 2), false)).toEqual([0, 1])
})

test('where the elements are to stay what they are, none becomes another row', () => {
  const keysOf = rowKeys()
  keysOf(ids(0), false)
  expect(keysOf(ids(100), true)).toEqual([6, 7, 8, 9, 10, 11])
})
