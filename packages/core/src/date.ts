import { DAY_MS, type EpochMs, type IsoWeek, type LocalDate } from './values.ts'

/** Dates from `from` to `to`, both included; empty where `to` is before `from`. */
export interface DateRange {
  from: LocalDate
  to: LocalDate
}

/** The first date there is: instants and dates are of the years 1 to 9999, so that byte order is time order. */
export const FIRST_DATE: LocalDate = '0001-01-01'
/** The last date there is. */
export const LAST_DATE: LocalDate = '9999-12-31'

const DATE = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/
const WEEK = /^(?!0000)(\d{4})-W(0[1-9]|[1-4]\d|5[0-3])$/

/** Whether `text` is a date that the calendar has (2026-02-30 is none). */
export function isDate(text: string): boolean {
  return DATE.test(text) && isInMonth(text)
}

/** Whether the month of a date in the right form is long enough for its day. */
export function isInMonth(date: string): boolean {
  const day = date.slice(8, 10)
  return day <= '28' || Number(day) <= Temporal.PlainYearMonth.from(date.slice(0, 7)).daysInMonth
}

/** Whether `text` is a week that the calendar has (2025-W53 is none). */
export function isWeek(text: string): boolean {
  return WEEK.test(text) && weekOf(mondayOf(text)) === text
}

/** The date `days` days after `date` (before it, where negative). */
export function addDays(date: LocalDate, days: number): LocalDate {
  return utcDate(utcMidnight(date) + days * DAY_MS)
}

/** The number of days from `from` to `to`; negative where `to` is earlier. */
export function daysBetween(from: LocalDate, to: LocalDate): number {
  return (utcMidnight(to) - utcMidnight(from)) / DAY_MS
}

/** Midnight UTC of a date: a place on the number line for dates, not an instant that anybody meant. */
export function utcMidnight(date: LocalDate): EpochMs {
  return Date.parse(date)
}

/** Dates by their number of days since 1970: an account's are asked for again and again. */
const dates = new Map<number, LocalDate>()
const CACHED_DATES = 100_000

/** The UTC date of an instant. */
export function utcDate(ms: EpochMs): LocalDate {
  const day = Math.floor(ms / DAY_MS)
  let date = dates.get(day)
  if (date === undefined) {
    const text = new Date(ms).toISOString()
    date = text.slice(0, text.indexOf('T'))
    if (dates.size >= CACHED_DATES) dates.clear()
    dates.set(day, date)
  }
  return date
}

/** 0 for Monday to 6 for Sunday. */
export function weekdayIndex(date: LocalDate): number {
  return (new Date(date).getUTCDay() + 6) % 7
}

/** The ISO week that holds `date`. */
export function weekOf(date: LocalDate): IsoWeek {
  const thursday = addDays(date, 3 - weekdayIndex(date))
  const year = thursday.slice(0, 4)
  const week = Math.floor(daysBetween(`${year}-01-01`, thursday) / 7) + 1
  return `${year}-W${String(week).padStart(2, '0')}`
}

/** The Monday of a week. */
export function mondayOf(week: IsoWeek): LocalDate {
  // 4 January always lies in week 1.
  const fourth = `${week.slice(0, 4)}-01-04`
  return addDays(fourth, (Number(week.slice(6)) - 1) * 7 - weekdayIndex(fourth))
}

/** The seven dates of a week, Monday first. */
export function datesOfWeek(week: IsoWeek): LocalDate[] {
  const monday = mondayOf(week)
  return Array.from({ length: 7 }, (_, index) => addDays(monday, index))
}

/** Each date of a range in order. */
export function* datesIn({ from, to }: DateRange): Generator<LocalDate> {
  const lastMs = utcMidnight(to)
  for (let ms = utcMidnight(from); ms <= lastMs; ms += DAY_MS) yield utcDate(ms)
}
