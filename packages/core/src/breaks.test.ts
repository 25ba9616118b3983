import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { breakPolicy } from '../test/arbitraries.ts'
import { runsOf } from '../test/tier.ts'
import { type BreakPolicy, breaksBetween, deductedBreak, requiredBreak, takenBreak } from './breaks.ts'
import { union } from './interval.ts'
import { HOUR_MS } from './values.ts'

/** A policy and times so small that every millisecond can be tried. */
const smallPolicy: fc.Arbitrary<BreakPolicy> = fc.record({
  rules: fc.array(fc.record({ worked_above_ms: fc.nat(60), required_ms: fc.nat(40) }), { maxLength: 5 }),
  min_piece_ms: fc.nat(10),
})

/** The break required for some work, in the words of D3: the most that any rule below it asks. */
function required({ rules }: BreakPolicy, workedMs: number): number {
  let most = 0
  for (const rule of rules) if (workedMs > rule.worked_above_ms && rule.required_ms > most) most = rule.required_ms
  return most
}

test('[D13.8] gaps in the work of a day are breaks, up to four hours; a longer one is rest', () => {
  const at = (...hours: number[]) =>
    union(
      hours.flatMap((start, index) =>
        index % 2 ? [] : [{ start: start * HOUR_MS, end: (hours[index + 1] ?? 0) * HOUR_MS }],
      ),
    )
  expect(breaksBetween(at(8, 12, 13, 16))).toBe(HOUR_MS)
  expect(breaksBetween(at(0, 2.5, 10, 12, 12.5, 15))).toBe(HOUR_MS / 2)
  expect(breaksBetween(at(11, 14, 18, 22))).toBe(4 * HOUR_MS)
  expect(breaksBetween([])).toBe(0)
})

describe('deductedBreak', () => {
  test('[D3.7] the deduction is the least that meets the required break', () => {
    fc.assert(
      fc.property(smallPolicy, fc.nat(100), fc.nat(60), (policy, worked, taken) => {
        let least = 0
        while (taken + least < required(policy, worked - least)) least += 1
        expect(deductedBreak(policy, worked, taken)).toBe(least)
      }),
      { numRuns: runsOf(2_000, 10_000) },
    )
  })

  test('[D3.7] the required break is met after the deduction, and not with a millisecond less', () => {
    const ms = fc.nat(16 * 3_600_000)
    fc.assert(
      fc.property(breakPolicy, ms, fc.nat(2 * 3_600_000), (policy, worked, taken) => {
        const deducted = deductedBreak(policy, worked, taken)
        expect(taken + deducted).toBeGreaterThanOrEqual(required(policy, worked - deducted))
        if (deducted > 0) expect(taken + deducted - 1).toBeLessThan(required(policy, worked - deducted + 1))
        expect(deducted).toBeGreaterThanOrEqual(0)
        expect(deducted).toBeLessThanOrEqual(worked)
      }),
      { numRuns: 5_000 },
    )
  })

  test('[D3.7] a millisecond more of work adds at most a millisecond and never takes any', () => {
    fc.assert(
      fc.property(smallPolicy, fc.nat(100), fc.nat(60), (policy, worked, taken) => {
        const left = worked - deductedBreak(policy, worked, taken)
        const next = worked + 1 - deductedBreak(policy, worked + 1, taken)
        expect(next === left || next === left + 1).toBe(true)
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('requiredBreak', () => {
  test('[D3.8] the required break is the most of all rules whose threshold the work exceeds', () => {
    fc.assert(
      fc.property(smallPolicy, fc.integer({ min: -5, max: 100 }), (policy, worked) => {
        expect(requiredBreak(policy, worked)).toBe(required(policy, worked))
      }),
    )
  })
})

describe('takenBreak', () => {
  test('[D3.9] counts the pauses between work that are at least min_piece_ms long', () => {
    const pieces = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 12 })), { maxLength: 8 })
    fc.assert(
      fc.property(pieces, smallPolicy, fc.nat(1000), (steps, policy, from) => {
        let at = from
        let expected = 0
        const work = steps.map(([worked, pause], index) => {
          const interval = { start: at, end: at + worked }
          at += worked + pause
          if (index < steps.length - 1 && pause >= policy.min_piece_ms) expected += pause
          return interval
        })
        expect(takenBreak(policy, union(work), [], { start: 0, end: 10_000 })).toBe(expected)
      }),
      { numRuns: 1_000 },
    )
  })

  const day = { start: 0, end: 100 }
  const atLeast10: BreakPolicy = { rules: [], min_piece_ms: 10 }
  const work = [
    { start: 20, end: 40 },
    { start: 50, end: 70 },
  ]
  const takenWith = (start: number, end: number) => takenBreak(atLeast10, work, [{ start, end }], day)

  test('[D3.49] a recorded break before the first or after the last work is not taken', () => {
    expect(takenBreak(atLeast10, work, [], day)).toBe(10)
    for (const [start, end] of [
      [5, 20],
      [0, 19],
      [70, 85],
      [71, 100],
    ] as const) {
      expect(takenWith(start, end), `${start} to ${end}`).toBe(10)
    }
  })

  test('[D3.54] a recorded break from the start of the day to work, or from work to its end, is taken', () => {
    expect(takenWith(0, 20)).toBe(10 + 20)
    expect(takenWith(70, 100)).toBe(10 + 30)
    const short = [{ start: 98, end: 100 }]
    expect(takenBreak(atLeast10, [{ start: 0, end: 98 }], short, day)).toBe(2)
    expect(takenBreak(atLeast10, [], [day], day)).toBe(0)
  })

  test('[D3.50] a rule for longer work that asks for less lowers nothing', () => {
    const rules = [
      { worked_above_ms: 10, required_ms: 8 },
      { worked_above_ms: 50, required_ms: 3 },
    ]
    expect([10, 11, 50, 51, 99].map((worked) => requiredBreak({ rules, min_piece_ms: 0 }, worked))).toEqual([
      0, 8, 8, 8, 8,
    ])
  })
})
