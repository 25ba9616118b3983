import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dateBetween } from '../test/arbitraries.ts'
import { readFixture } from '../test/fixtures.ts'
import {
  addDays,
  datesOfWeek,
  daysBetween,
  FIRST_DATE,
  isDate,
  isInMonth,
  isWeek,
  LAST_DATE,
  mondayOf,
  utcDate,
  utcMidnight,
  weekdayIndex,
  weekOf,
} from './date.ts'
import { datesIn } from './date-range.ts'
import type { IsoWeek, LocalDate } from './values.ts'

const vectors = readFixture<{
  valid_dates: string[]
  invalid_dates: string[]
  valid_weeks: string[]
  invalid_weeks: string[]
  mondays: { week: IsoWeek; monday: LocalDate }[]
  weeks: { date: LocalDate; week: IsoWeek }[]
}>('dates')

const date = fc.oneof(dateBetween('0001-01-01', '9999-12-31'), dateBetween('1990-01-01', '2040-12-31'))
const innerDate = fc.oneof(dateBetween('0002-01-01', '9998-12-31'), dateBetween('1990-01-01', '2040-12-31'))
const pad = (part: number, length: number) => String(part).padStart(length, '0')

describe('dates', () => {
  test.each(vectors.valid_dates)('[D1.6] %s is a date', (text) => {
    expect(isDate(text)).toBe(true)
  })

  test.each(vectors.invalid_dates)('[D1.6] %j is not a date', (text) => {
    expect(isDate(text)).toBe(false)
  })

  test('[D1.6] the first and the last date are those of the years 1 to 9999', () => {
    expect([FIRST_DATE, LAST_DATE].map(isDate)).toStrictEqual([true, true])
    expect([addDays(FIRST_DATE, -1), addDays(LAST_DATE, 1)].map(isDate)).toStrictEqual([false, false])
  })

  test('[D1.6] a date is valid exactly where the calendar has it', () => {
    fc.assert(
      fc.property(fc.nat(9999), fc.nat(13), fc.nat(32), (year, month, day) => {
        const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
        const lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        const length = lengths[month - 1] ?? 0
        expect(isDate(`${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`)).toBe(year >= 1 && day >= 1 && day <= length)
        if (length > 0 && year >= 1) {
          expect(isInMonth(`${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`)).toBe(day <= length)
        }
      }),
      { numRuns: 3_000 },
    )
  })

  test('[D1.6] days are added as the calendar counts them, and counted back', () => {
    fc.assert(
      fc.property(innerDate, fc.integer({ min: -300, max: 300 }), (from, days) => {
        const to = addDays(from, days)
        expect(to).toBe(Temporal.PlainDate.from(from).add({ days }).toString())
        expect(daysBetween(from, to)).toBe(days)
        expect(addDays(to, -days)).toBe(from)
        expect(Math.sign(to < from ? -1 : to > from ? 1 : 0)).toBe(Math.sign(days))
      }),
      { numRuns: 1_000 },
    )
  })

  test('[D1.6] a date and its UTC midnight convert into each other', () => {
    fc.assert(
      fc.property(date, fc.nat(86_399_999), (day, ms) => {
        const { year, month, day: dayOfMonth } = Temporal.PlainDate.from(day)
        const midnight = new Date(0)
        midnight.setUTCFullYear(year, month - 1, dayOfMonth)
        expect(utcMidnight(day)).toBe(midnight.getTime())
        expect(utcDate(utcMidnight(day) + ms)).toBe(day)
      }),
    )
  })

  test('[D1.6] a range has each of its dates once, in order, and none where it is empty', () => {
    fc.assert(
      fc.property(innerDate, fc.integer({ min: -5, max: 40 }), (from, days) => {
        const dates = [...datesIn({ from, to: addDays(from, days) })]
        expect(dates).toStrictEqual(Array.from({ length: Math.max(0, days + 1) }, (_, index) => addDays(from, index)))
      }),
    )
  })
})

/** The ISO week by its definition: the year and number of the week are those of its Thursday. */
function weekByThursday(day: string): string {
  const plain = Temporal.PlainDate.from(day)
  const thursday = plain.add({ days: 4 - plain.dayOfWeek })
  return `${pad(thursday.year, 4)}-W${pad(Math.floor((thursday.dayOfYear - 1) / 7) + 1, 2)}`
}

describe('weeks', () => {
  test.each(vectors.valid_weeks)('[D1.7] %s is a week', (text) => {
    expect(isWeek(text)).toBe(true)
  })

  test.each(vectors.invalid_weeks)('[D1.7] %j is not a week', (text) => {
    expect(isWeek(text)).toBe(false)
  })

  test.each(vectors.mondays)('[D1.7] $week begins on $monday', ({ week, monday }) => {
    expect(mondayOf(week)).toBe(monday)
    expect(weekOf(monday)).toBe(week)
  })

  test.each(vectors.weeks)('[D1.7] $date lies in $week', ({ date: day, week }) => {
    expect(weekOf(day)).toBe(week)
  })

  test('[D1.7] the week of a date is that of its Thursday', () => {
    fc.assert(
      fc.property(innerDate, (day) => {
        expect(weekOf(day)).toBe(weekByThursday(day))
        expect(isWeek(weekOf(day))).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  test('[D1.7] every turn of the year from 1900 to 2100 has its dates in the right weeks', () => {
    for (let year = 1900; year <= 2100; year += 1) {
      for (const day of datesIn({ from: `${year}-12-26`, to: `${year + 1}-01-07` })) {
        expect(weekOf(day), day).toBe(weekByThursday(day))
      }
      expect(isWeek(`${year}-W53`), String(year)).toBe(weekByThursday(`${year}-12-31`) === `${year}-W53`)
      expect(isWeek(`${year}-W54`)).toBe(false)
    }
  })

  test('[D1.7] a week has seven dates, Monday first, all its own', () => {
    fc.assert(
      fc.property(innerDate.map(weekOf), (week) => {
        const dates = datesOfWeek(week)
        expect(dates.map(weekdayIndex)).toStrictEqual([0, 1, 2, 3, 4, 5, 6])
        expect(new Set(dates.map(weekOf))).toStrictEqual(new Set([week]))
        expect(dates[0]).toBe(mondayOf(week))
        expect(daysBetween(dates[0] as LocalDate, dates[6] as LocalDate)).toBe(6)
      }),
    )
  })

  test('[D1.7] 2026-11-16 was a Monday, 2026-11-22 a Sunday', () => {
    expect(weekdayIndex('2026-11-16')).toBe(0)
    expect(weekdayIndex('2026-11-22')).toBe(6)
  })
})
