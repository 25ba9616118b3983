import { addDays, type DateRange, daysBetween, type LocalDate } from '@saldo/core'
import { expect, test } from 'vitest'
import { lastDays, monthEnds, moved, rangeBetween, shownCurve, thinned, zoomed } from './curve-model.ts'

test('thinning keeps the ends of a curve; months end with their last point', () => {
  const curve = Array.from({ length: 100 }, (_, index) => ({ date: addDays('2026-01-01', index), balanceMs: index }))
  const few = thinned(curve, 10)
  expect(few.length).toBeLessThanOrEqual(12)
  expect([few[0], few.at(-1)]).toEqual([curve[0], curve[99]])
  expect(thinned(curve, 500)).toEqual(curve)
  expect(monthEnds(curve).map(({ date }) => date)).toEqual(['2026-04-10', '2026-03-31', '2026-02-28', '2026-01-31'])
})

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

const first = '2024-11-25'
/** 730 days, until 2026-11-24. */
const curve = Array.from({ length: 730 }, (_, index) => ({ date: addDays(first, index), balanceMs: index }))
const history = { from: first, to: '2026-11-24' } as const

test('a span shows the end of the curve, and all of it shows every date', () => {
  const year = shownCurve(curve, 'year', undefined)
  expect(year).toMatchObject({ whole: history, range: { from: '2025-11-24', to: history.to }, isWhole: false })
  expect(year?.inRange).toEqual(curve.slice(-366))
  const all = shownCurve(curve, 'all', undefined)
  expect(all).toMatchObject({ range: history, isWhole: true })
  expect(all?.inRange).toEqual(curve)
  expect(all?.points.length).toBeLessThanOrEqual(401)
})

test('a chosen range is shown with both of its ends', () => {
  const range = { from: '2025-03-01', to: '2025-03-31' } as const
  const shown = shownCurve(curve, range, undefined)
  expect(shown?.points.map(({ date }) => date)).toEqual(
    Array.from({ length: 31 }, (_, day) => addDays(range.from, day)),
  )
  expect(shown?.isWhole).toBe(false)
  expect(shownCurve(curve, { from: first, to: range.to }, undefined)?.isWhole).toBe(false)
  expect(shownCurve(curve, { from: range.from, to: history.to }, undefined)?.isWhole).toBe(false)
})

test('the cursor is on the last point up to its date, and on the last of all if there is none', () => {
  const range = { from: '2025-03-01', to: '2025-03-31' } as const
  const cursorOn = (date: LocalDate | undefined) => shownCurve(curve, range, date)?.cursor.date
  expect(cursorOn(undefined)).toBe('2025-03-31')
  expect(cursorOn('2025-03-10')).toBe('2025-03-10')
  expect(cursorOn('2025-04-10')).toBe('2025-03-31')
  expect(cursorOn('2025-02-10')).toBe('2025-03-31')
})

test('without points nothing is shown', () => {
  expect(shownCurve([], 'year', undefined)).toBeUndefined()
  expect(shownCurve(curve, { from: '2020-01-01', to: '2020-02-01' }, undefined)).toBeUndefined()
})
