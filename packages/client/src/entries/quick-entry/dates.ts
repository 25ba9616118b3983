import {
  addDays,
  type DateRange,
  dateInYear,
  daysBetween,
  isDate,
  isWeek,
  type LocalDate,
  mondayOf,
  utcMidnight,
  weekdayIndex,
} from '@saldo/core'
import type { Line, Match } from './line.ts'
import { numberAt, rangeAt } from './times.ts'
import {
  AGO,
  DAYS,
  IN,
  MODIFIERS,
  MONTHS,
  ON,
  ORDINALS,
  SINCE,
  SPANS,
  UNTIL,
  WEEK_NUMBERS,
  WEEK_WORDS,
  WEEKDAYS,
} from './words.ts'

/** A day as it is written, before it is known which way people look: leave is ahead, work behind. */
export type PhraseDay =
  | { is: 'days'; from: number }
  | { is: 'weekday'; weekday: number; week?: -1 | 0 | 1 }
  | { is: 'date'; year?: number; month?: number; day: number }

/** Days as they are written: a day (`from` equals `to`), a range, or one that is open on one side. */
export type Days = { from?: PhraseDay; to?: PhraseDay } | { week: -1 | 0 | 1 } | { weekNumber: number }

/** True if people look ahead: at leave. */
export interface DateOutlook {
  today: LocalDate
  isAhead: boolean
}

const DAYS_BACK = 90
const MOST_DAYS_OVER = 250

/** Reads a day, a range of days, a week, `bis Mittwoch`, `seit Montag`. */
export function daysAt(line: Line, at: number): Match<Days> | undefined {
  return weekAt(line, at) ?? rangeOfDaysAt(line, at) ?? openDaysAt(line, at) ?? singleAt(line, at)
}

function weekAt(line: Line, at: number): Match<Days> | undefined {
  const modifier = line.phrase(line.skip(at, ON), MODIFIERS)
  const week = modifier && line.phrase(modifier.next, WEEK_WORDS)
  if (week) return { value: { week: modifier.value }, next: week.next }
  const numbered = line.phrase(at, WEEK_NUMBERS)
  const number = Number(numbered && line.digits(numbered.next, 1, 2))
  return numbered && number >= 1 && number <= 53
    ? { value: { weekNumber: number }, next: numbered.next + 1 }
    : undefined
}

/** Reads `mo-fr`, `24.12.-31.12.`, `24.-31.12.`, `Dec 24-31`, `24 to 31 December`, `vom 21.12. bis 4.1.`. */
function rangeOfDaysAt(line: Line, at: number): Match<Days> | undefined {
  const opened = line.skip(at, SINCE)
  const from = dayAt(line, opened) ?? dayNumberAt(line, opened)
  if (!from) return undefined
  const joined = line.text(from.next) === '-' ? from.next + 1 : line.skip(from.next, UNTIL)
  if (joined === from.next) return undefined
  const isInMonth = from.value.is === 'date' && from.value.month !== undefined
  const to = dayAt(line, joined) ?? (isInMonth ? dayNumberAt(line, joined) : undefined)
  if (!to) return undefined
  // In "9-17 Nov 18" the month belongs to the day after it.
  const isTimes = !isInMonth && line.digits(to.next, 1, 2) !== undefined && !rangeAt(line, to.next)
  return isTimes ? undefined : { value: { from: from.value, to: to.value }, next: to.next }
}

function openDaysAt(line: Line, at: number): Match<Days> | undefined {
  const until = dayAt(line, line.skip(at, UNTIL))
  if (until && line.phrase(at, UNTIL)) return { value: { to: until.value }, next: until.next }
  const since = dayAt(line, line.skip(at, SINCE))
  return since && line.phrase(at, SINCE) ? { value: { from: since.value }, next: since.next } : undefined
}

function singleAt(line: Line, at: number): Match<Days> | undefined {
  const day = dayAt(line, line.skip(at, ON))
  return day && { value: { from: day.value, to: day.value }, next: day.next }
}

function dayAt(line: Line, at: number): Match<PhraseDay> | undefined {
  const day = line.phrase(at, DAYS)
  if (day) return { value: { is: 'days', from: day.value }, next: day.next }
  return distanceAt(line, at) ?? weekdayAt(line, at) ?? dateAt(line, at)
}

/** Reads `vor 2 Tagen`, `2 days ago`, `in 3 days`. */
function distanceAt(line: Line, at: number): Match<PhraseDay> | undefined {
  const opened = line.phrase(at, AGO) ?? line.phrase(at, IN)
  const count = numberAt(line, opened?.next ?? at)
  const unit = count && line.phrase(count.next, SPANS)
  if (!unit || !Number.isInteger(count.value)) return undefined
  const days = count.value * (unit.value === 'week' ? 7 : 1)
  if (opened) return { value: { is: 'days', from: line.text(at) === 'in' ? days : -days }, next: unit.next }
  const ago = line.phrase(unit.next, AGO)
  return ago && line.text(unit.next) === 'ago' ? { value: { is: 'days', from: -days }, next: ago.next } : undefined
}

function weekdayAt(line: Line, at: number): Match<PhraseDay> | undefined {
  const modifier = line.phrase(at, MODIFIERS)
  const found = line.phrase(modifier?.next ?? at, WEEKDAYS)
  if (!found) return undefined
  const isShort = line.text(found.next) === '.' && line.isGlued(found.next)
  const day: PhraseDay = { is: 'weekday', weekday: found.value, ...(modifier && { week: modifier.value }) }
  return { value: day, next: found.next + (isShort ? 1 : 0) }
}

/** Reads `20.11.`, `20.11.2026`, `20.11.26`, `2026-11-20`, `20 Nov`, `20. November 2026`, `November 20th`. */
function dateAt(line: Line, at: number): Match<PhraseDay> | undefined {
  const iso = line.match(at, /^(\d{4})-(\d\d)-(\d\d)/)
  if (iso) return dateOf(iso.value[3], iso.value[2], iso.value[1], iso.next)
  const named = line.phrase(at, MONTHS)
  if (named) {
    const from = line.text(named.next) === '.' ? named.next + 1 : named.next
    const day = line.digits(from, 1, 2)
    return day && !line.phrase(from + 1, MONTHS)
      ? withYear(line, day, named.value, line.skip(from + 1, ORDINALS))
      : undefined
  }
  const day = line.digits(at, 1, 2)
  if (day === undefined) return undefined
  const point = line.text(at + 1) === '.' ? at + 2 : line.skip(at + 1, ORDINALS)
  const month = line.phrase(point, MONTHS)
  if (month) return withYear(line, day, month.value, line.text(month.next) === '.' ? month.next + 1 : month.next)
  const dotted = line.match(at, /^\d+\.(\d\d?)(?!\d)(\.(?:(\d{4}|\d\d)(?!\d))?)?/)
  if (!dotted) return undefined
  const [, number, end, year] = dotted.value
  // Without its last point it could be a time, unless there is no such time.
  return end || Number(day) >= 24 ? dateOf(day, number, year, dotted.next) : undefined
}

function withYear(line: Line, day: string, month: number, at: number): Match<PhraseDay> | undefined {
  const from = line.text(at) === ',' ? at + 1 : at
  const digits = line.digits(from, 4, 4)
  const isTime = line.text(from + 1) === '-' && line.digits(from + 2, 4, 4) !== undefined
  const year = isTime || !digits?.startsWith('20') ? undefined : digits
  return dateOf(day, String(month), year, year === undefined ? at : from + 1)
}

/** Without a year, 29 February is a day. */
function dateOf(day = '', month = '', year: string | undefined, next: number): Match<PhraseDay> | undefined {
  const full = year?.length === 2 ? `20${year}` : year
  if (!isDate(`${full ?? '2024'}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)) return undefined
  const value = { is: 'date', day: Number(day), month: Number(month), ...(full && { year: Number(full) }) } as const
  return { value, next }
}

/** A day whose month stands at the other end of the range. */
function dayNumberAt(line: Line, at: number): Match<PhraseDay> | undefined {
  const found = line.match(at, /^([1-9]|[0-2]\d|3[01])(?!\d)\.?/)
  return found && { value: { is: 'date', day: Number(found.value[1]) }, next: line.skip(found.next, ORDINALS) }
}

/** Returns the ranges that days can mean, the likeliest first; none if they are not in order. */
export function rangesOf(days: Days, base: LocalDate, outlook: DateOutlook): DateRange[] {
  const { today, isAhead } = outlook
  const monday = addDays(today, -weekdayIndex(today))
  if ('week' in days) return [wholeWeek(addDays(monday, 7 * days.week))]
  if ('weekNumber' in days) {
    const year = Number(today.slice(0, 4))
    const weeks = [year, year - 1, year + 1].map((each) => `${each}-W${String(days.weekNumber).padStart(2, '0')}`)
    return nearest(weeks.filter(isWeek).map(mondayOf), outlook).slice(0, 1).map(wholeWeek)
  }
  const { from, to } = days
  if (from === to && from) return datesOf(from, outlook).map((date) => ({ from: date, to: date }))
  if (!to) return from ? datesOf(from, { today, isAhead: isAhead }).map((date) => ({ from: date, to: today })) : []
  if (!from) return endsOf(to, base, outlook).map((end) => ({ from: base, to: end }))
  const starts = datesOf(startOf(from, to), outlook)
  const ranges = starts.flatMap((start) => endsOf(to, start, outlook).map((end) => ({ from: start, to: end })))
  return isAhead && from.is === 'weekday' ? withThisWeek(ranges, today) : ranges
}

/** On a Wednesday, `mon-fri` can mean this week too. */
function withThisWeek(ranges: DateRange[], today: LocalDate): DateRange[] {
  const earlier = ranges.map(({ from, to }) => ({ from: addDays(from, -7), to: addDays(to, -7) }))
  return [...ranges, ...earlier.filter(({ from, to }) => from < today && to >= today)]
}

/** The start of a range takes what it lacks from the end. */
function startOf(from: PhraseDay, to: PhraseDay): PhraseDay {
  if (from.is !== 'date' || to.is !== 'date') return from
  const month = from.month ?? to.month
  const year = from.year ?? (to.year === undefined || month === undefined ? to.year : yearBefore(from, to, month))
  return { ...from, ...(month !== undefined && { month }), ...(year !== undefined && { year }) }
}

function yearBefore(from: PhraseDay & { is: 'date' }, to: PhraseDay & { is: 'date' }, month: number): number {
  const isLater = month * 31 + from.day > (to.month ?? month) * 31 + to.day
  return (to.year as number) - (isLater ? 1 : 0)
}

/** The first such day that is not before a start. */
function endsOf(to: PhraseDay, start: LocalDate, { today }: DateOutlook): LocalDate[] {
  if (to.is === 'weekday' && to.week === undefined) {
    return [addDays(start, (to.weekday - weekdayIndex(start) + 7) % 7)]
  }
  if (to.is !== 'date' || to.year !== undefined) {
    return datesOf(to, { today, isAhead: true }).filter((date) => date >= start)
  }
  const year = Number(start.slice(0, 4))
  const month = to.month ?? Number(start.slice(5, 7))
  const dates = [year, year + 1].map((each) => textOf(each, month, to.day))
  // Nobody means 24.12.-20.12. as a year.
  return dates.filter((date) => isDate(date) && date >= start && daysBetween(start, date) < MOST_DAYS_OVER).slice(0, 1)
}

/** Returns the dates that a day can mean, the likeliest first. */
function datesOf(day: PhraseDay, outlook: DateOutlook): LocalDate[] {
  const { today, isAhead } = outlook
  if (day.is === 'days') return [addDays(today, day.from)]
  if (day.is === 'date') {
    const month = day.month ?? Number(today.slice(5, 7))
    const year = Number(today.slice(0, 4))
    const years = day.year === undefined ? [year, year - 1, year + 1] : [day.year]
    return nearest(years.map((each) => textOf(each, month, day.day)).filter(isDate), outlook).slice(0, 1)
  }
  const ahead = (day.weekday - weekdayIndex(today) + 7) % 7
  const inThisWeek = addDays(today, day.weekday - weekdayIndex(today))
  switch (day.week) {
    case 0:
      return [inThisWeek]
    // People do not agree whether "next Friday" can be in this week.
    case 1:
      return inThisWeek > today ? [addDays(inThisWeek, 7), inThisWeek] : [addDays(inThisWeek, 7)]
    case -1:
      return inThisWeek < today ? [inThisWeek, addDays(inThisWeek, -7)] : [addDays(inThisWeek, -7)]
    default:
      return [addDays(today, isAhead || ahead === 0 ? ahead : ahead - 7)]
  }
}

/** Dates by their distance from today. Looking ahead, those of more than a quarter ago come last. */
function nearest(dates: LocalDate[], { today, isAhead }: DateOutlook): LocalDate[] {
  const oldest = addDays(today, -DAYS_BACK)
  const isOld = (date: LocalDate) => (isAhead && date < oldest ? 1 : 0)
  const distance = (date: LocalDate) => Math.abs(utcMidnight(date) - utcMidnight(today))
  return dates.toSorted((a, b) => isOld(a) - isOld(b) || distance(a) - distance(b))
}

function wholeWeek(monday: LocalDate): DateRange {
  return { from: monday, to: addDays(monday, 6) }
}

function textOf(year: number, month: number, day: number): LocalDate {
  const two = (part: number) => String(part).padStart(2, '0')
  return dateInYear(year, `${two(month)}-${two(day)}`)
}
