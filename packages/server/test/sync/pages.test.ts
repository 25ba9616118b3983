import { expect, test } from 'vitest'
import { readPage } from '../../src/sync/pages.ts'

/** Records of a million characters: five of them are more than a page. */
const body = 'x'.repeat(1_000_000)

test.each([
  [4, 10, [4]],
  [5, 10, [5]],
  [12, 20, [5, 5, 2]],
  [12, 3, [3, 3, 3, 3]],
  [0, 10, [0]],
])('[D9.12] of %i large records, pages of at most %i have %j', async (count, limit, sizes) => {
  const all = Array.from({ length: count }, (_, number) => ({ number, body }))
  const found: number[] = []
  for (let next = 0, hasMore = true; hasMore; ) {
    const { records, last } = await readPage<(typeof all)[number]>(async (after, most) => {
      const first = after === undefined ? next : after.number + 1
      return all.slice(first, first + most)
    }, limit)
    found.push(records.length)
    next += records.length
    hasMore = last !== undefined
    if (last) expect(last.number).toBe(next - 1)
  }
  expect(found).toEqual(sizes)
})
