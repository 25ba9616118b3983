import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@saldo/core'
import type { WallMinutes } from '../entries/wall-time.ts'
import { type Line, type Match, skipHyphen, wholeText } from './line.ts'
import { certainValue, type Reading, readingOfValues } from './reading.ts'
import {
  AND,
  BETWEEN,
  CLOCKS,
  HOUR_WORDS,
  HOURS,
  MONTHS,
  NUMBERS,
  O_CLOCK,
  OPENERS,
  PARTS_OF_DAY,
  QUARTERS,
  SIDES_OF_HOUR,
  SPANS,
  UNITS,
  UNTIL,
  WEEKDAYS,
  WEEKENDS,
} from './words.ts'

const DAY_MINUTES = 1_440
const HALF_DAY_MINUTES = 720
/** Hours of the night that are an afternoon more often: 1-5. */
const EARLY_MINUTES = 360
/** Before it, an hour of the evening and of the night is after midnight. */
const EVENING_MINUTES = 240
/** From it on, an hour of the night is before midnight. */
const NIGHT_MINUTES = 480
const LONGEST_NIGHT_MINUTES = 960

export interface ClockTime {
  minutes: WallMinutes | 'now'
  half?: 'am' | 'pm'
  /** True if nothing tells morning and evening apart. */
  isVague: boolean
}

/** Minutes since midnight of the date; an end above 24:00 lies on the next date. */
export interface ClockRange {
  start: WallMinutes | 'now'
  end: WallMinutes | 'now'
  /** True if the range may as well lie in the other half of the day. */
  isVague: boolean
  /** The times as they are written. */
  clocks: readonly [ClockTime, ClockTime]
}

export type PartOfDay = typeof PARTS_OF_DAY extends ReadonlyMap<string, infer Part> ? Part : never

/** Reads `9`, `9:30`, `9.30`, `9h30`, `0930`, `9 Uhr 30`, `9am`, `halb 10`, `quarter past 9`, `noon`, `now`. */
export function clockAt(line: Line, at: number): Match<ClockTime> | undefined {
  const word = line.phrase(at, CLOCKS)
  if (word) return { value: { minutes: word.value, isVague: false }, next: word.next }
  const beside = besideHourAt(line, at)
  if (beside) return beside
  const read = line.match(at, /(\d\d?)(?!\d)(?:[:.h](\d\d)(?!\d))?/y) ?? line.match(at, /(\d\d?)(\d\d)(?!\d)/y)
  if (!read) return undefined
  const [digits] = read.value
  let [hours, minutes] = [Number(read.value[1]), Number(read.value[2] ?? 0)]
  let { next } = read
  let isExact = digits.startsWith('0')
  const half = halfAt(line, next, hours)
  const oClock = line.phrase(next, O_CLOCK)
  if (oClock) next = oClock.next
  else if (line.text(next) === 'uhr') {
    isExact = true
    next += 1
    const after = next === at + 2 ? line.digits(next, 2, 2) : undefined
    // In "12 Uhr 16. November", "12 Uhr 16/11" and "12 Uhr 16 und 17.11." the number is a day.
    const isDay =
      (['.', '/'].includes(line.text(next + 1)) && line.isGlued(next + 1)) ||
      line.phrase(next + 1, MONTHS) !== undefined ||
      line.phrase(next + 1, AND) !== undefined
    const isOther = isDay || line.phrase(next + 1, UNITS) !== undefined || line.text(next + 1) === 'uhr'
    if (after !== undefined && line.isEnd(next + 1) && !isOther) {
      minutes = Number(after)
      next += 1
    }
  } else if (half) next += 1
  else if (line.text(next) === 'h' && line.isGlued(next) && next === at + 1) next += 1
  else if (/^\d{4}$/.test(digits) && line.phrase(next, HOURS)) {
    isExact = true
    next += 1
  } else if (line.phrase(next, UNITS) && !line.isGlued(next + 1)) return undefined
  if (half && (hours < 1 || hours > 12)) return undefined
  if (half) hours = (hours % 12) + (half === 'pm' ? 12 : 0)
  const isAtNoon = line.text(next) === 'mittags' && (hours <= 2 || (hours > 10 && hours < 15))
  if (isAtNoon && hours <= 2) hours += 12
  const all = hours * 60 + minutes
  if (minutes > 59 || all > DAY_MINUTES) return undefined
  if (isAtNoon) return { value: { minutes: all, isVague: false }, next: next + 1 }
  return { value: { minutes: all, ...(half && { half }), isVague: !half && !isExact && hours <= 12 }, next }
}

/** Reads `halb 10`, `Viertel nach 9`, `quarter to nine Uhr`, `5 vor 9`, `zehn nach halb neun`. */
function besideHourAt(line: Line, at: number): Match<ClockTime> | undefined {
  const count = wholeNumberAt(line, at, NUMBERS)
  const side = count && line.phrase(count.next, SIDES_OF_HOUR)
  const quarters = line.phrase(side?.next ?? at, QUARTERS)
  const hour = wholeNumberAt(line, quarters?.next ?? side?.next ?? at, HOUR_WORDS)
  // Nobody says "halb 17", and "40 nach 9" is no time.
  const besideMinutes = side ? count.value * side.value : 0
  if (!(quarters ?? side) || !hour || hour.value < 1 || hour.value > 24) return undefined
  const offset = (quarters?.value ?? 0) + besideMinutes
  const isSaid = Math.abs(offset) < 30 || (quarters !== undefined && hour.value <= 12)
  // In "8-12 nach 2 Tickets" and "8 bis 12 nach 2 Wochen", the numbers are of different pieces.
  const isEnd = line.isGlued(at) && line.text(at - 1) === '-'
  const isOther = (count && isEnd) || line.phrase(hour.next, SPANS) || line.phrase(hour.next, MONTHS)
  if (!isSaid || Math.abs(besideMinutes) >= 30 || isOther) return undefined
  const next = line.text(hour.next) === 'uhr' ? hour.next + 1 : hour.next
  const minutes = (hour.value * 60 + offset) % DAY_MINUTES
  return { value: { minutes, isVague: hour.value <= 12 && minutes < HALF_DAY_MINUTES }, next }
}

export function wholeNumberAt(line: Line, at: number, words: ReadonlyMap<string, number>): Match<number> | undefined {
  const digits = line.digits(at, 1, 2)
  return digits === undefined ? line.phrase(at, words) : { value: Number(digits), next: at + 1 }
}

const DAY_TABLES: readonly ReadonlyMap<string, unknown>[] = [WEEKDAYS, PARTS_OF_DAY, WEEKENDS]

/** The "am" of "9-12 am Montag", "9-12 am 20.11." and "8-16 am Hafen" is a preposition. */
function halfAt(line: Line, at: number, hours: number): 'am' | 'pm' | undefined {
  const text = line.text(at)
  if (text !== 'am' && text !== 'pm') return undefined
  const isBeforeDay =
    DAY_TABLES.some((table) => line.phrase(at, table) ?? line.phrase(at + 1, table)) || line.text(at + 2) === '.'
  const isBeforePlace = hours > 12 && /^\p{L}/u.test(line.text(at + 1))
  return text === 'am' && !line.isGlued(at) && (isBeforeDay || isBeforePlace) ? undefined : text
}

/** Reads a time of day with its part of the day: `8 Uhr abends`, `6 in the morning`. */
function clockInPartAt(line: Line, at: number): Match<ClockTime> | undefined {
  const clock = clockAt(line, at)
  const part = clock && line.phrase(clock.next, PARTS_OF_DAY)
  return part ? { value: inPartOfDay(clock.value, part.value), next: part.next } : clock
}

/** Returns a time of day in a part of the day, unless it says itself which half of the day it lies in. */
export function inPartOfDay(clock: ClockTime, part: PartOfDay): ClockTime {
  const { minutes, half } = clock
  if (half || minutes === 'now' || minutes > HALF_DAY_MINUTES) return clock
  if (part === 'morning') return { minutes, half: 'am', isVague: false }
  const isLater = {
    afternoon: minutes < HALF_DAY_MINUTES,
    evening: minutes >= EVENING_MINUTES,
    night: minutes >= NIGHT_MINUTES,
  }[part]
  const later = minutes + (isLater ? HALF_DAY_MINUTES : 0)
  return { minutes: later, ...(isLater && { half: 'pm' as const }), isVague: false }
}

/**
 * Reads `9-17`, `9 bis 17 Uhr`, `from 9 to 5`, `between 9 and 5pm`, `9-now`, `22-6`, and returns all that it can mean,
 * the likeliest first.
 */
export function rangeAt(line: Line, at: number): Match<ClockRange[]> | undefined {
  const opened = line.skip(at, OPENERS)
  const between = line.phrase(at, BETWEEN) ? AND : UNTIL
  const joinedAt = (next: number) => {
    const hyphen = skipHyphen(line, next)
    return hyphen > next ? hyphen : line.skip(next, between)
  }
  const commas = commaRangeAt(line, opened)
  if (commas) return commas
  const spoken = opened > at || at === 0 ? spokenClockAt(line, opened) : undefined
  // A part of the day behind a time belongs to the start where the end follows: "8 abends bis 2".
  const inHours = inHoursAt(line, opened)
  const start = [clockInPartAt(line, opened), wholeClockAt(line, opened), spoken, inHours].find(
    (clock) => clock && joinedAt(clock.next) > clock.next,
  )
  if (!start) return undefined
  const endAt = line.skip(joinedAt(start.next), OPENERS)
  // "8h - 19.11." has a date.
  if (line.text(start.next - 1) === 'h' && line.match(endAt, /\d\d?\.(?:0?[1-9]|1[0-2])\.(?!\d)/y)) return undefined
  const endInHours = inHoursAt(line, endAt)
  const end =
    endInHours ?? wholeClockAt(line, endAt) ?? (opened > at || at === 0 ? spokenClockAt(line, endAt) : undefined)
  if (!end) return undefined
  // "8 h - 1 h" can be hours without a break, "7 h - 16 h" is a range.
  if (start === inHours && !(endInHours && Number(end.value.minutes) > Number(start.value.minutes))) return undefined
  // In "2h bis 12" the hours are a duration, in "8h bis 17" they can be a time too.
  const isHours = (next: number) => line.text(next - 1) === 'h'
  if (isHours(start.next) && line.text(start.next) !== '-' && !isHours(end.next)) {
    const ways = hoursUntil(start.value, end.value)
    return ways && { value: ways, next: end.next }
  }
  const ranges = [...noonRanges(start.value, end.value), ...clockRangesOf(start.value, end.value)]
  return ranges.length > 0 ? { value: ranges, next: end.next } : undefined
}

/** Reads a time that is one of two, also with seconds or an `h` behind its minutes: `9:05:30`, `9.05h`. */
export function wholeClockAt(line: Line, at: number): Match<ClockTime> | undefined {
  const hours = line.match(at, /(\d\d?)[:.]([0-5]\d)h(?:rs)?(?!\p{L}|\d)/uy)
  const minutes = hours ? Number(hours.value[1]) * 60 + Number(hours.value[2]) : undefined
  if (hours && minutes !== undefined && minutes <= DAY_MINUTES)
    return { value: { minutes, isVague: minutes < HALF_DAY_MINUTES + 60 }, next: hours.next }
  const clock = clockAt(line, at)
  if (!clock || clock.value.minutes === 'now') return clock
  const { value, next } = clock
  const seconds = line.isGlued(next) && line.text(next - 2) === ':' ? line.match(next, /:([0-5]\d)(?!\d)/y) : undefined
  if (!seconds) return clock
  return { value: { ...value, minutes: clock.value.minutes + Number(seconds.value[1]) / 60 }, next: seconds.next }
}

/** Returns what `8h bis 17` can mean: eight hours before 17:00, or from eight. `undefined` if it can only be hours. */
function hoursUntil(start: ClockTime, end: ClockTime): ClockRange[] | undefined {
  const [from, to] = [Number(start.minutes), Number(end.minutes)]
  const isTime = from >= EARLY_MINUTES && from < to && from % 60 === 0 && !start.half && !end.half
  const begin: ClockTime = { minutes: to - from, isVague: false }
  const range = (first: ClockTime): ClockRange => ({
    start: first.minutes,
    end: to,
    isVague: false,
    clocks: [first, end],
  })
  return isTime && begin.minutes !== start.minutes ? [range(begin), range({ ...start, isVague: false })] : undefined
}

/** Reads the `17 h` and `17:00 h` of a range, which are durations elsewhere. */
function inHoursAt(line: Line, at: number): Match<ClockTime> | undefined {
  const found = line.match(at, /(\d\d?)(?:[:.]([0-5]\d))? ?h(?:rs|ours)?(?![\p{L}\d])(?! [0-5]\d(?!\d| ?[-:./]))/uy)
  const minutes = Number(found?.value[1]) * 60 + Number(found?.value[2] ?? 0)
  return found && minutes <= DAY_MINUTES
    ? { value: { minutes, isVague: minutes < HALF_DAY_MINUTES + 60 }, next: found.next }
    : undefined
}

/** Reads an hour as a word. Only "von acht bis fünf" says that it is a time. */
function spokenClockAt(line: Line, at: number): Match<ClockTime> | undefined {
  const hour = line.phrase(at, HOUR_WORDS)
  return hour && { value: { minutes: hour.value * 60, isVague: true }, next: hour.next }
}

/** Reads `9,30 - 17,45`; a single `7,50` is a number. */
function commaRangeAt(line: Line, at: number): Match<ClockRange[]> | undefined {
  const found = line.match(at, /(\d\d?),([0-5]\d)(?: uhr)? ?- ?(\d\d?),([0-5]\d)(?! ?[-\d])(?: uhr)?/y)
  if (!found) return undefined
  const [start = 0, end = 0] = [1, 3].map((part) => Number(found.value[part]) * 60 + Number(found.value[part + 1]))
  const [from, to] = [start, end].map((minutes): ClockTime => ({ minutes, isVague: false }))
  return from && to && start < end && end <= DAY_MINUTES
    ? { value: clockRangesOf(from, to), next: found.next }
    : undefined
}

/**
 * The "am" of "9-12:30 am Haus" may be a preposition, and many say "9-12 am" of a morning, so that the range ends at
 * noon and not at midnight.
 */
function noonRanges(start: ClockTime, end: ClockTime): ClockRange[] {
  const isMidnight = end.half === 'am' && Number(end.minutes) < 60
  const isMorning = start.minutes !== 'now' && start.minutes < HALF_DAY_MINUTES && !start.half
  const atNoon: ClockTime = { minutes: HALF_DAY_MINUTES + Number(end.minutes), isVague: true }
  return isMidnight && isMorning ? clockRangesOf(start, atNoon) : []
}

/** Returns what two times of day can mean as a range, the likeliest first; none if the range is empty. */
export function clockRangesOf(from: ClockTime, to: ClockTime): ClockRange[] {
  const { minutes: end } = to
  let { minutes: start } = from
  const rangeOf = (first: ClockRange['start'], last: ClockRange['end'], isVague = false): ClockRange => ({
    start: first,
    end: last,
    isVague,
    clocks: [from, to],
  })
  if (start === 'now' || end === 'now') return start === end ? [] : [rangeOf(start, end)]
  if (start === DAY_MINUTES) start = 0
  const inAfternoon = end + HALF_DAY_MINUTES
  const overnight = end + DAY_MINUTES
  if (end === start) {
    const isHalfDay = from.isVague && to.isVague && start < HALF_DAY_MINUTES
    return isHalfDay ? [rangeOf(start, inAfternoon), rangeOf(start + HALF_DAY_MINUTES, overnight)] : []
  }
  const isAfternoonToo = to.half === 'pm' && from.isVague && start < HALF_DAY_MINUTES && start + HALF_DAY_MINUTES < end
  if (isAfternoonToo) return [rangeOf(start + HALF_DAY_MINUTES, end)]
  if (end > start) {
    const isEarly = start > 0 && start < EARLY_MINUTES && end <= HALF_DAY_MINUTES
    return [rangeOf(start, end, isEarly && from.isVague && to.isVague)]
  }
  const isShortNight = overnight - start <= HALF_DAY_MINUTES
  // "10-6am" begins in the evening, "12-8am" at midnight.
  const isFromEvening = to.half === 'am' && from.isVague && start <= HALF_DAY_MINUTES && !isShortNight
  if (isFromEvening)
    return [start === HALF_DAY_MINUTES ? rangeOf(0, end) : rangeOf(start + HALF_DAY_MINUTES, overnight)]
  // Of a night that long, somebody meant "5 Uhr" as an hour of twelve.
  const isLongNight = overnight - start > LONGEST_NIGHT_MINUTES && !to.half && inAfternoon > start
  if (!to.isVague && isLongNight) return [rangeOf(start, inAfternoon), rangeOf(start, overnight)]
  if (!to.isVague || inAfternoon <= start || isShortNight) return [rangeOf(start, overnight)]
  // Nobody means 9-5 as twenty hours; 17-9 can be the evening or the night.
  const isOfTwelveHours = start <= HALF_DAY_MINUTES
  return [rangeOf(start, inAfternoon), ...(isOfTwelveHours ? [] : [rangeOf(start, overnight)])]
}

/**
 * Returns what two times can mean as a range of a part of the day, the likeliest first: it holds both, or the start of
 * a night, or the end of what begins before noon. Times that say themselves where they lie do not move.
 */
export function rangesInPartOfDay([from, to]: ClockRange['clocks'], part: PartOfDay): ClockRange[] {
  const end = inPartOfDay(to, part)
  const start = inPartOfDay(from, part)
  const isInOrder = (first: ClockTime, last: ClockTime) => !(Number(first.minutes) >= Number(last.minutes))
  const isOvernight = Number(start.minutes) >= HALF_DAY_MINUTES && Number(to.minutes) <= HALF_DAY_MINUTES
  // "abends 10-6" ends in the next morning, "9 bis 5 nachmittags" begins in this one.
  const nights = isOvernight ? [[start, to] as const] : []
  const days = part !== 'night' && isInOrder(from, end) ? [[from, end] as const] : []
  const pairs = isInOrder(start, end) ? [[start, end] as const] : [...nights, ...days]
  return pairs.flatMap(([first, last]) => clockRangesOf(first, last)).filter((each) => liesIn(each, part))
}

/** True if a range ends where a part of the day does, as "abends 6-14" does not. */
function liesIn({ start, end }: ClockRange, part: PartOfDay): boolean {
  if (start === 'now' || end === 'now') return true
  const [first, last] = { morning: [0, 780], afternoon: [721, 1_260], evening: [961, 2_160], night: [0, 2_160] }[part]
  const isIn = (minutes: number) => minutes >= Number(first) && minutes <= Number(last)
  // "22 bis 6 morgens" ends in the morning of the next date.
  return isIn(end) || (end > DAY_MINUTES && start >= HALF_DAY_MINUTES && isIn(end - DAY_MINUTES))
}

/** The times beside which a field is read: `now` as a word, the `start` of an end, and the latest one, `until`. */
export interface TimeField {
  now?: WallMinutes | undefined
  start?: WallMinutes | undefined
  until?: WallMinutes | undefined
}

/**
 * Reads a text that is a time of day and nothing else: `9`, `9:30`, `9,30`, `930`, `5pm`, `halb 10`, `8 abends`. An end
 * of twelve hours lies where that of a range does, so that `5` behind a start at nine is in the afternoon.
 */
export function readTime(text: string, { now, ...beside }: TimeField = {}): Reading<WallMinutes> {
  const dotted = text
    .trim()
    .replace(/^(\d\d?),(\d\d)(?!\d)/, '$1:$2')
    .replace(/^(\d\d?) h$/i, '$1h')
  const clocks = [dotted, withGermanHalf(dotted)].flatMap((written) => wholeText(written, clockInPartAt) ?? [])
  return readingOfValues(
    clocks.flatMap((clock) => {
      if (clock.minutes === 'now') return now ?? []
      const isEither = isOfTwelveHours(clock, dotted)
      return isEither ? [clock.minutes, clock.minutes + HALF_DAY_MINUTES] : minutesBeside(clock, beside)
    }),
  )
}

/** Returns a text with "half 9", half past nine in English, as whoever thinks in German means it. */
export const withGermanHalf = (text: string) => text.replaceAll(/\bhalf(?= )(?! past)/gi, 'halb')

function minutesBeside(clock: ClockTime, { start, until }: TimeField): WallMinutes[] {
  const minutes = Number(clock.minutes)
  const later = minutes + HALF_DAY_MINUTES
  if (!clock.isVague || start === minutes) return [minutes]
  if (start !== undefined) {
    return clockRangesOf({ minutes: start, isVague: false }, clock).map(({ end }) => Number(end) % DAY_MINUTES)
  }
  return until !== undefined && later <= until ? [later, minutes] : [minutes]
}

/** True for a time in words, such as `halb 10`, which can be in the evening. */
const isOfTwelveHours = ({ isVague }: ClockTime, text: string) => isVague && /^\p{L}/u.test(text)

/** Returns the time of a text that is one time of day and nothing else, such as `09:30`. */
export function certainTime(text: string): WallMinutes | undefined {
  return certainValue(readTime(text))
}

/** Reads a text that is a range of times of day and nothing else. */
export function readTimeRange(text: string): Reading<Pick<ClockRange, 'start' | 'end'>> {
  const ranges = wholeText(text, rangeAt) ?? []
  return readingOfValues(ranges)
}

/** A time as most tools write it, in thousands of rows. */
const USUAL = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/

/**
 * Reads a text that is a time of day with its seconds, as tools write it, and nothing else: `9:05`, `09.05 Uhr`,
 * `9:05:30.5 PM`. In milliseconds since midnight.
 */
export function readTimeOfDay(text: string): number | undefined {
  const [usual, hour, minute, second = '0'] = USUAL.exec(text) ?? []
  if (usual !== undefined) return Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS + Number(second) * SECOND_MS
  const [, hours = '', seconds = '0', half = ''] =
    /^(\d{1,2}[:.]\d{2})[:.](\d{2})(?:[.,]\d{1,9})?(\D{0,12})$/.exec(text.trim()) ?? []
  const clock = wholeText(hours === '' ? withoutDots(text) : `${hours} ${withoutDots(half)}`, clockAt)
  if (!clock || clock.minutes === 'now' || Number(seconds) > 59 || isOfTwelveHours(clock, text.trim())) return undefined
  const ms = clock.minutes * MINUTE_MS + Number(seconds) * SECOND_MS
  return ms <= 24 * HOUR_MS ? ms : undefined
}

/** Writes "a.m." and a single "a" behind a time without points. */
const withoutDots = (text: string) => text.replace(/(?<!\p{L})([ap])(?:\.?\s?m)?\.?\s*$/iu, '$1m')
