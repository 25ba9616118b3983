import { DAY_MS, type EpochMs, type IsoWeek, type LocalDate } from './values.ts'

/** The first date: instants and dates are of the years 1 to 9999, so that byte order is time order. */
export const FIRST_DATE: LocalDate = '0001-01-01'
/** The last date. */
export const LAST_DATE: LocalDate = '9999-12-31'

const DATE = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/
const WEEK = /^(?!0000)(\d{4})-W(0[1-9]|[1-4]\d|5[0-3])$/

/** True if `text` is a date of the calendar (2026-02-30 is not). */
export function isDate(text: string): text is LocalDate {
  return DATE.test(text) && isInMonth(text)
}

/** True if the month of a well-formed date or instant has its day. */
export function isInMonth(text: string): boolean {
  const day = text.slice(8, 10)
  return day <= '28' || Number(day) <= Temporal.PlainYearMonth.from(text.slice(0, 7)).daysInMonth
}

/** True if `text` is a week of the calendar (2025-W53 is not). */
export function isWeek(text: string): text is IsoWeek {
  return WEEK.test(text) && weekOf(mondayOf(text as IsoWeek)) === text
}

/**
 * Returns the date `days` days after `date`, before it if `days` is negative. The result must lie within the years 1 to
 * 9999 or the day beside them.
 */
export function addDays(date: LocalDate, days: number): LocalDate {
  return utcDate(utcMidnight(date) + days * DAY_MS)
}

/** True for the month and day of a date, such as `12-24`. */
export function isMonthDay(text: string): boolean {
  return isDate(`2024-${text}`)
}

/** Returns the date of a month and a day such as `03-31`, in a leap year, for display. */
export function dateOfMonthDay(monthDay: string): LocalDate {
  return dateInYear(2024, monthDay)
}

/** Returns the date of a year and of a month and a day such as `03-31`, which the year has. */
export function dateInYear(year: number, monthDay: string): LocalDate {
  return `${String(year).padStart(4, '0')}-${monthDay}` as LocalDate
}

/** Returns the date of a month and a day; 29 February is the last day of February in every year. */
export function lastDateOf(year: number, monthDay: string): LocalDate {
  const date = dateInYear(year, monthDay)
  return isDate(date) ? date : dateInYear(year, '02-28')
}

/** Returns the date `days` days after `date`, or the first or last date there is if that lies beyond it. */
export function addDaysWithinCalendar(date: LocalDate, days: number): LocalDate {
  if (days < daysBetween(date, FIRST_DATE)) return FIRST_DATE
  if (days > daysBetween(date, LAST_DATE)) return LAST_DATE
  return addDays(date, days)
}

/** Returns the number of days from `from` to `to`, negative if `to` is earlier. */
export function daysBetween(from: LocalDate, to: LocalDate): number {
  return (utcMidnight(to) - utcMidnight(from)) / DAY_MS
}

/** Returns midnight UTC of a date: a number to compute with, not the start of the date for any user. */
export function utcMidnight(date: LocalDate): EpochMs {
  return Date.parse(date)
}

/** Dates by their number of days since 1970: the account formats the same dates again and again. */
const datesByDay = new Map<number, LocalDate>()
const CACHED_DATES = 100_000

/** Returns the UTC date of an instant. */
export function utcDate(ms: EpochMs): LocalDate {
  const day = Math.floor(ms / DAY_MS)
  let date = datesByDay.get(day)
  if (date === undefined) {
    const text = new Date(ms).toISOString()
    date = text.slice(0, text.indexOf('T')) as LocalDate
    if (datesByDay.size >= CACHED_DATES) datesByDay.clear()
    datesByDay.set(day, date)
  }
  return date
}

/** Returns the year of a date, 1 to 9999. */
export function yearOf(date: LocalDate): number {
  return Number(date.slice(0, 4))
}

/** Returns 0 for Monday to 6 for Sunday. */
export function weekdayIndex(date: LocalDate): number {
  // The first date is a Monday.
  return daysBetween(FIRST_DATE, date) % 7
}

/** Returns the ISO week of a date. */
export function weekOf(date: LocalDate): IsoWeek {
  const thursday = addDays(date, 3 - weekdayIndex(date))
  const week = Math.floor(daysBetween(dateInYear(yearOf(thursday), '01-01'), thursday) / 7) + 1
  return `${thursday.slice(0, 4)}-W${String(week).padStart(2, '0')}` as IsoWeek
}

/** Returns the Monday of a week. */
export function mondayOf(week: IsoWeek): LocalDate {
  // 4 January always is in week 1.
  const fourth = dateInYear(Number(week.slice(0, 4)), '01-04')
  return addDays(fourth, (Number(week.slice(6)) - 1) * 7 - weekdayIndex(fourth))
}

/** Returns the seven dates of a week, Monday first. */
export function datesOfWeek(week: IsoWeek): LocalDate[] {
  const monday = mondayOf(week)
  return Array.from({ length: 7 }, (_, index) => addDays(monday, index))
}
