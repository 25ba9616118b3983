import { HOUR_MS, MINUTE_MS } from '@saldo/core'
import type { WallMinutes } from '../wall-time.ts'
import type { Line, Match } from './line.ts'
import { AND, BETWEEN, CLOCKS, LENGTHS, NUMBERS, OPENERS, UNITS, UNTIL, WEEKDAYS } from './words.ts'

const DAY_MINUTES = 1_440
const HALF_DAY_MINUTES = 720
/** Hours of the night that are an afternoon more often: 1-5. */
const EARLY_MINUTES = 360

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
}

/** Reads `9`, `9:30`, `9.30`, `9h30`, `0930`, `9 Uhr 30`, `9am`, `halb 10`, `noon`, `now`. */
export function clockAt(line: Line, at: number): Match<ClockTime> | undefined {
  const word = line.phrase(at, CLOCKS)
  if (word) return { value: { minutes: word.value, isVague: false }, next: word.next }
  if (line.text(at) === 'halb') {
    const hour = Number(line.digits(at + 1, 1, 2))
    return hour >= 1 && hour <= 12 ? { value: { minutes: hour * 60 - 30, isVague: true }, next: at + 2 } : undefined
  }
  const read = line.match(at, /^(\d\d?)(?!\d)(?:[:.h](\d\d)(?!\d))?/) ?? line.match(at, /^(\d\d?)(\d\d)(?!\d)/)
  if (!read) return undefined
  const [digits] = read.value
  let [hours, minutes] = [Number(read.value[1]), Number(read.value[2] ?? 0)]
  let { next } = read
  let isExact = digits.startsWith('0')
  const half = halfAt(line, next)
  if (line.text(next) === 'uhr') {
    isExact = true
    next += 1
    const after = next === at + 2 ? line.digits(next, 2, 2) : undefined
    if (after !== undefined && line.isEnd(next + 1) && !line.phrase(next + 1, UNITS)) {
      minutes = Number(after)
      next += 1
    }
  } else if (half) next += 1
  else if (line.text(next) === 'h' && line.isGlued(next) && next === at + 1) next += 1
  else if (line.phrase(next, UNITS) && !line.isGlued(next + 1)) return undefined
  if (half && (hours < 1 || hours > 12)) return undefined
  if (half) hours = (hours % 12) + (half === 'pm' ? 12 : 0)
  const all = hours * 60 + minutes
  if (minutes > 59 || all > DAY_MINUTES) return undefined
  return { value: { minutes: all, ...(half && { half }), isVague: !half && !isExact && hours <= 12 }, next }
}

/** The "am" of "9-12 am Montag" and "9-12 am 20.11." is a preposition. */
function halfAt(line: Line, at: number): 'am' | 'pm' | undefined {
  const text = line.text(at)
  if (text !== 'am' && text !== 'pm') return undefined
  const isBeforeDay = line.phrase(at + 1, WEEKDAYS) !== undefined || line.text(at + 2) === '.'
  return text === 'am' && !line.isGlued(at) && isBeforeDay ? undefined : text
}

/** Reads `9-17`, `9 bis 17 Uhr`, `from 9 to 5`, `between 9 and 5pm`, `9-now`, `22-6`. */
export function rangeAt(line: Line, at: number): Match<ClockRange> | undefined {
  const opened = line.skip(at, OPENERS)
  const start = clockAt(line, opened)
  if (!start) return undefined
  const isBetween = line.phrase(at, BETWEEN) !== undefined
  const joined = line.text(start.next) === '-' ? start.next + 1 : line.skip(start.next, isBetween ? AND : UNTIL)
  // In "2h bis 12" the hours are a length.
  const isLength = line.text(start.next - 1) === 'h' && line.text(start.next) !== '-'
  if (joined === start.next || isLength) return undefined
  const end = clockAt(line, line.skip(joined, OPENERS))
  const value = end && clockRangeOf(start.value, end.value)
  return value && { value, next: end.next }
}

/** Returns the range of two clocks; `undefined` if it is empty. */
export function clockRangeOf(from: ClockTime, to: ClockTime): ClockRange | undefined {
  const { minutes: end } = to
  let { minutes: start } = from
  if (start === 'now' || end === 'now') return start === end ? undefined : { start, end, isVague: false }
  if (start === DAY_MINUTES) start = 0
  if (end === start) return undefined
  const isAfternoonToo = to.half === 'pm' && from.isVague && start < HALF_DAY_MINUTES && start + HALF_DAY_MINUTES < end
  if (isAfternoonToo) return { start: start + HALF_DAY_MINUTES, end, isVague: false }
  if (end > start) {
    const isEarly = start > 0 && start < EARLY_MINUTES && end <= HALF_DAY_MINUTES
    return { start, end, isVague: isEarly && from.isVague && to.isVague }
  }
  // Nobody means 9-5 as twenty hours.
  const inAfternoon = end + HALF_DAY_MINUTES
  const isAfternoon = to.isVague && inAfternoon > start && end + DAY_MINUTES - start > HALF_DAY_MINUTES
  return { start, end: isAfternoon ? inAfternoon : end + DAY_MINUTES, isVague: false }
}

/** Reads `2`, `7,5`, `7.5`, `½`, `1½`, `1 1/2`, `zwei`. */
export function numberAt(line: Line, at: number): Match<number> | undefined {
  const word = line.phrase(at, NUMBERS)
  if (word) return word
  const half = line.match(at, /^(?:(\d{1,4})½|(?:(\d{1,4}) )?1\/2(?!\d))/)
  if (half) return { value: Number(half.value[1] ?? half.value[2] ?? 0) + 0.5, next: half.next }
  const decimal = line.match(at, /^\d{1,4}(?!\d)(?:[,.]\d{1,3}(?!\d))?/)
  return decimal && { value: Number(decimal.value[0].replace(',', '.')), next: decimal.next }
}

/** Reads `2h`, `1,5 Stunden`, `1h 30m`, `1h30`, `1:30 h`, `90 min`, `30-minute`, `half an hour`, in milliseconds. */
export function lengthAt(line: Line, at: number): Match<number> | undefined {
  const phrase = line.phrase(at, LENGTHS)
  if (phrase) return phrase
  const clock = hoursAndMinutesAt(line, at)
  const clockUnit = clock && line.phrase(clock.next, UNITS)
  if (clockUnit?.value === HOUR_MS) return { value: clock?.value ?? 0, next: clockUnit.next }
  const number = numberAt(line, at)
  const unit = number && unitAt(line, number.next)
  if (!unit) return undefined
  const ms = Math.round(number.value * unit.value)
  const isWhole = unit.value === HOUR_MS && Number.isInteger(number.value)
  const rest = isWhole ? minutesAt(line, unit.next) : undefined
  return rest ? { value: ms + rest.value, next: rest.next } : { value: ms, next: unit.next }
}

function unitAt(line: Line, at: number): Match<number> | undefined {
  const isHyphen = line.text(at) === '-' && line.isGlued(at) && line.isGlued(at + 1)
  const unit = line.phrase(isHyphen ? at + 1 : at, UNITS)
  // The point of "2 Std." and "30 min."
  return unit && line.text(unit.next) === '.' && line.isGlued(unit.next) ? { ...unit, next: unit.next + 1 } : unit
}

/** The minutes after hours. Without a unit they are glued, or end the line. */
function minutesAt(line: Line, at: number): Match<number> | undefined {
  const from = line.skip(at, AND)
  const digits = line.digits(from, 1, 2)
  if (digits === undefined || Number(digits) > 59) return undefined
  const unit = unitAt(line, from + 1)
  if (unit?.value === MINUTE_MS) return { value: Number(digits) * MINUTE_MS, next: unit.next }
  const isPlain = digits.length === 2 && (line.isGlued(from) || from + 1 === line.count)
  return isPlain ? { value: Number(digits) * MINUTE_MS, next: from + 1 } : undefined
}

/** Reads `1:30` as a length, in milliseconds. */
export function hoursAndMinutesAt(line: Line, at: number): Match<number> | undefined {
  const found = line.match(at, /^(\d\d?):([0-5]\d)(?!\d)/)
  return found && { value: Number(found.value[1]) * HOUR_MS + Number(found.value[2]) * MINUTE_MS, next: found.next }
}
