import { expect, test } from 'vitest'
import { datesOfPeriod, monthIn, parsePeriod, pathOf, periodOfDate, shifted } from './period.ts'

const TODAY = '2026-11-21'

test.each([
  [{}, { year: 2026, month: 11 }],
  [{ year: '2024' }, { year: 2024, month: undefined }],
  [
    { year: '2024', month: '2' },
    { year: 2024, month: 2 },
  ],
  [
    { year: '1900', month: '1' },
    { year: 1900, month: 1 },
  ],
  [
    { year: '9998', month: '12' },
    { year: 9998, month: 12 },
  ],
  [{ year: '2024', month: '0' }, undefined],
  [{ year: '2024', month: '13' }, undefined],
  [{ year: '1899' }, undefined],
  [{ year: '9999' }, undefined],
  [{ year: 'x' }, undefined],
  [{ year: '12' }, undefined],
])('%o is parsed', (params, period) => {
  expect(parsePeriod(params, TODAY)).toEqual(period)
})

test('the path of a period leads back to it', () => {
  for (const period of [
    { year: 2026, month: 3 },
    { year: 2026, month: undefined },
  ]) {
    const [, , year, month] = pathOf(period).split('/')
    expect(parsePeriod({ ...(year && { year }), ...(month && { month }) }, TODAY)).toEqual(period)
  }
})

test('shifts cross the end of a year, and ranges know leap years', () => {
  expect(shifted({ year: 2026, month: 12 }, 1)).toEqual({ year: 2027, month: 1 })
  expect(shifted({ year: 2026, month: 1 }, -1)).toEqual({ year: 2025, month: 12 })
  expect(shifted({ year: 2026, month: undefined }, -1)).toEqual({ year: 2025, month: undefined })
  expect(datesOfPeriod({ year: 2024, month: 2 })).toEqual({ from: '2024-02-01', to: '2024-02-29' })
  expect(datesOfPeriod({ year: 2026, month: undefined })).toEqual({ from: '2026-01-01', to: '2026-12-31' })
})

test('a date is in a period of the same length', () => {
  expect(periodOfDate('2027-01-03', { year: 2026, month: 12 })).toEqual({ year: 2027, month: 1 })
  expect(periodOfDate('2027-01-03', { year: 2026, month: undefined })).toEqual({ year: 2027, month: undefined })
})

test('the month of this year is the current one, of another year January', () => {
  expect(monthIn(2026, TODAY)).toEqual({ year: 2026, month: 11 })
  expect(monthIn(2025, TODAY)).toEqual({ year: 2025, month: 1 })
})
