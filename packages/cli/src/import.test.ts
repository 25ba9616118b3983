import { expect, test } from 'vitest'
import { attemptsWithoutProgress } from './import.ts'

/** Returns the counts of attempts without progress, as so many changes are left after each. */
function countsFor(left: readonly number[]): number[] {
  const counts: number[] = []
  for (const [index, now] of left.slice(1).entries()) {
    counts.push(attemptsWithoutProgress(counts.at(-1) ?? 0, left[index] as number, now))
  }
  return counts
}

test('[D11.8] an import is given up after attempts that send nothing, however many others there were', () => {
  expect(countsFor([900, 900, 900, 600, 600, 599, 599, 599])).toEqual([1, 2, 0, 1, 0, 1, 2])
  expect(Math.max(...countsFor(Array.from({ length: 100 }, (_, index) => 1_000 - index)))).toBe(0)
})
