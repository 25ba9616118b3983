import {
  addDays,
  type DateRange,
  datesIn,
  daysBetween,
  itemAt,
  type LocalDate,
  plannedOn,
  type Settings,
  type Timeline,
} from '@saldo/core'
import { rangesOf } from '../../reading/dates.ts'
import { AND, fold } from '../../reading/words.ts'
import type { Days, PhraseDay, PhraseWeek } from '../../reading/written-days.ts'
import { combinations, type PhrasePart } from './phrase-parts.ts'
import { type QuickContext, TIMED_PARTS } from './plan.ts'

/** A range as it is written: `weekdays` and `dates` name its first and its last day. */
export interface WrittenRange extends DateRange {
  by: 'weekdays' | 'dates' | 'other'
}

/** Returns what the days of a line can mean: lists of ranges, the likeliest first; the given one without any. */
export function rangesIn(line: readonly PhrasePart[], context: QuickContext, isAhead: boolean): WrittenRange[][] {
  const { defaultDate, today } = context
  const parts = withSameModifier(line)
  const said = daysIn(parts)
  if (said.length === 0) return [[{ from: defaultDate, to: defaultDate, by: 'other' }]]
  const places = said.map((days) => {
    const ranges = rangesOf(days, defaultDate, { today, isAhead }).filter(({ from, to }) => from <= to)
    const found = isAhead || wayOf(days) !== 'weekdays' || weekOf(days) ? ranges : withLastWeek(ranges, today)
    return found.map((range) => ({ ...range, by: wayOf(days) }))
  })
  const lists = combinations(places)
  const isOneMonth = (list: readonly DateRange[]) => new Set(list.map(({ from }) => from.slice(0, 7))).size === 1
  if (parts === line) return said.every(isDayNumber) ? lists.filter(isOneMonth) : lists
  const isInOneWeek = (list: readonly DateRange[]) =>
    list.every(({ from }, index) => from > (list[index - 1]?.from ?? '') && daysBetween(itemAt(list, 0).from, from) < 7)
  const rising = lists.filter(isInOneWeek)
  return rising.length > 0 ? rising : lists
}

/** Returns parts in which "nächsten Do und Fr" is the next Thursday and the next Friday; the same ones elsewhere. */
function withSameModifier(parts: readonly PhrasePart[]): readonly PhrasePart[] {
  let said: Extract<PhraseDay, { is: 'weekday' }> | undefined
  const placed = parts.map((part): PhrasePart => {
    if (part.is === 'word' && AND.has(fold(part.text))) return part
    const day = part.is === 'dates' && !isWholeWeek(part.days) ? part.days.to : undefined
    const weekday = day?.is === 'weekday' && part.is === 'dates' && isOneDay(part.days) ? day : undefined
    if (part.is === 'dates' && said && weekday && weekday.week === undefined && weekday.weekday > said.weekday) {
      said = { ...said, weekday: weekday.weekday }
      return { ...part, days: { from: said, to: said } }
    }
    said = weekday?.week && 'day' in weekday.week ? weekday : undefined
    return part
  })
  return placed.every((part, index) => part === parts[index]) ? parts : placed
}

const isOneDay = (days: Days) => !isWholeWeek(days) && days.from !== undefined && days.from === days.to

const isDayNumber = (days: Days) => 'to' in days && days.to?.is === 'date' && days.to.month === undefined

/** On a Monday, work from "mon-fri" can be that of the last week: most of it would lie ahead. */
function withLastWeek(ranges: readonly DateRange[], today: LocalDate): DateRange[] {
  const open = ranges.filter(({ from, to }) => daysBetween(today, to) > daysBetween(from, today))
  return [...open.map(({ from, to }) => ({ from: addDays(from, -7), to: addDays(to, -7) })), ...ranges]
}

/**
 * Returns the dates of ranges that a line leaves out. `undefined` if a day that it leaves out is none of them, or if
 * nothing is left.
 */
export function exceptedIn(
  parts: readonly PhrasePart[],
  ranges: readonly DateRange[],
  today: LocalDate,
): ReadonlySet<LocalDate> | undefined {
  const named = parts.flatMap((part) => (part.is === 'except' ? part.days : []))
  const dates = new Set(ranges.flatMap((range) => [...datesIn(range)]))
  const found = named.map((days) => [...dates].filter((date) => isNamedBy(days, date, today)))
  const excepted = new Set(found.flat())
  return found.every(({ length }) => length > 0) && excepted.size < dates.size ? excepted : undefined
}

/** A weekday alone means each one of a range, and a date without a year that of the range. */
function isNamedBy(days: Days, date: LocalDate, today: LocalDate): boolean {
  const base = isFromToday(days) ? today : date
  return [true, false].some((isAhead) =>
    rangesOf(days, base, { today: base, isAhead }).some(({ from, to }) => from <= date && date <= to),
  )
}

function isFromToday(days: Days): boolean {
  if (isWholeWeek(days)) return 'week' in days
  return [days.from, days.to].some(
    (day) => day?.is === 'days' || (day?.is === 'weekday' && day.week !== undefined && !('weekNumber' in day.week)),
  )
}

/** True if a line leaves out days, or says "each day", and does not name several. */
export function lacksDays(parts: readonly PhrasePart[], ranges: readonly DateRange[]): boolean {
  const isOfSeveral = parts.some(({ is }) => is === 'except' || is === 'each')
  const [only] = ranges
  return isOfSeveral && ranges.length === 1 && only?.from === only?.to
}

function daysIn(parts: readonly PhrasePart[]): Days[] {
  return parts.flatMap((part) => (part.is === 'dates' ? [part.days] : []))
}

function wayOf(days: Days): WrittenRange['by'] {
  if (isWholeWeek(days) || !days.from || !days.to) return 'other'
  if (days.from.is === 'days' && days.from.isCounted) return 'other'
  return days.from.is === 'weekday' && days.to.is === 'weekday' ? 'weekdays' : 'dates'
}

const isWholeWeek = (days: Days): days is PhraseWeek => 'week' in days || 'weekNumber' in days

function weekOf(days: Days): PhraseWeek | undefined {
  if (isWholeWeek(days)) return days
  const week = [days.from, days.to].map((day) => (day?.is === 'weekday' ? day.week : undefined)).find(Boolean)
  return week && !('day' in week) ? week : undefined
}

/**
 * Returns the parts of a line, in which a week and a weekday narrow each other: `Mo und Di letzte Woche` are two days.
 * With "and" between them, a week and a weekday may as well be both.
 */
export function inWrittenWeeks(parts: readonly PhrasePart[]): (readonly PhrasePart[])[] {
  const said = daysIn(parts)
  const isOpen = (days: Days) => !isWholeWeek(days) && weekOf(days) === undefined && hasWeekday(days)
  if (!said.some(isOpen) || said.every((days) => weekOf(days) === undefined)) return [parts]
  const narrowed = parts.flatMap((part, index): PhrasePart[] => {
    if (part.is !== 'dates') return [part]
    const { days } = part
    if (isWholeWeek(days)) return []
    if (!isOpen(days)) return [part]
    return weeksBeside(parts, index).map((week) => ({ ...part, days: inWeek(days, week) }))
  })
  return isJoined(parts) ? [narrowed, parts] : [narrowed]
}

/**
 * Returns the parts of a line whose weekdays follow each other, which are of one week: on a Monday, `Mo 9-17, Di 8-16`
 * is not today and the Tuesday before.
 */
export function inOneWeek(parts: readonly PhrasePart[], today: LocalDate, isAhead: boolean): (readonly PhrasePart[])[] {
  const said = daysIn(parts)
  const weekdays = said.flatMap((days) => {
    if (isWholeWeek(days)) return [undefined]
    return days.from === days.to ? [days.from] : [days.from, days.to]
  })
  const numbers = weekdays.map((day) => (day?.is === 'weekday' && day.week === undefined ? day.weekday : undefined))
  const isRising = numbers.every((number, index) => number !== undefined && (numbers[index - 1] ?? -1) < number)
  if (said.length < 2 || !isRising) return [parts]
  const starts = said.map((days) => rangesOf(days, today, { today, isAhead })[0]?.from ?? today)
  if (starts.every((date, index) => (starts[index - 1] ?? date) <= date)) return [parts]
  const weeks = isAhead ? [1] : [-1, 0]
  const placed = weeks.map((week) =>
    parts.map((part) =>
      part.is === 'dates' && !isWholeWeek(part.days) ? { ...part, days: inWeek(part.days, { week }) } : part,
    ),
  )
  return isAhead ? [...placed, parts] : placed
}

/** Returns the week that was written before a part, or else after it, with those that are listed with it. */
function weeksBeside(parts: readonly PhrasePart[], index: number): PhraseWeek[] {
  const weeks = parts.map((part) => (part.is === 'dates' ? weekOf(part.days) : undefined))
  const before = weeks.slice(0, index).findLastIndex(Boolean)
  const last = before === -1 ? weeks.findIndex(Boolean) : before
  const isWhole = (part: PhrasePart | undefined) => part?.is === 'dates' && isWholeWeek(part.days)
  const isJoint = (at: number) => isWhole(parts[at]) && isWhole(parts[at + 1])
  const first = weeks.findLastIndex((_, at) => at <= last && !isJoint(at - 1))
  const end = weeks.findIndex((_, at) => at >= last && !isJoint(at))
  return weeks.slice(first, end + 1).filter((week) => week !== undefined)
}

const hasWeekday = (days: { from?: PhraseDay; to?: PhraseDay }) =>
  [days.from, days.to].some((day) => day?.is === 'weekday' && day.week === undefined)

function inWeek({ from, to }: { from?: PhraseDay; to?: PhraseDay }, week: PhraseWeek): Days {
  const placed = (day: PhraseDay | undefined) => (day?.is === 'weekday' && !day.week ? { ...day, week } : day)
  const first = placed(from)
  const last = from === to ? first : placed(to)
  return { ...(first && { from: first }), ...(last && { to: last }) }
}

/** Joins the `ab Montag` and `bis Mittwoch` of "ab Montag 9-17 bis Mittwoch" to one range. */
export function withWholeDays(parts: readonly PhrasePart[]): readonly PhrasePart[] {
  const openOf = (side: 'from' | 'to', other: 'from' | 'to') =>
    parts.flatMap((part) => (part.is === 'dates' && side in part.days && !(other in part.days) ? [part] : []))
  const [[since, ...moreSince], [until, ...moreUntil]] = [openOf('from', 'to'), openOf('to', 'from')]
  const isPair = since && until && moreSince.length + moreUntil.length === 0
  if (!isPair || parts.indexOf(since) > parts.indexOf(until)) return parts
  const whole: PhrasePart = { ...since, days: { ...since.days, ...until.days } }
  return parts.flatMap((part) => (part === since ? [whole] : part === until ? [] : [part]))
}

/** Joins the weekday and the date of "Fri 9-5 Nov 13", which are of one day. */
export function withWeekdayOfDate(parts: readonly PhrasePart[]): readonly PhrasePart[] {
  const days = parts.filter((part) => part.is === 'dates')
  const [first, last] = days
  if (!first || !last || days.length !== 2 || !isOneDay(first.days) || !isOneDay(last.days)) return parts
  const named = [first, last].map((part) => ('to' in part.days ? part.days.to : undefined))
  const weekday = named.find((day) => day?.is === 'weekday' && day.week === undefined)
  const date = named.find((day) => day?.is === 'date' && day.month !== undefined && day.weekday === undefined)
  if (weekday?.is !== 'weekday' || date?.is !== 'date') return parts
  const [from, to] = [parts.indexOf(first), parts.indexOf(last)]
  const isListed = parts.slice(from + 1, to).every((part) => part.is === 'word' && AND.has(fold(part.text)))
  const hasTimes = (some: readonly PhrasePart[]) => some.some(({ is }) => TIMED_PARTS.has(is))
  // In "Mo 9-12, 19.11. 13-17" each day has its times.
  const isEach = hasTimes(parts.slice(0, to)) && hasTimes(parts.slice(to))
  if (isListed || isEach) return parts
  const day: PhraseDay = { ...date, weekday: weekday.weekday }
  const whole: PhrasePart = { is: 'dates', days: { from: day, to: day } }
  return parts.flatMap((part) => (part === first ? [whole] : part === last ? [] : [part]))
}

/** True if "and" stands between a whole week and other days. */
function isJoined(parts: readonly PhrasePart[]): boolean {
  return parts.some((part, index) => {
    const [before, after] = [parts[index - 1], parts[index + 1]]
    if (part.is !== 'word' || !AND.has(fold(part.text)) || before?.is !== 'dates' || after?.is !== 'dates') return false
    return isWholeWeek(before.days) !== isWholeWeek(after.days)
  })
}

/** True if a line has a date beside its weekday. */
export function hasWeekdayOfDate(parts: readonly PhrasePart[]): boolean {
  const days = parts.flatMap((part) =>
    part.is === 'dates' && !isWholeWeek(part.days) ? [part.days.from, part.days.to] : [],
  )
  return days.some((day) => day?.is === 'date' && day.weekday !== undefined)
}

/** The dates of a line on which somebody works, and how many days without a target are left out. */
export interface Workdays {
  dates: LocalDate[]
  freeCount: number
}

/**
 * Returns the dates that ranges can mean for work, the likeliest first. Of a range of several days, those with a target
 * count if there are any. Whoever names a day off works on it: a range of weekdays that begins or ends with one has all
 * its days, and a range of dates may have.
 */
export function workdaysIn(
  ranges: readonly WrittenRange[],
  excepted: ReadonlySet<LocalDate>,
  timeline: Timeline<Settings>,
): Workdays[] {
  const isPlanned = (date: LocalDate) => plannedOn(timeline, date) > 0
  const lists = ranges.reduce<LocalDate[][]>(
    (found, range) => {
      const all = [...datesIn(range)]
      const planned = all.filter(isPlanned)
      const isFreeNamed = range.by !== 'other' && !(isPlanned(range.from) && isPlanned(range.to))
      const meant =
        planned.length === 0 || (isFreeNamed && range.by === 'weekdays')
          ? [all]
          : isFreeNamed
            ? [all, planned]
            : [planned]
      return found.flatMap((list) => meant.map((dates) => [...list, ...dates]))
    },
    [[]],
  )
  const count = new Set(ranges.flatMap((range) => [...datesIn(range)])).size - excepted.size
  return lists.map((list) => {
    const dates = [...new Set(list)].filter((date) => !excepted.has(date)).sort()
    return { dates, freeCount: count - dates.length }
  })
}
