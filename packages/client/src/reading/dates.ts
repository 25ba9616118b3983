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
import { wholeText } from './line.ts'
import { type Reading, readingOfValues } from './reading.ts'
import { ON } from './words.ts'
import {
  type DateOrder,
  type Days,
  dateOrders,
  dayAt,
  dayNumberAt,
  daysAt,
  type PhraseDay,
  type PhraseWeek,
} from './written-days.ts'

/** True if people look ahead: at leave. */
export interface DateOutlook {
  today: LocalDate
  isAhead: boolean
}

const DAYS_BACK = 90
const MOST_DAYS_OVER = 250

/** Returns the ranges that days can mean, the likeliest first; none if they are not in order. */
export function rangesOf(days: Days, base: LocalDate, outlook: DateOutlook): DateRange[] {
  const { today, isAhead } = outlook
  if ('week' in days || 'weekNumber' in days) {
    const monday = mondayOfPhrase(days, outlook)
    return monday === undefined ? [] : [{ from: monday, to: addDays(monday, 6) }]
  }
  const { from, to } = days
  if (from === to && from) return datesOf(from, outlook).map((date) => ({ from: date, to: date }))
  if (!to) return from ? datesOf(from, outlook).map((date) => ({ from: date, to: today })) : []
  if (!from) {
    const ends = endsOf(to, base, outlook)
    // On a Friday, "bis Freitag" can be the next one.
    const isWeekday = to.is === 'weekday' && to.week === undefined && ends[0] === base
    return [...(isWeekday ? [addDays(base, 7)] : []), ...ends].map((end) => ({ from: base, to: end }))
  }
  const first = startOf(from, to)
  const starts = datesOf(first, outlook)
  const ranges = starts.flatMap((start) => endsOf(to, start, outlook).map((end) => ({ from: start, to: end })))
  if (isAhead && first.is === 'weekday' && first.week === undefined) return withThisWeek(ranges, today)
  return first.is === 'date' && first.year === undefined ? withPresent(ranges, first, to, outlook) : ranges
}

/** `1.1.-31.12.` can also be the year in which people are. */
function withPresent(ranges: DateRange[], from: PhraseDay, to: PhraseDay, outlook: DateOutlook): DateRange[] {
  const { today, isAhead } = outlook
  const year = Number(today.slice(0, 4))
  const present = [year, year - 1].flatMap((each) =>
    datesOf({ ...from, year: each } as PhraseDay, outlook).flatMap((start) =>
      endsOf(to, start, outlook).map((end) => ({ from: start, to: end })),
    ),
  )
  const found = present.filter((range) => range.from <= today && range.to >= today)
  const others = found.filter((range) => ranges.every((known) => known.from !== range.from))
  return isAhead ? [...ranges, ...others] : [...others, ...ranges]
}

function mondayOfPhrase(week: PhraseWeek, outlook: DateOutlook): LocalDate | undefined {
  const { today } = outlook
  if ('week' in week) return addDays(today, 7 * week.week - weekdayIndex(today))
  const thisYear = Number(today.slice(0, 4))
  const years = week.year === undefined ? [thisYear, thisYear - 1, thisYear + 1] : [week.year]
  const weeks = years.map((year) => `${year}-W${String(week.weekNumber).padStart(2, '0')}`)
  return nearest(weeks.filter(isWeek).map(mondayOf), outlook)[0]
}

/** On a Wednesday, `mon-fri` can mean this week too. */
function withThisWeek(ranges: DateRange[], today: LocalDate): DateRange[] {
  const earlier = ranges.map(({ from, to }) => ({ from: addDays(from, -7), to: addDays(to, -7) }))
  return [...ranges, ...earlier.filter(({ from, to }) => from < today && to >= today)]
}

/** The start of a range takes what it lacks from the end: the month, the year, the week. */
function startOf(from: PhraseDay, to: PhraseDay): PhraseDay {
  if (from.is === 'weekday' && to.is === 'weekday') {
    return from.week === undefined && to.week !== undefined ? { ...from, week: to.week } : from
  }
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
export function endsOf(to: PhraseDay, start: LocalDate, { today }: DateOutlook): LocalDate[] {
  if (to.is === 'weekday' && to.week === undefined) {
    return [addDays(start, (to.weekday - weekdayIndex(start) + 7) % 7)]
  }
  if (to.is !== 'date' || to.year !== undefined || to.weekday !== undefined) {
    return datesOf(to, { today, isAhead: true }).filter((date) => date >= start)
  }
  const year = Number(start.slice(0, 4))
  const month = to.month ?? Number(start.slice(5, 7))
  const dates = [year, year + 1].map((each) => textOf(each, month, to.day)).filter(isDate)
  // Nobody means 24.12.-20.12. as a year.
  const isEnd = (date: LocalDate) => date.startsWith(String(year)) || daysBetween(start, date) < MOST_DAYS_OVER
  return dates.filter((date) => date >= start && isEnd(date)).slice(0, 1)
}

/** Returns the dates that a day can mean, the likeliest first. */
function datesOf(day: PhraseDay, outlook: DateOutlook): LocalDate[] {
  const { today, isAhead } = outlook
  switch (day.is) {
    case 'days':
      return [addDays(today, day.from)]
    case 'weekday':
      return datesOfWeekday(day, outlook)
    // The last or next one, or the one of this week, and so many weeks before or after.
    case 'weekdayAgo': {
      const daysAhead = day.weekday - weekdayIndex(today)
      const inThisWeek = addDays(today, daysAhead - 7 * day.weeks)
      if (day.weeks > 0) return daysAhead > 0 ? [addDays(inThisWeek, -7), inThisWeek] : [inThisWeek]
      return daysAhead < 0 ? [inThisWeek, addDays(inThisWeek, 7)] : [inThisWeek]
    }
    case 'easter':
      return nearest(
        yearsOf(day, outlook).map((year) => addDays(easterOf(year), day.days)),
        outlook,
      ).slice(0, 1)
    case 'date': {
      const { month } = day
      const isOnWeekday = (date: LocalDate) => (day.weekday ?? weekdayIndex(date)) === weekdayIndex(date)
      if (month === undefined) return datesOfNumber(day.day, outlook).filter(isOnWeekday)
      const dates = yearsOf(day, outlook).map((year) => textOf(year, month, day.day))
      const first = nearest(dates.filter(isDate), { today, isAhead }).slice(0, 1)
      return first.filter(isOnWeekday)
    }
  }
}

/**
 * Returns what the number of a day alone can mean: a day of this month or, if that is nearer, of the last one. Looking
 * ahead, a day that is past can be that of the next month too. None if this month has no such day.
 */
function datesOfNumber(number: number, { today, isAhead }: DateOutlook): LocalDate[] {
  const inMonthOf = (date: LocalDate) =>
    [textOf(Number(date.slice(0, 4)), Number(date.slice(5, 7)), number)].filter(isDate)
  const first = textOf(Number(today.slice(0, 4)), Number(today.slice(5, 7)), 1)
  const inThis = inMonthOf(first)
  if (inThis.length === 0) return []
  if (!isAhead) return nearest([...inThis, ...inMonthOf(addDays(first, -1))], { today, isAhead }).slice(0, 1)
  // 31 days later is always in the next month.
  return inThis.some((date) => date >= today) ? inThis : [...inMonthOf(addDays(first, 31)), ...inThis]
}

/** The years that may be meant: enough for one with a 29 February. */
function yearsOf({ year }: { year?: number }, { today }: DateOutlook): number[] {
  const thisYear = Number(today.slice(0, 4))
  return year === undefined ? [0, -1, 1, -2, 2, -3, 3, -4, 4].map((years) => thisYear + years) : [year]
}

function datesOfWeekday(day: PhraseDay & { is: 'weekday' }, outlook: DateOutlook): LocalDate[] {
  const { today, isAhead } = outlook
  const { weekday, week } = day
  if (week && !('day' in week)) {
    const monday = mondayOfPhrase(week, outlook)
    return monday === undefined ? [] : [addDays(monday, weekday)]
  }
  const ahead = (weekday - weekdayIndex(today) + 7) % 7
  const inThisWeek = addDays(today, weekday - weekdayIndex(today))
  switch (week?.day) {
    case 0:
      return [inThisWeek]
    // People do not agree whether "next Friday" can be in this week.
    case 1:
      return inThisWeek > today ? [addDays(inThisWeek, 7), inThisWeek] : [addDays(inThisWeek, 7)]
    case -1:
      return inThisWeek < today ? [inThisWeek, addDays(inThisWeek, -7)] : [addDays(inThisWeek, -7)]
    case 2:
      return inThisWeek > today ? [addDays(inThisWeek, 14), addDays(inThisWeek, 7)] : [addDays(inThisWeek, 14)]
    case -2:
      return inThisWeek < today ? [addDays(inThisWeek, -7), addDays(inThisWeek, -14)] : [addDays(inThisWeek, -14)]
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

/** Returns Easter Sunday by the Gregorian calendar (Meeus, "Astronomical Algorithms", chapter 8). */
function easterOf(year: number): LocalDate {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const g = Math.floor((8 * b + 13) / 25)
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 19 * l) / 433)
  const days = h + l - 7 * m
  const month = Math.floor((days + 90) / 25)
  return textOf(year, month, (days + 33 * month + 19) % 32)
}

function textOf(year: number, month: number, day: number): LocalDate {
  const two = (part: number) => String(part).padStart(2, '0')
  return dateInYear(year, `${two(month)}-${two(day)}`)
}

/**
 * Reads a text that is a date or a range of dates and nothing else: `2026-11-20`, `gestern`, `24.12.-31.12.`,
 * `2026-12-24..2026-12-31`, `last week`. Returns the ranges that it can mean, the likeliest first; none if it is not a
 * date.
 */
export function readDates(text: string, outlook: DateOutlook): DateRange[] {
  const written = text.replace('..', '-')
  // On its own, `1.12` is a date; within a line it could be a time.
  for (const source of [written, `${written}.`]) {
    const days = wholeText(source, daysAt)
    if (days) return rangesIn(days, outlook)
  }
  if (!/\d\/\d/.test(text)) return []
  const ways = dateOrders.map((order) => wholeText(written, (line, at) => daysAt(line, at, order)))
  return ways.flatMap((days) => (days ? rangesIn(days, outlook) : []))
}

function rangesIn(days: Days, outlook: DateOutlook): DateRange[] {
  return rangesOf(days, outlook.today, outlook).filter(({ from, to }) => from <= to)
}

/** The dates around which a field is read. */
export interface DateField {
  today: LocalDate
  /** The date of the field, near which a date without a year or month lies; without a year, also one near today. */
  near: LocalDate
  order: DateOrder
}

/**
 * Reads a text that is one date and nothing else, as somebody types it: `20.11.`, `20/11/26`, `1. Oktober`, `Nov 20`,
 * `yesterday`, `Fr`, a day of the month alone. A weekday alone can be the last or the next one.
 */
export function readDate(text: string, { today, near, order }: DateField): Reading<LocalDate> {
  const trimmed = text.trim()
  const day =
    wholeText(trimmed, (line, at) => dayAt(line, line.skip(at, ON), order)) ??
    wholeText(trimmed, (line, at) => dayNumberAt(line, line.skip(at, ON)))
  if (!day) return readingOfValues<LocalDate>([])
  const isRelative = day.is !== 'date' && day.is !== 'easter'
  const isInMonth = day.is === 'date' && day.month === undefined
  const outlooks = isRelative
    ? [false, true].map((isAhead) => ({ today, isAhead }))
    : [near, ...(isInMonth ? [] : [today])].map((date) => ({ today: date, isAhead: false }))
  return readingOfValues(outlooks.flatMap((outlook) => datesOf(day, outlook)))
}

/** Reads a text that is a date with its year and nothing else, as tools write it. */
export function readFullDate(text: string, order: DateOrder): LocalDate | undefined {
  const trimmed = text.trim()
  // Most tools write it so, in thousands of rows.
  if (isDate(trimmed)) return trimmed
  const day = datedDay(trimmed, order)
  return day?.year === undefined ? undefined : datesOf(day, { today: textOf(2_000, 1, 1), isAhead: false })[0]
}

/** True if a text is a date without its year and nothing else: `02.11.`, `Mo 2. Nov`. */
export function lacksYear(text: string, order: DateOrder): boolean {
  const day = datedDay(text, order)
  return day !== undefined && day.year === undefined
}

function datedDay(text: string, order: DateOrder) {
  const day = wholeText(text, (line, at) => dayAt(line, at, order))
  return day?.is === 'date' && day.month !== undefined ? day : undefined
}
