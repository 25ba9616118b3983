import { addDays, type LocalDate } from '@saldo/core'
import { expect, test } from 'vitest'
import { shownCurve } from './shown-curve.ts'

const first = '2024-11-25'
/** 730 days, until 2026-11-24. */
const curve = Array.from({ length: 730 }, (_, index) => ({ date: addDays(first, index), balanceMs: index }))
const whole = { from: first, to: '2026-11-24' } as const

test('a span shows the end of the curve, and all of it shows every date', () => {
  const year = shownCurve(curve, 'year', undefined)
  expect(year).toMatchObject({ whole, range: { from: '2025-11-24', to: whole.to }, isWhole: false })
  expect(year?.inRange).toEqual(curve.slice(-366))
  const all = shownCurve(curve, 'all', undefined)
  expect(all).toMatchObject({ range: whole, isWhole: true })
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
  expect(shownCurve(curve, { from: range.from, to: whole.to }, undefined)?.isWhole).toBe(false)
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
