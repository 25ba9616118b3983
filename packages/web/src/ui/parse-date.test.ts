import { addDays } from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatOf } from '../context/format.ts'
import { parseDate } from './parse-date.ts'

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
