import { expect, test } from 'vitest'
import { growthOf } from '../../src/system/heap.ts'

const MEGABYTE = 1024 * 1024
const growth = { smallBytes: 64 * MEGABYTE, percent: 20 }

test.each([
  [16, 300],
  [32, 100],
  [50, 28],
  [54, 20],
  [64, 20],
  [400, 20],
])('a heap of which %i MB are alive may grow by %i %', (megabytes, percent) => {
  expect(growthOf(megabytes * MEGABYTE, growth)).toBe(percent)
})

test('where no heap counts as small, all grow by the same share', () => {
  expect(growthOf(MEGABYTE, { smallBytes: 0, percent: 50 })).toBe(50)
})
