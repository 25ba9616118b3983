import { HOUR_MS, MINUTE_MS } from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isEven, spreadWeek, usualWorkdays, weekTotal } from './week-hours.ts'

test('the hours of a week are spread over its working days', () => {
  const week = spreadWeek(38.5 * HOUR_MS, usualWorkdays)
  expect(week.slice(0, 5)).toEqual(Array(5).fill(7.7 * HOUR_MS))
  expect(week.slice(5)).toEqual([0, 0])
})

test('a spread week has whole minutes, the typed sum, and days that are even', () => {
  const workdays = fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }).filter((days) => days.some(Boolean))
  fc.assert(
    fc.property(fc.nat(7 * 24 * 60), workdays, (minutes, days) => {
      const week = spreadWeek(minutes * MINUTE_MS, days)
      expect(weekTotal(week)).toBe(minutes * MINUTE_MS)
      expect(week.every((ms) => ms % MINUTE_MS === 0)).toBe(true)
      expect(isEven(week)).toBe(true)
    }),
  )
})

test('a week without working days has no hours', () => {
  expect(spreadWeek(40 * HOUR_MS, Array(7).fill(false))).toEqual(Array(7).fill(0))
})

test('hours that are no whole minutes are rounded to the next minute', () => {
  expect(weekTotal(spreadWeek(10 * MINUTE_MS + 40_000, usualWorkdays))).toBe(11 * MINUTE_MS)
  expect(weekTotal(spreadWeek(10 * MINUTE_MS + 20_000, usualWorkdays))).toBe(10 * MINUTE_MS)
})
