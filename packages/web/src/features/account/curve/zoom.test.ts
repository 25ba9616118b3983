import { type DateRange, daysBetween } from '@saldo/core'
import { expect, test } from 'vitest'
import { lastDays, moved, rangeBetween, zoomed } from './zoom.ts'

const whole: DateRange = { from: '2020-01-01', to: '2026-11-24' }

test('a span is the end of the whole range, or all of it', () => {
  expect(lastDays(whole, 'year')).toEqual({ from: '2025-11-24', to: '2026-11-24' })
  expect(lastDays(whole, 'all')).toEqual(whole)
  expect(lastDays({ from: '2026-11-01', to: '2026-11-24' }, 'quarter')).toEqual({
    from: '2026-11-01',
    to: '2026-11-24',
  })
})

test('moving keeps the length and stops at the ends', () => {
  const shown = lastDays(whole, 'year')
  const earlier = moved(shown, whole, -1)
  expect(daysBetween(earlier.from, earlier.to)).toBe(365)
  expect(moved(earlier, whole, 1)).toEqual(shown)
  expect(moved(shown, whole, 1)).toEqual(shown)
  // By half of the length, rounded up.
  expect(daysBetween(earlier.from, shown.from)).toBe(183)
})

test('zooming keeps the date in its place, and stays within the whole range', () => {
  const shown: DateRange = { from: '2025-01-01', to: '2025-12-31' }
  const closer = zoomed(shown, whole, '2025-07-02', 'in')
  expect([daysBetween(closer.from, '2025-07-02'), daysBetween('2025-07-02', closer.to)]).toEqual([91, 91])
  expect(zoomed(lastDays(whole, 'threeYears'), whole, whole.to, 'out').to).toBe(whole.to)
  const first: DateRange = { from: whole.from, to: '2020-12-31' }
  expect(zoomed(first, whole, '2020-12-01', 'out')).toEqual({ from: whole.from, to: '2021-12-31' })
  expect(moved(first, whole, -1)).toEqual(first)
  expect(zoomed(whole, whole, whole.to, 'out')).toEqual(whole)
  const least: DateRange = { from: '2026-11-10', to: '2026-11-24' }
  expect(zoomed(least, whole, '2026-11-24', 'in')).toEqual(least)
})

test('a drag selects from the earlier to the later date, and none on one date', () => {
  const range = { from: '2026-11-20', to: '2026-11-21' }
  expect(rangeBetween('2026-11-20', '2026-11-21')).toEqual(range)
  expect(rangeBetween('2026-11-21', '2026-11-20')).toEqual(range)
  expect(rangeBetween('2026-11-20', '2026-11-20')).toBeUndefined()
})
