import { type DurationMs, HOUR_MS, MINUTE_MS, SECOND_MS } from './values.ts'

/** A signed length of time in parts. The sign is a part of its own because −0:30 has 0 hours. */
export interface DeltaParts {
  sign: 1 | -1
  hours: number
  minutes: number
  seconds: number
  ms: number
}

/**
 * Returns the delta of its parts (R2.8). Minutes and seconds are 0 to 59, ms 0 to 999, hours not negative, all
 * whole. Throws a `RangeError` on a part out of range and on a sum above 2^53 − 1.
 */
export function composeDelta({ sign, hours, minutes, seconds, ms }: DeltaParts): DurationMs {
  if (sign !== 1 && sign !== -1) throw new RangeError('sign must be 1 or -1')
  const inRange = (name: string, part: number, limit: number) => {
    if (!Number.isSafeInteger(part) || part < 0 || part > limit) {
      throw new RangeError(`${name} must be a whole number from 0 to ${limit}`)
    }
  }
  inRange('hours', hours, Math.floor(Number.MAX_SAFE_INTEGER / HOUR_MS))
  inRange('minutes', minutes, 59)
  inRange('seconds', seconds, 59)
  inRange('ms', ms, 999)
  const size = hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS + ms
  if (!Number.isSafeInteger(size)) throw new RangeError('a delta must be at most 2^53 − 1 milliseconds')
  return size === 0 ? 0 : sign * size
}

/**
 * Returns the parts of a delta (R2.8): the inverse of `composeDelta`. Zero has sign 1. Throws a `RangeError`
 * unless `deltaMs` is a whole number of at most 2^53 − 1.
 */
export function decomposeDelta(deltaMs: DurationMs): DeltaParts {
  if (!Number.isSafeInteger(deltaMs)) throw new RangeError('a delta must be a whole number of milliseconds')
  const size = Math.abs(deltaMs)
  return {
    sign: deltaMs < 0 ? -1 : 1,
    hours: Math.floor(size / HOUR_MS),
    minutes: Math.floor((size % HOUR_MS) / MINUTE_MS),
    seconds: Math.floor((size % MINUTE_MS) / SECOND_MS),
    ms: size % SECOND_MS,
  }
}

/** The delta that a text means, or where and why it cannot be read. */
export type ParsedDelta =
  | { ok: true; deltaMs: DurationMs }
  /** `position` is the index of the first UTF-16 unit that is not understood. */
  | { ok: false; position: number; expected: string }

const MAX_TEXT = 100

/** Hours and a colon, and the part of the rest that makes a clock time. */
const CLOCK = /^(\d+):(?:([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,3}))?)?)?/

const UNIT_MS: Record<string, number> = { h: HOUR_MS, m: MINUTE_MS, s: SECOND_MS }

/**
 * Reads a delta of a vector or of a program: `1:30`, `-0:30`, `−0:30` (U+2212), `+7:36`, `8:00:15`, `8:00:15.250`,
 * `1.5h`, `90m`, `45s`, `1h 30m`. A decimal comma is read as a point; fractions are rounded half up to a millisecond.
 * Text that is not understood completely fails with its position. What people type is read by `@saldo/client/reading`.
 */
export function parseDelta(text: string): ParsedDelta {
  if (text.length > MAX_TEXT) {
    return { ok: false, position: MAX_TEXT, expected: `at most ${MAX_TEXT} characters` }
  }
  const start = text.length - text.trimStart().length
  const end = text.trimEnd().length
  let at = start
  const negative = text[at] === '-' || text[at] === '−'
  if (negative || text[at] === '+') at += 1

  const rest = text.slice(at, end)
  const clock = CLOCK.exec(rest)
  const parsed = clock ? readClock(clock, at) : readUnits(rest, at)
  if (!parsed.ok) return parsed
  if (parsed.position < end) {
    return { ok: false, position: parsed.position, expected: 'the end of the text' }
  }
  if (!Number.isSafeInteger(parsed.size)) {
    return { ok: false, position: start, expected: 'at most 2^53 − 1 milliseconds' }
  }
  return { ok: true, deltaMs: negative && parsed.size !== 0 ? -parsed.size : parsed.size }
}

type Read = { ok: true; size: number; position: number } | Extract<ParsedDelta, { ok: false }>

function readClock([all, hours, minutes, seconds = '0', fraction = '']: RegExpExecArray, at: number): Read {
  const position = at + all.length
  if (minutes === undefined) return { ok: false, position, expected: 'minutes from 00 to 59' }
  const ms = Number(fraction.padEnd(3, '0'))
  const size = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * SECOND_MS + ms
  return { ok: true, size, position }
}

function readUnits(rest: string, at: number): Read {
  let size = 0
  let position = 0
  let smallestUnitMs = Number.POSITIVE_INFINITY
  for (;;) {
    const number = /^\d+(?:[.,]\d+)?/.exec(rest.slice(position))?.[0]
    if (number === undefined) return { ok: false, position: at + position, expected: 'a number' }
    position += number.length
    const unitMs = UNIT_MS[rest[position]?.toLowerCase() ?? '']
    if (unitMs === undefined || unitMs >= smallestUnitMs) {
      const expected =
        smallestUnitMs === Number.POSITIVE_INFINITY ? 'h, m, s or a clock time such as 1:30' : 'a smaller unit'
      return { ok: false, position: at + position, expected }
    }
    smallestUnitMs = unitMs
    size += roundedProduct(number.replace(',', '.'), unitMs)
    position += 1
    const gap = smallestUnitMs > SECOND_MS ? /^ *(?=\d)/.exec(rest.slice(position))?.[0] : undefined
    if (gap === undefined) return { ok: true, size, position: at + position }
    position += gap.length
  }
}

/** Returns `decimal` × `unitMs`, computed exactly and rounded half up. */
function roundedProduct(decimal: string, unitMs: number): number {
  const [whole = '', fraction = ''] = decimal.split('.')
  const scale = 10n ** BigInt(fraction.length)
  return Number((BigInt(whole + fraction) * BigInt(unitMs) * 2n + scale) / (2n * scale))
}

/**
 * Writes a delta as `7:36` or `−0:30` (with the minus sign U+2212), with seconds and milliseconds only if they are not
 * zero. `parseDelta` reads it back exactly.
 */
export function formatDelta(deltaMs: DurationMs): string {
  const { sign, hours, minutes, seconds, ms } = decomposeDelta(deltaMs)
  const two = (part: number) => String(part).padStart(2, '0')
  const fraction = ms === 0 ? '' : `.${String(ms).padStart(3, '0')}`
  const small = seconds === 0 && ms === 0 ? '' : `:${two(seconds)}${fraction}`
  return `${sign === -1 ? '−' : ''}${hours}:${two(minutes)}${small}`
}
