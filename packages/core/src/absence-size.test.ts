import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareOfDay } from './absence.ts'
import { isSize, sizeLeft, sizeOfAmount, sizeOfShare, WHOLE_DAY } from './absence-size.ts'
import { HOUR_MS, MINUTE_MS } from './values.ts'

const minutes = (count: number) => count * MINUTE_MS

test('the rest of a day and the other absences come to a whole day at most', () => {
  const size = fc.oneof(
    fc.integer({ min: 1, max: 1_000 }).map((thousandths) => sizeOfShare(thousandths / 1_000)),
    fc.integer({ min: 1, max: 9 * 60 }).map((count) => sizeOfAmount(minutes(count))),
  )
  fc.assert(
    fc.property(size, fc.array(size, { maxLength: 3 }), (wanted, others) => {
      const plannedMs = 8 * HOUR_MS
      const taken = others.reduce((sum, other) => sum + shareOfDay(other, plannedMs), 0)
      const left = sizeLeft(wanted, others, plannedMs)
      if (left === undefined) expect(taken).toBeGreaterThan(1 - 1e-6)
      else {
        expect(isSize(left)).toBe(true)
        expect(shareOfDay(left, plannedMs)).toBeLessThanOrEqual(shareOfDay(wanted, plannedMs))
        expect(taken + shareOfDay(left, plannedMs)).toBeLessThan(1 + 1e-9)
      }
    }),
  )
})

test('amounts in whole minutes leave the rest of the planned minutes, to the millisecond', () => {
  const count = fc.integer({ min: 1, max: 5 * 60 })
  fc.assert(
    fc.property(fc.array(count, { minLength: 1, maxLength: 3 }), count, (taken, left) => {
      const plannedMs = minutes(taken.reduce((sum, one) => sum + one, left))
      const others = taken.map((one) => sizeOfAmount(minutes(one)))
      expect(sizeLeft(WHOLE_DAY, others, plannedMs)).toEqual(sizeOfAmount(minutes(left)))
      expect(sizeLeft(sizeOfAmount(minutes(left)), others, plannedMs)).toEqual(sizeOfAmount(minutes(left)))
    }),
  )
})

test('on a day without planned time, amounts take nothing of the day, and shares do', () => {
  const amount = fc.integer({ min: 1, max: 9 * 60 }).map((count) => sizeOfAmount(minutes(count)))
  const shares = fc.array(
    fc.integer({ min: 1, max: 8 }).map((eighths) => sizeOfShare(eighths / 8)),
    { maxLength: 3 },
  )
  fc.assert(
    fc.property(fc.array(amount, { maxLength: 3 }), shares, (amounts, others) => {
      const left = 1 - others.reduce((sum, { day_share }) => sum + (day_share ?? 0), 0)
      const expected = left > 0 ? sizeOfShare(left) : undefined
      expect(sizeLeft(WHOLE_DAY, [...amounts, ...others], 0)).toEqual(expected)
      for (const wanted of amounts) expect(sizeLeft(wanted, [...amounts, ...others], 0)).toEqual(wanted)
    }),
  )
})

test('a size is a share above 0 and at most 1, or an amount above 0', () => {
  expect([0, 0.001, 1, 1.001].map((share) => isSize(sizeOfShare(share)))).toEqual([false, true, true, false])
  expect([0, 1].map((ms) => isSize(sizeOfAmount(ms)))).toEqual([false, true])
})

test('beside an amount, a share that just fits stays a share, and one that does not becomes the rest', () => {
  const half = sizeOfShare(0.5)
  expect(sizeLeft(half, [sizeOfAmount(4 * HOUR_MS)], 8 * HOUR_MS)).toEqual(half)
  expect(sizeLeft(half, [sizeOfAmount(5 * HOUR_MS)], 8 * HOUR_MS)).toEqual(sizeOfAmount(3 * HOUR_MS))
})
