import { DAY_MS, type DurationMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '@saldo/core'
import { type Line, LONGEST_TEXT, lineOf, type Match } from './line.ts'
import { decimalValue, decimalValues, numberAt, splitSign } from './numbers.ts'
import { NOTHING, type Reading, readingOfValues } from './reading.ts'
import { AND_A_HALF, DURATIONS, JOINS, UNITS } from './words.ts'

/**
 * The meaning of a bare number as a duration; `clock` reads `7.30` as seven hours and a half, `days` reads `0.5` as
 * half of 24 hours, as spreadsheets do.
 */
export const durationUnits = ['hours', 'minutes', 'seconds', 'clock', 'days'] as const
export type DurationUnit = (typeof durationUnits)[number]

/**
 * Reads a duration with its unit: `2h`, `1,5 Stunden`, `1h 30m`, `1h30`, `1:30 h`, `18:25 min`, `90 min`, `30-minute`,
 * `half an hour`, `PT1H30M`.
 */
export function durationAt(line: Line, at: number): Match<DurationMs> | undefined {
  return line.phrase(at, DURATIONS) ?? isoAt(line, at) ?? clockWithUnitAt(line, at) ?? inUnitsAt(line, at)
}

/** Reads a duration by the clock: `1:30`, `108:03`, `8:03:27`, `8:03:27.5`. */
export function clockDurationAt(line: Line, at: number): Match<DurationMs> | undefined {
  const found = line.match(at, /(\d{1,6}):([0-5]?\d)(?!\d)(?::([0-5]?\d)(?!\d)(?:[.,](\d{1,3})\d*)?)?/y)
  if (!found) return undefined
  const [, hours, minutes, seconds = '0', fraction = ''] = found.value
  const ms = Number(fraction.padEnd(3, '0'))
  return {
    value: Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * SECOND_MS + ms,
    next: found.next,
  }
}

const ISO = /p(?:([\d.,]{1,16})d)?(?:t(?:([\d.,]{1,16})h)?(?:([\d.,]{1,16})m)?(?:([\d.,]{1,16})s)?)?/y
const ISO_PART = /^\d{1,9}(?:[.,]\d{1,6})?$/

function isoAt(line: Line, at: number): Match<DurationMs> | undefined {
  const found = line.match(at, ISO)
  const parts = found?.value.slice(1) ?? []
  const written = parts.filter((part) => part !== undefined)
  if (!found || written.length === 0 || !written.every((part) => ISO_PART.test(part))) return undefined
  const units = [DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS]
  const ms = parts.reduce((sum, part = '0', index) => sum + Number(part.replace(',', '.')) * (units[index] ?? 0), 0)
  return { value: Math.round(ms), next: found.next }
}

/** Before minutes, a clock has minutes and seconds. */
function clockWithUnitAt(line: Line, at: number): Match<DurationMs> | undefined {
  const clock = clockDurationAt(line, at)
  const unit = clock && unitAt(line, clock.next)
  if (!unit || unit.value === SECOND_MS) return undefined
  if (unit.value === HOUR_MS) return { value: clock.value, next: unit.next }
  const hasSeconds = clock.next > at + 3
  return hasSeconds ? undefined : { value: clock.value / 60, next: unit.next }
}

/** Reads numbers with ever smaller units. */
function inUnitsAt(line: Line, at: number): Match<DurationMs> | undefined {
  let found: Match<DurationMs> | undefined
  let lastMs = Number.POSITIVE_INFINITY
  for (;;) {
    const from = found ? line.skip(found.next, JOINS) : at
    const number = numberAt(line, from)
    const unit = number && unitAt(line, number.next)
    if (!unit || unit.value >= lastMs) break
    found = { value: (found?.value ?? 0) + Math.round(number.value * unit.value), next: unit.next }
    lastMs = unit.value
  }
  if (!found || lastMs !== HOUR_MS) return found
  const half = line.phrase(found.next, AND_A_HALF)
  if (half) return { value: found.value + HOUR_MS / 2, next: half.next }
  const minutes = bareMinutesAt(line, found.next)
  return minutes ? { value: found.value + minutes.value, next: minutes.next } : found
}

/** The minutes of `1h30` and `1 h 30`: they are glued, or end the line. */
function bareMinutesAt(line: Line, at: number): Match<DurationMs> | undefined {
  const digits = line.digits(at, 2, 2)
  const isMinutes = digits !== undefined && Number(digits) < 60 && (line.isGlued(at) || at + 1 === line.count)
  return isMinutes ? { value: Number(digits) * MINUTE_MS, next: at + 1 } : undefined
}

function unitAt(line: Line, at: number): Match<DurationMs> | undefined {
  const isHyphen = line.text(at) === '-' && line.isGlued(at) && line.isGlued(at + 1)
  const unit = line.phrase(isHyphen ? at + 1 : at, UNITS)
  // The point of "2 Std." and "30 min."
  return unit && line.text(unit.next) === '.' && line.isGlued(unit.next) ? { ...unit, next: unit.next + 1 } : unit
}

/** A duration as it is written: a bare number leaves its unit open. */
export type WrittenDuration = { ms: DurationMs } | { number: string }

/** Reads a text that is a duration and nothing else, by the clock, in units or as a bare number. */
export function readWrittenDuration(text: string): WrittenDuration | undefined {
  const trimmed = text.trim()
  if (trimmed.length > LONGEST_TEXT) return undefined
  if (/^[.,]?\d(?:[\d.,'\s\u2019]*\d)?[.,]?$/.test(trimmed)) return { number: trimmed.replaceAll(/\s/g, ' ') }
  const line = lineOf(trimmed.replaceAll(/,\s/g, ' '))
  const found = [durationAt(line, 0), clockDurationAt(line, 0)].find((match) => match?.next === line.count)
  return found && { ms: found.value }
}

/**
 * Returns the duration that a bare number states in a unit; `undefined` if it is none. In minutes and seconds, three
 * digits behind a sign are thousands; no number of hours or days has so many. Parts of a day are rounded to seconds.
 */
export function durationOfNumber(number: string, unit: DurationUnit): DurationMs | undefined {
  if (unit === 'clock') return clockOfNumber(number) ?? durationOfNumber(number, 'hours')
  const value = decimalValue(number, unit === 'minutes' || unit === 'seconds')
  if (value === undefined) return undefined
  if (unit === 'days') return Math.round((value * DAY_MS) / SECOND_MS) * SECOND_MS
  return Math.round(value * { hours: HOUR_MS, minutes: MINUTE_MS, seconds: SECOND_MS }[unit])
}

function clockOfNumber(number: string): DurationMs | undefined {
  const [, hours, minutes] = /^(\d{1,6})[.,]([0-5]\d)$/.exec(number) ?? []
  return hours === undefined ? undefined : Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS
}

/** Hundredths of an hour that nobody means as minutes: quarters. */
const QUARTERS = new Set(['00', '25', '50'])

/**
 * The meaning of a bare number in a field: hours, of which `7.30` can be seven and a half; decimals of hours, where
 * durations are shown so; or a break, whose larger numbers are minutes.
 */
export type BareNumber = 'hours' | 'decimals' | 'break'

/**
 * Reads a text that is a duration and nothing else, as somebody types it: `8`, `7,5`, `7:30`, `90 min`, `1h30`,
 * `−3:30`. Decimals of hours are rounded to minutes.
 */
export function readDuration(text: string, bare: BareNumber): Reading<DurationMs> {
  const { sign, rest } = splitSign(text)
  if (rest.length > LONGEST_TEXT) return NOTHING
  const hours = hoursIn(rest)
  const written = hours === undefined ? readWrittenDuration(rest) : { number: hours }
  if (!written) return NOTHING
  const isBreak = bare === 'break' && hours !== undefined
  const durations = 'ms' in written ? [written.ms] : durationsOfBare(written.number, isBreak ? 'hours' : bare)
  const isDecimal = /[.,]\d/.test(rest) && !rest.includes(':')
  return readingOfValues(durations.map((ms) => sign * (isDecimal ? toMinutes(ms) : ms) || 0))
}

/** Returns the number of `7.30 h`, which is read like one without a unit. */
function hoursIn(text: string): string | undefined {
  const line = lineOf(text)
  const unit = UNITS.get(line.text(line.count - 1).replace('.', '')) ?? UNITS.get(line.text(line.count - 2))
  const [number] = /^\d+[.,]\d+/.exec(text) ?? []
  const isAlone = number !== undefined && line.match(0, /\d+[.,]\d+ ?\p{L}+\.?/uy)?.next === line.count
  return unit === HOUR_MS && isAlone ? number : undefined
}

/** Returns all that the decimals of an hour can mean: `7.30` may be seven and a half. */
export function hoursOfDecimals(number: string): DurationMs[] {
  return durationsOfBare(number, 'hours').map(toMinutes)
}

/** Rounds to minutes what the decimals of hours leave. */
export function toMinutes(ms: DurationMs): DurationMs {
  return Math.round(ms / MINUTE_MS) * MINUTE_MS
}

function durationsOfBare(number: string, bare: BareNumber): DurationMs[] {
  if (bare === 'break' && /^\d+$/.test(number)) return breaksOfNumber(Number(number))
  const hours = decimalValues(number).map((value) => value * HOUR_MS)
  const clock = bare === 'decimals' || QUARTERS.has(number.slice(-2)) ? undefined : clockOfNumber(number)
  return clock === undefined ? hours : [clock, ...hours]
}

/** A break of up to two is in hours, one of five and more in minutes. */
function breaksOfNumber(count: number): DurationMs[] {
  return [...(count < 5 ? [count * HOUR_MS] : []), ...(count > 2 ? [count * MINUTE_MS] : [])]
}
