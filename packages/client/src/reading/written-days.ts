import { isDate } from '@saldo/core'
import { durationAt } from './durations.ts'
import { type Line, type Match, skipHyphen } from './line.ts'
import { numberAt } from './numbers.ts'
import { rangeAt } from './times.ts'
import {
  AGO,
  AND,
  BETWEEN,
  DAYS,
  EASTER_DAYS,
  FIXED_DAYS,
  IN,
  IN_WEEK,
  MODIFIERS,
  MODIFIERS_BEHIND,
  MONTHS,
  NAMED_WEEKS,
  NIGHTS,
  ON,
  ORDINALS,
  SINCE,
  SPANS,
  UNTIL,
  WEEK_NUMBERS,
  WEEK_WORDS,
  WEEKDAYS,
  WEEKENDS,
  WORKING_DAYS,
} from './words.ts'

/** A week as it is written: from the present one, or by its number. */
export type PhraseWeek = { week: number } | { weekNumber: number; year?: number }

/** A day as it is written, before it is known which way people look: leave is ahead, work behind. */
export type PhraseDay =
  /** `isCounted` if its range is a number of days, such as the last three. */
  | { is: 'days'; from: number; isCounted?: true }
  | { is: 'weekday'; weekday: number; week?: PhraseWeek | { day: number } }
  /** A weekday some weeks ago, or ahead below 0: `Montag vor 2 Wochen`, `Montag in 2 Wochen`. */
  | { is: 'weekdayAgo'; weekday: number; weeks: number }
  /** `weekday` is one that is written beside it. */
  | { is: 'date'; year?: number; month?: number; day: number; weekday?: number }
  | { is: 'easter'; days: number; year?: number }

/** Days as they are written: a day (`from` equals `to`), a range, or one that is open on one side. */
export type Days = { from?: PhraseDay; to?: PhraseDay } | PhraseWeek

export const dateOrders = ['dmy', 'mdy'] as const
/** The order of day and month in dates whose year does not come first. */
export type DateOrder = (typeof dateOrders)[number]

/** Reads a day, a range of days, a week, `bis Mittwoch`, `seit Montag`, `last week Monday`. */
export function daysAt(line: Line, at: number, order?: DateOrder): Match<Days> | undefined {
  return (
    weekendAt(line, at) ??
    nightAt(line, at) ??
    rangeOfDaysAt(line, at, order) ??
    openDaysAt(line, at, order) ??
    singleAt(line, at, order) ??
    weekAt(line, at)
  )
}

/** Reads `So auf Mo`, `Nacht von Mo auf Di`, `Nacht zum Montag`, `Nacht auf heute`: the day on which a night begins. */
function nightAt(line: Line, at: number): Match<Days> | undefined {
  const night = line.phrase(at, NIGHTS)
  const opened = night ? line.skip(night.next, SINCE) : at
  const first = line.phrase(opened, WEEKDAYS)
  const onto = first?.next ?? opened
  if (!(line.text(onto) === 'auf' || (night && ['zu', 'zum'].includes(line.text(onto)))) || !(night ?? first))
    return undefined
  const to = line.skip(onto + 1, ON)
  const weekday = line.phrase(to, WEEKDAYS)
  const last = weekday ?? (first ? undefined : line.phrase(to, DAYS))
  if (!last || (first && (last.value - first.value + 7) % 7 !== 1)) return undefined
  const day: PhraseDay = weekday
    ? { is: 'weekday', weekday: (weekday.value + 6) % 7 }
    : { is: 'days', from: last.value - 1 }
  return { value: { from: day, to: day }, next: last.next }
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
  // "diese KW 47" has the number of a week, "diese KW 9-17" has times.
  const isShort = week !== undefined && ['kw', 'kalenderwoche'].includes(line.text(week.next - 1))
  const isNumbered = isShort && line.digits(week.next, 1, 2) !== undefined && !rangeAt(line, week.next)
  if (modifier && week && !isNumbered) return { value: { week: modifier.value }, next: week.next }
  const named = line.phrase(line.skip(at, ON), NAMED_WEEKS)
  if (named) return { value: { week: named.value }, next: named.next }
  const iso = line.match(at, /(\d{4})-?w(\d\d?)(?!\d)/y)
  if (iso) return numberedWeek(Number(iso.value[2]), iso.value[1], iso.next)
  const ofThisYear = line.match(at, /w(\d\d)(?!\d)/y)
  if (ofThisYear) return numberedWeek(Number(ofThisYear.value[1]), undefined, ofThisYear.next)
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

/** Reads several weeks: `KW 46 und 47`, `weeks 50-52`, `KW 50/51`, `this and next week`. */
export function weeksAt(line: Line, at: number): Match<PhraseWeek[]> | undefined {
  const relative = relativeWeeksAt(line, at)
  if (relative) return relative
  const first = weekAt(line, at)
  if (!first || !('weekNumber' in first.value)) return undefined
  const weeks = [first.value]
  let next = first.next
  for (let more = nextWeekAt(line, next); more; more = nextWeekAt(line, next)) {
    const last = weeks.at(-1)?.weekNumber ?? 0
    const { number, isUntil } = more.value
    if (number <= last) return undefined
    const from = isUntil ? last + 1 : number
    for (let week = from; week <= number; week += 1) weeks.push({ ...first.value, weekNumber: week })
    next = more.next
  }
  const year = line.digits(next, 4, 4)
  const isYear = year?.startsWith('20') && line.text(next + 1) !== '-'
  const value = isYear ? weeks.map(({ weekNumber }) => ({ weekNumber, year: Number(year) })) : weeks
  return weeks.length > 1 ? { value, next: isYear ? next + 1 : next } : undefined
}

function relativeWeeksAt(line: Line, at: number): Match<PhraseWeek[]> | undefined {
  const first = line.phrase(line.skip(at, ON), MODIFIERS)
  const joined = first ? line.skip(first.next, AND) : at
  const second = first && joined > first.next ? line.phrase(joined, MODIFIERS) : undefined
  const week = second && line.phrase(second.next, WEEK_WORDS)
  if (!first || !week) return undefined
  return { value: [{ week: first.value }, { week: second.value }], next: week.next }
}

/**
 * Reads the ` und 47` behind a week. A number with a unit, or one that begins a time, is no week, and neither is one
 * that is listed by a comma alone and counts what follows it.
 */
function nextWeekAt(line: Line, at: number): Match<{ number: number; isUntil: boolean }> | undefined {
  const isHyphen = line.text(at) === '-' && line.isGlued(at) === line.isGlued(at + 1)
  const until = isHyphen ? at + 1 : line.skip(at, UNTIL)
  const isComma = line.text(at) === ','
  const joined = until > at ? until : isComma || line.text(at) === '/' ? at + 1 : line.skip(at, AND)
  const opened = line.skip(joined, WEEK_NUMBERS)
  const number = Number(line.digits(opened, 1, 2))
  if (joined === at || !(number >= 1 && number <= 53)) return undefined
  const next = opened + 1
  const isOther =
    !line.isEnd(next) ||
    (isComma && opened === joined && /^\p{L}/u.test(line.text(next))) ||
    [durationAt, rangeAt].some((read) => read(line, opened)) ||
    line.phrase(next, SPANS) ||
    line.phrase(next, MONTHS)
  return isOther ? undefined : { value: { number, isUntil: until > at }, next }
}

/** Reads `mo-fr`, `M-F`, `24.12.-31.12.`, `24.-31.12.`, `Dec 24-31`, `24 to 31 December`, `vom 21.12. bis 4.1.`. */
function rangeOfDaysAt(line: Line, at: number, order: DateOrder | undefined): Match<Days> | undefined {
  const workingDays = line.text(at + 1) === '-' ? line.phrase(at, WORKING_DAYS) : undefined
  if (workingDays) {
    const [from, to] = [0, 4].map((weekday): PhraseDay => ({ is: 'weekday', weekday }))
    return from && to && { value: { from, to }, next: workingDays.next }
  }
  const isBetween = line.phrase(at, BETWEEN) !== undefined
  const opened = line.skip(line.skip(at, isBetween ? BETWEEN : SINCE), ON)
  const from = dayAt(line, opened, order) ?? dottedDayAt(line, opened, order) ?? dayNumberAt(line, opened)
  if (!from) return undefined
  const hyphen = skipHyphen(line, from.next)
  // "2027-07-01/2027-07-14" is an interval of ISO 8601.
  const isInterval = line.match(opened, /\d{4}-\d\d-\d\d\/\d{4}-\d\d-\d\d/y) !== undefined
  const joiner = isInterval ? from.next + 1 : hyphen
  // "Montag, 23.11., bis Freitag, 27.11." has commas around its dates.
  const gap = line.text(from.next) === ',' && line.phrase(from.next + 1, UNTIL) ? from.next + 1 : from.next
  const until = joiner > from.next ? joiner : line.skip(gap, isBetween ? AND : UNTIL)
  if (until === gap) return undefined
  const joined = line.skip(until, ON)
  const isInMonth = from.value.is === 'date' && from.value.month !== undefined
  const strict = dayAt(line, joined, order)
  // "3. bis 5." names no month: both numbers say that they are days.
  const isMarked = !isInMonth && markedNumberAt(line, opened)?.next === from.next
  const inMonth = isInMonth ? (dottedDayAt(line, joined, order) ?? dayNumberAt(line, joined)) : undefined
  const to = strict ?? inMonth ?? (isMarked ? markedNumberAt(line, joined) : undefined)
  // In "8.30 bis 9.30" both could be times, in "21.12 bis 31.12" one is none.
  const isOpen = !dayAt(line, opened, order) && from.value.is === 'date' && from.value.month !== undefined
  if (!to || (isOpen && strict?.value.is !== 'date')) return undefined
  // In "9-17 Nov 18" the month belongs to the day after it.
  const isOfNumbers = from.value.is === 'date' && !isInMonth && !isMarked
  const isDay = line.digits(to.next, 1, 2) !== undefined && line.text(to.next + 1) !== ':'
  const isTimes = isOfNumbers && isDay && !rangeAt(line, to.next)
  return isTimes ? undefined : { value: { from: from.value, to: to.value }, next: to.next }
}

/**
 * Reads `24., 28. und 30.12.`, `24.+31.12.`, `7. 8. Dezember`, `24th and 31st December`: days that share the month of
 * the last one, and `am 18. und 20.`, which are of this month.
 */
export function daysOfMonthAt(
  line: Line,
  at: number,
  isOn = line.phrase(at, ON) !== undefined,
): Match<PhraseDay[]> | undefined {
  const from = line.skip(at, ON)
  const number = markedNumberAt(line, from)
  if (number?.value.is !== 'date' || !line.isEnd(number.next)) return undefined
  const joined = [',', '/'].includes(line.text(number.next)) ? number.next + 1 : line.skip(number.next, AND)
  if (joined === number.next && !pointedNumberAt(line, joined)) return undefined
  const last = dayAt(line, line.skip(joined, ON))
  const isLast = last?.value.is === 'date' && last.value.month !== undefined
  const rest: Match<PhraseDay[]> | undefined = isLast
    ? { value: [last.value], next: last.next }
    : (daysOfMonthAt(line, joined, isOn) ??
      (isOn && joined > number.next ? lastOfMonthAt(line, line.skip(joined, ON)) : undefined))
  const [named] = rest?.value ?? []
  if (!rest || named?.is !== 'date') return undefined
  const { weekday: _, ...month } = named
  return { value: [{ ...month, day: number.value.day }, ...rest.value], next: rest.next }
}

function lastOfMonthAt(line: Line, at: number): Match<PhraseDay[]> | undefined {
  const last = markedNumberAt(line, at)
  return last && line.isEnd(last.next) && !/^\p{L}/u.test(line.text(last.next))
    ? { ...last, value: [last.value] }
    : undefined
}

/** Reads a date without its last point, which could be a time. */
function dottedDayAt(line: Line, at: number, order: DateOrder | undefined): Match<PhraseDay> | undefined {
  return order ? undefined : dottedAt(line, at, 'dmy')
}

function openDaysAt(line: Line, at: number, order: DateOrder | undefined): Match<Days> | undefined {
  const until = dayAt(line, line.skip(at, UNTIL), order)
  if (until && line.phrase(at, UNTIL)) return { value: { to: until.value }, next: until.next }
  const since = dayAt(line, line.skip(at, SINCE), order)
  return since && line.phrase(at, SINCE) ? { value: { from: since.value }, next: since.next } : undefined
}

function singleAt(line: Line, at: number, order: DateOrder | undefined): Match<Days> | undefined {
  const named = line.phrase(at, ON)
  const from = named?.next ?? at
  // "am Morgen" is no day.
  if (line.text(at) === 'am' && line.text(from) === 'morgen') return undefined
  const isOrdinal = skipOrdinal(line, at + 1) > at + 1 && !/^\p{L}/u.test(line.text(at + 2))
  const day = dayAt(line, from, order) ?? (named || isOrdinal ? markedNumberAt(line, from) : undefined)
  return day && { value: { from: day.value, to: day.value }, next: day.next }
}

/** Reads a day, also beside its weekday or its week. */
export function dayAt(line: Line, at: number, order?: DateOrder): Match<PhraseDay> | undefined {
  const day = line.phrase(at, DAYS)
  if (day) {
    const away = distanceAt(line, day.next)
    return away ? distanceFrom(day.value, away) : { value: { is: 'days', from: day.value }, next: day.next }
  }
  return (
    distanceFromDayAt(line, at) ??
    weekdayAgoAt(line, at) ??
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
  // "3 Werktage" reach as far as the days off between them.
  if (!unit || !Number.isInteger(count.value) || /work|werk|arbeit/.test(line.slice(count.next, unit.next)))
    return undefined
  const days = count.value * (unit.value === 'week' ? 7 : 1)
  if (opened) return { value: { is: 'days', from: line.text(at) === 'in' ? days : -days }, next: unit.next }
  const ago = line.phrase(unit.next, AGO)
  return ago && line.text(unit.next) === 'ago' ? { value: { is: 'days', from: -days }, next: ago.next } : undefined
}

/** Reads `a week ago today`, `a week from tomorrow`. */
function distanceFromDayAt(line: Line, at: number): Match<PhraseDay> | undefined {
  const away = distanceAt(line, at) ?? countFromAt(line, at)
  const day = away && line.phrase(away.next, DAYS)
  return day && distanceFrom(day.value, { ...away, next: day.next })
}

/** Reads the `a week from` of "a week from today". */
function countFromAt(line: Line, at: number): Match<PhraseDay> | undefined {
  const count = numberAt(line, at)
  const unit = count && line.phrase(count.next, SPANS)
  const days = count && unit ? count.value * (unit.value === 'week' ? 7 : 1) : Number.NaN
  return unit && Number.isInteger(days) && line.text(unit.next) === 'from'
    ? { value: { is: 'days', from: days }, next: unit.next + 1 }
    : undefined
}

function distanceFrom(from: number, { value, next }: Match<PhraseDay>): Match<PhraseDay> {
  return { value: { is: 'days', from: from + (value.is === 'days' ? value.from : 0) }, next }
}

/** Reads `Montag vor 2 Wochen`, `Monday a week ago`, `a week ago Monday`, `Monday in 2 weeks`. */
function weekdayAgoAt(line: Line, at: number): Match<PhraseDay> | undefined {
  const first = line.phrase(at, WEEKDAYS)
  const distance = distanceAt(line, first?.next ?? at)
  const named = first ?? (distance && line.phrase(line.skip(distance.next, ON), WEEKDAYS))
  const days = distance?.value.is === 'days' ? distance.value.from : 0
  if (!named || !distance || days === 0 || days % 7 !== 0) return undefined
  const value = { is: 'weekdayAgo', weekday: named.value, weeks: -days / 7 } as const
  return { value, next: Math.max(named.next, distance.next) }
}

/** Reads `Mo.`, `last Friday`, `Monday last week`, `Mo KW46`, `Fr 20.11.`. */
function weekdayAt(line: Line, at: number, order: DateOrder | undefined): Match<PhraseDay> | undefined {
  const modifier = line.phrase(at, MODIFIERS)
  const named = line.phrase(modifier?.next ?? at, WEEKDAYS)
  if (!named) return undefined
  const isShort = line.text(named.next) === '.' && line.isGlued(named.next)
  const next = named.next + (isShort ? 1 : 0)
  const weekday = named.value
  const behind = line.phrase(next, MODIFIERS_BEHIND)
  if (behind) return { value: { is: 'weekday', weekday, week: { day: behind.value } }, next: behind.next }
  if (modifier) return { value: { is: 'weekday', weekday, week: { day: modifier.value } }, next }
  const week = weekAt(line, next) ?? weekAt(line, line.skip(next, IN_WEEK))
  if (week) return { value: { is: 'weekday', weekday, week: week.value }, next: week.next }
  const comma = line.text(next) === ',' ? next + 1 : next
  const dated = line.phrase(comma, ON)
  const date =
    dateAt(line, comma, order) ??
    (dated ? (dateAt(line, dated.next, order) ?? markedNumberAt(line, dated.next)) : pointedNumberAt(line, comma))
  if (date?.value.is === 'date') return { value: { ...date.value, weekday }, next: date.next }
  return { value: { is: 'weekday', weekday }, next }
}

/** Reads `last week Monday`, `KW46 Mo`, `next week on Monday`, `2026-W46-1`. */
function weekdayOfWeekAt(line: Line, at: number): Match<PhraseDay> | undefined {
  const week = weekAt(line, at)
  const iso = week && line.match(week.next - 1, /\d\d?-([1-7])(?!\d)/y)
  if (iso && line.text(week.next - 2) === 'w') {
    return { value: { is: 'weekday', weekday: Number(iso.value[1]) - 1, week: week.value }, next: iso.next }
  }
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
 * Reads `20.11.`, `20.11.2026`, `20.11.26`, `2026-11-20`, `20261120`, `20 Nov`, `20. November 2026`, `3-Mar-2026`,
 * `November 20th` and `20/11/2026`; with an order of day and month also `20.11`, `20/11`, `11-20`.
 */
function dateAt(line: Line, at: number, order: DateOrder | undefined): Match<PhraseDay> | undefined {
  const iso = line.match(at, /(\d{4})([-/.])(\d\d?)\2(\d\d?)(?!\d)/y) ?? line.match(at, /(20\d\d)()(\d\d)(\d\d)(?!\d)/y)
  if (iso) return dateOf(iso.value[4], iso.value[3], iso.value[1], iso.next)
  const named = line.phrase(at, MONTHS)
  if (named) {
    const from = line.text(named.next) === '.' ? named.next + 1 : named.next
    const day = line.digits(from, 1, 2)
    return day && !line.phrase(from + 1, MONTHS)
      ? withYear(line, day, named.value, skipOrdinal(line, from + 1), order)
      : undefined
  }
  const day = line.digits(at, 1, 2)
  if (day === undefined) return undefined
  const ordinal = skipOrdinal(line, at + 1)
  const point = ['.', '-'].includes(line.text(at + 1)) ? at + 2 : ordinal + (line.text(ordinal) === 'of' ? 1 : 0)
  const month = line.phrase(point, MONTHS)
  if (month) {
    const end = line.text(month.next) === '.' ? month.next + 1 : month.next
    const isHyphen = line.text(at + 1) === '-' && line.text(end) === '-'
    return withYear(line, day, month.value, isHyphen ? end + 1 : end, isHyphen ? (order ?? 'dmy') : order)
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

/**
 * Slashes and hyphens, behind which the order of day and month is not the same everywhere: without an order, a date
 * that can be two is none.
 */
function orderedAt(line: Line, at: number, order: DateOrder | undefined): Match<PhraseDay> | undefined {
  const sameSigns = line.match(at, /(\d\d?)([-/])(\d\d?)\2((?:19|20)\d\d)(?!\d)/y)
  if (sameSigns) {
    const [, first, , second, year] = sameSigns.value
    const ways = (order ? [order] : dateOrders).flatMap(
      (one) => datedInOrder(first, second, year, sameSigns.next, one) ?? [],
    )
    return ways.length === 1 || first === second ? ways[0] : undefined
  }
  const found = order && line.match(at, /(\d\d?)([-/ ])(\d\d?)(?:\2(\d{4}|\d\d))?(?!\d)/y)
  return found && datedInOrder(found.value[1], found.value[3], found.value[4], found.next, order)
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

/** Returns the index after the ending of `16th` or `18ten`, or the same index. */
const skipOrdinal = (line: Line, at: number) => (line.isGlued(at) ? line.skip(at, ORDINALS) : at)

/** The first of the hundred years that two digits can mean, as in POSIX. */
const FIRST_OF_TWO_DIGITS = '69'

/** Without a year, 29 February is a day. */
function dateOf(day = '', month = '', year: string | undefined, next: number): Match<PhraseDay> | undefined {
  const full = year?.length === 2 ? `${year < FIRST_OF_TWO_DIGITS ? 20 : 19}${year}` : year
  if (!isDate(`${full ?? '2024'}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)) return undefined
  const value = { is: 'date', day: Number(day), month: Number(month), ...(full && { year: Number(full) }) } as const
  return { value, next }
}

/** A day whose month stands at the other end of the range. */
export function dayNumberAt(line: Line, at: number): Match<PhraseDay> | undefined {
  const found = line.match(at, /([1-9]|[0-2]\d|3[01])(?!\d)\.?/y)
  return found && { value: { is: 'date', day: Number(found.value[1]) }, next: skipOrdinal(line, found.next) }
}

/** Reads the `19.` of "Do 19. 9-17". */
function pointedNumberAt(line: Line, at: number): Match<PhraseDay> | undefined {
  const number = markedNumberAt(line, at)
  return number && line.text(number.next - 1) === '.' && line.isEnd(number.next) ? number : undefined
}

/** Reads the `16.` of "am 16." and the `16th` of "on the 16th", but no number without such a mark. */
function markedNumberAt(line: Line, at: number): Match<PhraseDay> | undefined {
  const number = dayNumberAt(line, at)
  return number && number.next > at + 1 ? number : undefined
}
