import { expect, test } from 'vitest'
import { pathOf, placeOf, placeWith, rangeOf, stepped } from './place.ts'

const TODAY = '2026-11-21'

test.each([
  [{}, { year: 2026, month: 11 }],
  [{ year: '2024' }, { year: 2024, month: undefined }],
  [
    { year: '2024', month: '2' },
    { year: 2024, month: 2 },
  ],
  [
    { year: '2024', month: '13' },
    { year: 2024, month: undefined },
  ],
  [{ year: 'x' }, { year: 2026, month: 11 }],
  [{ year: '12345' }, { year: 2026, month: 11 }],
])('%o', (params, place) => {
  expect(placeOf(params, TODAY)).toEqual(place)
})

test('a path leads back to its place', () => {
  for (const place of [
    { year: 2026, month: 3 },
    { year: 2026, month: undefined },
  ]) {
    const [, , year, month] = pathOf(place).split('/')
    expect(placeOf({ ...(year && { year }), ...(month && { month }) }, TODAY)).toEqual(place)
  }
})

test('steps go over the end of a year, and ranges know leap years', () => {
  expect(stepped({ year: 2026, month: 12 }, 1)).toEqual({ year: 2027, month: 1 })
  expect(stepped({ year: 2026, month: 1 }, -1)).toEqual({ year: 2025, month: 12 })
  expect(stepped({ year: 2026, month: undefined }, -1)).toEqual({ year: 2025, month: undefined })
  expect(rangeOf({ year: 2024, month: 2 })).toEqual({ from: '2024-02-01', to: '2024-02-29' })
  expect(rangeOf({ year: 2026, month: undefined })).toEqual({ from: '2026-01-01', to: '2026-12-31' })
})

test('a date is shown as its neighbours are', () => {
  expect(placeWith('2027-01-03', { year: 2026, month: 12 })).toEqual({ year: 2027, month: 1 })
  expect(placeWith('2027-01-03', { year: 2026, month: undefined })).toEqual({ year: 2027, month: undefined })
})
