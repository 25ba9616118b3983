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
import { type Line, type Match, wholeText } from './line.ts'
import { numberAt } from './numbers.ts'
import { type Reading, readingOfValues } from './reading.ts'
import { rangeAt } from './times.ts'
import {
  AGO,
  DAYS,
  EASTER_DAYS,
  FIXED_DAYS,
  IN,
  IN_WEEK,
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
  WEEKENDS,
} from './words.ts'

/** A week as it is written: from the present one, or by its number. */
export type PhraseWeek = { week: -1 | 0 | 1 } | { weekNumber: number; year?: number }

/** A day as it is written, before it is known which way people look: leave is ahead, work behind. */
export type PhraseDay =
  | { is: 'days'; from: number }
  | { is: 'weekday'; weekday: number; week?: PhraseWeek | { day: -1 | 0 | 1 } }
  /** `weekday` is one that is written beside it. */
  | { is: 'date'; year?: number; month?: number; day: number; weekday?: number }
  | { is: 'easter'; days: number; year?: number }

/** Days as they are written: a day (`from` equals `to`), a range, or one that is open on one side. */
export type Days = { from?: PhraseDay; to?: PhraseDay } | PhraseWeek

/** The order of day and month in dates whose year does not come first. */
export type DateOrder = 'dmy' | 'mdy'

/** True if people look ahead: at leave. */
export interface DateOutlook {
  today: LocalDate
  isAhead: boolean
}

const DAYS_BACK = 90
const MOST_DAYS_OVER = 250

/** Reads a day, a range of days, a week, `bis Mittwoch`, `seit Montag`, `last week Monday`. */
export function daysAt(line: Line, at: number, order?: DateOrder): Match<Days> | undefined {
  return (
    weekendAt(line, at) ??
    rangeOfDaysAt(line, at, order) ??
    openDaysAt(line, at, order) ??
    singleAt(line, at, order) ??
    weekAt(line, at)
  )
}

/** Reads `last weekend`, `am Wochenende`. */
function weekendAt(line: Line, at: number): Match<Days> | undefined {
  const modifier = line.phrase(line.skip(at, ON), MODIFIERS)
  const weekend = line.phrase(modifier?.next ?? at, WEEKENDS)
  if (!weekend) return undefined
  const week = modifier && { week: { week: modifier.value } }
  const [from, to] = [5, 6].map((weekday): PhraseDay => ({ is: 'weekday', weekday, ...week }))
  return from && to && { value: { from, to }, next: weekend.next }
}

function weekAt(line: Line, at: number): Match<PhraseWeek> | undefined {
  const modifier = line.phrase(line.skip(at, ON), MODIFIERS)
  const week = modifier && line.phrase(modifier.next, WEEK_WORDS)
  if (week) return { value: { week: modifier.value }, next: week.next }
  const iso = line.match(at, /(\d{4})-?w(\d\d?)(?!\d)/y)
  if (iso) return numberedWeek(Number(iso.value[2]), iso.value[1], iso.next)
  const numbered = line.phrase(line.skip(at, IN_WEEK), WEEK_NUMBERS)
  if (!numbered) return undefined
  const number = line.digits(numbered.next, 1, 2)
  const slash = line.text(numbered.next + 1) === '/' ? numbered.next + 2 : numbered.next + 1
  const year = line.digits(slash, 4, 4)
  const isYear = year?.startsWith('20') && line.text(slash + 1) !== '-'
  return numberedWeek(Number(number), isYear ? year : undefined, isYear ? slash + 1 : numbered.next + 1)
}

function numberedWeek(weekNumber: number, year: string | undefined, next: number): Match<PhraseWeek> | undefined {
  const value = { weekNumber, ...(year !== undefined && { year: Number(year) }) }
  return weekNumber >= 1 && weekNumber <= 53 ? { value, next } : undefined
}

/** Reads `mo-fr`, `24.12.-31.12.`, `24.-31.12.`, `Dec 24-31`, `24 to 31 December`, `vom 21.12. bis 4.1.`. */
function rangeOfDaysAt(line: Line, at: number, order: DateOrder | undefined): Match<Days> | undefined {
  const opened = line.skip(at, SINCE)
  const from = dayAt(line, opened, order) ?? dayNumberAt(line, opened)
  if (!from) return undefined
  const joined = line.text(from.next) === '-' ? from.next + 1 : line.skip(from.next, UNTIL)
  if (joined === from.next) return undefined
  const isInMonth = from.value.is === 'date' && from.value.month !== undefined
  const to = dayAt(line, joined, order) ?? (isInMonth ? dayNumberAt(line, joined) : undefined)
  if (!to) return undefined
  // In "9-17 Nov 18" the month belongs to the day after it.
  const isTimes = !isInMonth && line.digits(to.next, 1, 2) !== undefined && !rangeAt(line, to.next)
  return isTimes ? undefined : { value: { from: from.value, to: to.value }, next: to.next }
}

function openDaysAt(line: Line, at: number, order: DateOrder | undefined): Match<Days> | undefined {
  const until = dayAt(line, line.skip(at, UNTIL), order)
  if (until && line.phrase(at, UNTIL)) return { value: { to: until.value }, next: until.next }
  const since = dayAt(line, line.skip(at, SINCE), order)
  return since && line.phrase(at, SINCE) ? { value: { from: since.value }, next: since.next } : undefined
}

function singleAt(line: Line, at: number, order: DateOrder | undefined): Match<Days> | undefined {
  const named = line.phrase(at, ON)
  const day = dayAt(line, named?.next ?? at, order) ?? (named && markedNumberAt(line, named.next))
  return day && { value: { from: day.value, to: day.value }, next: day.next }
}

/** Reads a day, also beside its weekday or its week. */
export function dayAt(line: Line, at: number, order?: DateOrder): Match<PhraseDay> | undefined {
  const day = line.phrase(at, DAYS)
  if (day) return { value: { is: 'days', from: day.value }, next: day.next }
  return (
    distanceAt(line, at) ??
    weekdayAt(line, at, order) ??
    weekdayOfWeekAt(line, at) ??
    namedDayAt(line, at) ??
    dateAt(line, at, order)
  )
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

/** Reads `Mo.`, `last Friday`, `Monday last week`, `Mo KW46`, `Fr 20.11.`. */
function weekdayAt(line: Line, at: number, order: DateOrder | undefined): Match<PhraseDay> | undefined {
  const modifier = line.phrase(at, MODIFIERS)
  const named = line.phrase(modifier?.next ?? at, WEEKDAYS)
  if (!named) return undefined
  const isShort = line.text(named.next) === '.' && line.isGlued(named.next)
  const next = named.next + (isShort ? 1 : 0)
  const weekday = named.value
  if (modifier) return { value: { is: 'weekday', weekday, week: { day: modifier.value } }, next }
  const week = weekAt(line, next) ?? weekAt(line, line.skip(next, IN_WEEK))
  if (week) return { value: { is: 'weekday', weekday, week: week.value }, next: week.next }
  const comma = line.text(next) === ',' ? next + 1 : next
  const date = dateAt(line, comma, order) ?? dateAt(line, line.skip(comma, ON), order)
  if (date?.value.is === 'date') return { value: { ...date.value, weekday }, next: date.next }
  return { value: { is: 'weekday', weekday }, next }
}

/** Reads `last week Monday`, `KW46 Mo`, `next week on Monday`. */
function weekdayOfWeekAt(line: Line, at: number): Match<PhraseDay> | undefined {
  const week = weekAt(line, at)
  const comma = week && line.text(week.next) === ',' ? week.next + 1 : (week?.next ?? at)
  const day = week && (line.phrase(comma, WEEKDAYS) ?? line.phrase(line.skip(comma, IN_WEEK), WEEKDAYS))
  if (!day) return undefined
  const isShort = line.text(day.next) === '.' && line.isGlued(day.next)
  return { value: { is: 'weekday', weekday: day.value, week: week.value }, next: day.next + (isShort ? 1 : 0) }
}

/** Reads `Heiligabend`, `Boxing Day`, `Karfreitag 2027`. */
function namedDayAt(line: Line, at: number): Match<PhraseDay> | undefined {
  const fixed = line.phrase(at, FIXED_DAYS)
  const easter = line.phrase(at, EASTER_DAYS)
  const next = fixed?.next ?? easter?.next ?? at
  const written = line.digits(next, 4, 4)
  const year = written?.startsWith('20') && line.text(next + 1) !== '-' ? { year: Number(written) } : {}
  const end = 'year' in year ? next + 1 : next
  if (fixed) {
    const [month, day] = fixed.value.split('-').map(Number)
    return { value: { is: 'date', month: month ?? 1, day: day ?? 1, ...year }, next: end }
  }
  return easter && { value: { is: 'easter', days: easter.value, ...year }, next: end }
}

/**
 * Reads `20.11.`, `20.11.2026`, `20.11.26`, `2026-11-20`, `20 Nov`, `20. November 2026`, `3-Mar-2026`, `November 20th`
 * and `20/11/2026`; with an order of day and month also `20.11`, `20/11`, `11-20`.
 */
function dateAt(line: Line, at: number, order: DateOrder | undefined): Match<PhraseDay> | undefined {
  const iso = line.match(at, /(\d{4})([-/.])(\d\d?)\2(\d\d?)(?!\d)/y)
  if (iso) return dateOf(iso.value[4], iso.value[3], iso.value[1], iso.next)
  const named = line.phrase(at, MONTHS)
  if (named) {
    const from = line.text(named.next) === '.' ? named.next + 1 : named.next
    const day = line.digits(from, 1, 2)
    return day && !line.phrase(from + 1, MONTHS)
      ? withYear(line, day, named.value, line.skip(from + 1, ORDINALS), order)
      : undefined
  }
  const day = line.digits(at, 1, 2)
  if (day === undefined) return undefined
  const point = ['.', '-'].includes(line.text(at + 1)) ? at + 2 : line.skip(at + 1, ORDINALS)
  const month = line.phrase(point, MONTHS)
  if (month) {
    const end = line.text(month.next) === '.' ? month.next + 1 : month.next
    const isHyphen = line.text(at + 1) === '-' && line.text(end) === '-'
    return withYear(line, day, month.value, isHyphen ? end + 1 : end, order)
  }
  return dottedAt(line, at, order) ?? orderedAt(line, at, order)
}

function dottedAt(line: Line, at: number, order: DateOrder | undefined): Match<PhraseDay> | undefined {
  const spaced = line.match(at, /(\d\d?)\. (\d\d?)\. ?(\d{4})(?!\d)/y)
  if (spaced) return dateOf(spaced.value[1], spaced.value[2], spaced.value[3], spaced.next)
  const dotted = line.match(at, /(\d\d?)\.(\d\d?)(?!\d)(\.(?:(\d{4}|\d\d)(?!\d))?)?/y)
  if (!dotted) return undefined
  const [, day, month, end, year] = dotted.value
  // Without its last point it could be a time, unless there is no such time.
  return end || order || Number(day) >= 24 ? dateOf(day, month, year, dotted.next) : undefined
}

/** Slashes and hyphens, behind which the order of day and month is not the same everywhere. */
function orderedAt(line: Line, at: number, order: DateOrder | undefined): Match<PhraseDay> | undefined {
  const sameSigns = line.match(at, /(\d\d?)([-/])(\d\d?)\2((?:19|20)\d\d)(?!\d)/y)
  if (sameSigns) return datedInOrder(sameSigns.value[1], sameSigns.value[3], sameSigns.value[4], sameSigns.next, order)
  const found = order && line.match(at, /(\d\d?)[-/ ](\d\d?)(?:[-/ ](\d{4}|\d\d))?(?!\d)/y)
  return found && datedInOrder(found.value[1], found.value[2], found.value[3], found.next, order)
}

function datedInOrder(
  first: string | undefined,
  second: string | undefined,
  year: string | undefined,
  next: number,
  order: DateOrder | undefined,
): Match<PhraseDay> | undefined {
  return order === 'mdy' ? dateOf(second, first, year, next) : dateOf(first, second, year, next)
}

function withYear(
  line: Line,
  day: string,
  month: number,
  at: number,
  order: DateOrder | undefined,
): Match<PhraseDay> | undefined {
  const from = line.text(at) === ',' ? at + 1 : at
  const digits = line.digits(from, 4, 4)
  const isTime = line.text(from + 1) === '-' && line.digits(from + 2, 4, 4) !== undefined
  const long = isTime || !/^(?:19|2\d)/.test(digits ?? '') ? undefined : digits
  const year = long ?? (order && line.digits(from, 2, 2))
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
  const found = line.match(at, /([1-9]|[0-2]\d|3[01])(?!\d)\.?/y)
  return found && { value: { is: 'date', day: Number(found.value[1]) }, next: line.skip(found.next, ORDINALS) }
}

/** Reads the `16.` of "am 16." and the `16th` of "on the 16th", but no number without such a mark. */
function markedNumberAt(line: Line, at: number): Match<PhraseDay> | undefined {
  const number = dayNumberAt(line, at)
  return number && number.next > at + 1 ? number : undefined
}

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
  if (!from) return endsOf(to, base, outlook).map((end) => ({ from: base, to: end }))
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
    case 'easter':
      return nearest(
        yearsOf(day, outlook).map((year) => addDays(easterOf(year), day.days)),
        outlook,
      ).slice(0, 1)
    case 'date': {
      const month = day.month ?? Number(today.slice(5, 7))
      const dates = yearsOf(day, outlook).map((year) => textOf(year, month, day.day))
      const first = nearest(dates.filter(isDate), { today, isAhead }).slice(0, 1)
      return first.filter((date) => (day.weekday ?? weekdayIndex(date)) === weekdayIndex(date))
    }
  }
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
    if (days) return rangesOf(days, outlook.today, outlook).filter(({ from, to }) => from <= to)
  }
  return []
}

/** The dates around which a field is read. */
export interface DateField {
  today: LocalDate
  /** The date of the field, near which a date without a year or month lies. */
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
  const isRelative = day.is === 'days' || day.is === 'weekday'
  const outlooks = [false, true].map((isAhead) => ({ today: isRelative ? today : near, isAhead }))
  return readingOfValues((isRelative ? outlooks : outlooks.slice(0, 1)).flatMap((outlook) => datesOf(day, outlook)))
}

/** Reads a text that is a date with its year and nothing else, as tools write it. */
export function readFullDate(text: string, order: DateOrder): LocalDate | undefined {
  const day = wholeText(text.trim(), (line, at) => dayAt(line, at, order))
  const isFull = day?.is === 'date' && day.year !== undefined && day.month !== undefined
  return isFull ? datesOf(day, { today: textOf(2_000, 1, 1), isAhead: false })[0] : undefined
}
