import { addDays, HOUR_MS } from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatOf } from '../context/format.ts'
import { clampedTo, dateByKey, isWithin, parseDate, parseHours, parsePercent } from './typed-values.ts'

test.each([
  ['8', 8],
  ['7,7', 7.7],
  ['7:42', 7.7],
  ['-3:30', -3.5],
  ['−3:30', -3.5],
  ['+8', 8],
  [' 8.5 ', 8.5],
  ['90m', 1.5],
  ['', undefined],
  ['x', undefined],
])('«%s»', (text, hours) => {
  expect(parseHours(text)).toBe(hours === undefined ? undefined : Math.round(hours * HOUR_MS))
})

test('a field takes durations from the least to the most, both included', () => {
  expect([-6, -5, 0, 5, 6, undefined].map((ms) => clampedTo(ms, -5, 5))).toEqual([
    undefined,
    -5,
    0,
    5,
    undefined,
    undefined,
  ])
})

test.each([
  ['50', 0.5],
  ['50 %', 0.5],
  ['33,3%', 0.333],
  [' 100 % ', 1],
])('reads %s as a share', (text, share) => {
  expect(parsePercent(text)).toBeCloseTo(share)
})

test.each(['1.5h', '0', '101', '', '1:30', 'half', '-5'])('refuses %j', (text) => {
  expect(parsePercent(text)).toBeUndefined()
})

const near = '2026-11-20'

test.each([
  ['20.11.', 'de', '2026-11-20'],
  ['20.11.26', 'de', '2026-11-20'],
  ['2.1.', 'de', '2027-01-02'],
  ['3. März', 'de', '2027-03-03'],
  ['Fr., 20. Nov. 2026', 'de', '2026-11-20'],
  ['20/11/2026', 'en-GB', '2026-11-20'],
  ['11/20', 'en-US', '2026-11-20'],
  ['3.11.', 'en-US', '2026-11-03'],
  ['Nov 20', 'en-US', '2026-11-20'],
  ['20 december 2025', 'de', '2025-12-20'],
  ['2026-02-28', 'en-GB', '2026-02-28'],
  ['7', 'en-GB', '2026-11-07'],
] as const)('reads %s in %s as a date', (text, locale, date) => {
  expect(parseDate(text, locale, near)).toBe(date)
})

test.each(['', '31.11.', '20.13.2026', 'soon', '1.2.3.4', 'x20', '-', '20 n', 'f 20.11.'])('refuses %j', (text) => {
  expect(parseDate(text, 'de', near)).toBeUndefined()
})

test('a date without a year is the one nearest to the date around which people look', () => {
  expect(parseDate('30.12.', 'de', '2027-01-05')).toBe('2026-12-30')
  expect(parseDate('5.1.', 'de', '2026-12-30')).toBe('2027-01-05')
  expect(parseDate('29.2.', 'de', '2027-06-01')).toBe('2028-02-29')
})

test('reads each date as the field shows it', () => {
  for (const locale of ['en-GB', 'en-US', 'de']) {
    const format = formatOf({ locale, durations: 'clock', hours: 'auto' })
    fc.assert(
      fc.property(fc.integer({ min: -5_000, max: 5_000 }), (days) => {
        const date = addDays(near, days)
        expect(parseDate(format.date(date, 'field'), locale, near)).toBe(date)
      }),
    )
  }
})

test('the arrow keys step a date by a day, up to a later one', () => {
  const dates = ['ArrowUp', 'ArrowDown', 'ArrowLeft'].map((key) => dateByKey(key, '2026-03-01'))
  expect(dates).toEqual(['2026-03-02', '2026-02-28', undefined])
})

test('a field takes dates from its first to its last, both included', () => {
  const dates = ['2026-02-28', '2026-03-01', '2026-03-02', '2026-03-03'] as const
  const taken = (min?: (typeof dates)[number], max?: (typeof dates)[number]) =>
    dates.map((date) => isWithin(date, { min, max }))
  expect(taken(dates[1], dates[2])).toEqual([false, true, true, false])
  expect(taken(dates[1])).toEqual([false, true, true, true])
  expect(taken(undefined, dates[1])).toEqual([true, true, false, false])
  expect(taken()).toEqual([true, true, true, true])
})
