import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  clip,
  type DisjointIntervals,
  difference,
  gapsBetween,
  type Interval,
  lengthWithin,
  totalLength,
  union,
  within,
} from './interval.ts'

const SIZE = 40

const interval = fc
  .tuple(fc.nat(SIZE), fc.integer({ min: -3, max: 12 }))
  .map(([start, length]) => ({ start, end: start + length }))
const intervals = fc.array(interval, { maxLength: 12 })

/** One flag per unit of time. */
function bitmap(covered: readonly Interval[]): boolean[] {
  return Array.from({ length: SIZE + 20 }, (_, at) => covered.some(({ start, end }) => start <= at && at < end))
}

function expectDisjoint(result: DisjointIntervals): void {
  result.forEach(({ start, end }, index) => {
    expect(start).toBeLessThan(end)
    expect(start).toBeGreaterThan(result[index - 1]?.end ?? Number.NEGATIVE_INFINITY)
  })
}

describe('intervals', () => {
  test('[D3.5] the union covers what any interval covers, in disjoint pieces that do not touch', () => {
    fc.assert(
      fc.property(intervals, (all) => {
        const result = union(all)
        expectDisjoint(result)
        expect(bitmap(result)).toStrictEqual(bitmap(all))
        expect(totalLength(result)).toBe(bitmap(all).filter((covered) => covered).length)
      }),
      { numRuns: 1_000 },
    )
  })

  test('[D3.5] the difference covers what the one covers and the other does not', () => {
    fc.assert(
      fc.property(intervals, intervals, (from, taken) => {
        const result = difference(union(from), union(taken))
        expectDisjoint(result)
        const [had, lost] = [bitmap(from), bitmap(taken)]
        expect(bitmap(result)).toStrictEqual(had.map((covered, at) => covered && !lost[at]))
      }),
      { numRuns: 2_000 },
    )
  })

  test('[D3.9] the gaps are the uncovered time between the first start and the last end', () => {
    fc.assert(
      fc.property(intervals, (all) => {
        const covered = union(all)
        const between = gapsBetween(covered)
        expectDisjoint(between)
        const flags = bitmap(covered)
        const [first, last] = [flags.indexOf(true), flags.lastIndexOf(true)]
        expect(bitmap(between)).toStrictEqual(flags.map((is, at) => !is && at > first && at < last))
      }),
      { numRuns: 1_000 },
    )
  })

  test('[D3.5] clipping leaves what lies in the window', () => {
    fc.assert(
      fc.property(interval, interval, (some, window) => {
        const [inside, within] = [bitmap([some]), bitmap([window])]
        expect(bitmap([clip(some, window)])).toStrictEqual(inside.map((covered, at) => covered && within[at] === true))
      }),
      { numRuns: 1_000 },
    )
  })

  test('[D12.1] the length inside a window is that of the parts inside it', () => {
    fc.assert(
      fc.property(intervals, interval, (some, window) => {
        const disjoint = union(some)
        expect(lengthWithin(disjoint)(window)).toBe(totalLength(within(disjoint, window)))
      }),
      { numRuns: 1_000 },
    )
  })

  test('[D3.1] no argument is changed', () => {
    const frozen = (all: Interval[]) => Object.freeze(all.map((each) => Object.freeze(each)))
    const result = union(
      frozen([
        { start: 5, end: 9 },
        { start: 1, end: 6 },
      ]),
    )
    expect(result).toStrictEqual([{ start: 1, end: 9 }])
    expect(difference(frozen([{ start: 1, end: 9 }]), frozen([{ start: 2, end: 3 }]))).toStrictEqual([
      { start: 1, end: 2 },
      { start: 3, end: 9 },
    ])
  })
})
