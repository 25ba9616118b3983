import { type DurationMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '@saldo/core'

/** The meaning of a bare number in a column of lengths; `clock` reads `7.30` as seven hours and a half. */
export const lengthUnits = ['hours', 'minutes', 'seconds', 'clock'] as const
export type LengthUnit = (typeof lengthUnits)[number]

/** A length of time in a cell: a bare number leaves its unit open. */
export type LengthCell = { ms: DurationMs } | { number: string }

const words: Record<'h' | 'm' | 's', string> = {
  h: 'h|hrs?|hours?|std|stdn?|stunden?|horas?|heures?',
  m: 'm|mins?|minutes?|minuten?|minutos?',
  s: 's|secs?|seconds?|sek|sekunden?|segundos?|secondes?',
}
const units = `(?:(?<h>${words.h})|(?<m>${words.m})|(?<s>${words.s}))`

/** Signs that say that a cell holds nothing. */
const NOTHING = /^(?:[-\u2013\u2014.?*/]+|n\/?a|null|nil|none|no|kein(?:e|er)?|ohne|nein)$/i

/** True for an empty cell, and for one with a sign or word that says so. */
export function isEmptyCell(text: string): boolean {
  return text.trim() === '' || NOTHING.test(text.trim())
}

/**
 * Returns a length of time: by the clock (`8:03`, `08:03:27`, `18:25 min`), in units (`1h 30m`, `1 Std. 30 Min.`,
 * `1h30`), as in ISO 8601 (`PT1H30M`), or as a bare number; `undefined` if the text is none.
 */
export function readLength(text: string): LengthCell | undefined {
  const plain = text.replaceAll(/[\u00a0\u202f\u2009]/g, ' ').trim()
  if (/^\d[\d.,' \u2019]*$/.test(plain)) return { number: plain }
  const ms = readIso(plain) ?? readClock(plain) ?? readUnits(plain)
  return ms === undefined ? undefined : { ms }
}

/** Returns a length beside which there are words, such as `30 min (lunch)` or `Mittag 0:45`. */
export function readLengthInText(text: string): LengthCell | undefined {
  const plain = text.trim()
  const [before = ''] = /^\D*/.exec(plain) ?? []
  if (!/^[\p{L}\s:.,(]*$/u.test(before)) return undefined
  const parts = plain.slice(before.length).replace(/[()]/g, ' ').trim().split(/\s+/)
  for (let count = Math.min(parts.length, 6); count > 0; count -= 1) {
    const found = readLength(
      parts
        .slice(0, count)
        .join(' ')
        .replace(/[,;:]$/, ''),
    )
    if (found) return /\d/.test(parts.slice(count).join('')) ? undefined : found
  }
  return undefined
}

function readIso(text: string): DurationMs | undefined {
  const number = String.raw`(\d{1,9}(?:[.,]\d{1,6})?)`
  const pattern = new RegExp(`^P(?:${number}D)?(?:T(?:${number}H)?(?:${number}M)?(?:${number}S)?)?$`, 'i')
  const [whole, days, hours, minutes, seconds] = pattern.exec(text) ?? []
  if (whole === undefined || /^PT?$/i.test(whole)) return undefined
  const of = (part: string | undefined, ms: number) => Number((part ?? '0').replace(',', '.')) * ms
  return Math.round(of(days, 24 * HOUR_MS) + of(hours, HOUR_MS) + of(minutes, MINUTE_MS) + of(seconds, SECOND_MS))
}

const CLOCK = new RegExp(String.raw`^(\d{1,6}):([0-5]?\d)(?::([0-5]?\d)(?:[.,]\d+)?)?(?:\s*${units}\.?)?$`, 'i')

/** Returns a length by the clock. Before "min" it has minutes and seconds. */
function readClock(text: string): DurationMs | undefined {
  const match = CLOCK.exec(text)
  const [, first, second, third] = match ?? []
  if (!match || first === undefined || second === undefined) return undefined
  const { m, s } = match.groups ?? {}
  if (s !== undefined || (m !== undefined && third !== undefined)) return undefined
  if (m !== undefined) return Number(first) * MINUTE_MS + Number(second) * SECOND_MS
  return Number(first) * HOUR_MS + Number(second) * MINUTE_MS + Number(third ?? 0) * SECOND_MS
}

function readUnits(text: string): DurationMs | undefined {
  const part = new RegExp(
    String.raw`\s*(?:,|und|and|y|et)?\s*(\d{1,6}(?:[.,]\d{1,6})?)\s*(?:${units}(?![\p{L}])\.?|$)`,
    'iuy',
  )
  let [ms, hasHours] = [0, false]
  while (part.lastIndex < text.length) {
    const match = part.exec(text)
    const [, number] = match ?? []
    if (!match || number === undefined) return undefined
    const { h, m, s } = match.groups ?? {}
    const hasUnit = h !== undefined || m !== undefined || s !== undefined
    // Behind hours, a number without a unit is minutes: 1h30.
    if (!hasUnit && !(hasHours && /^\d\d?$/.test(number))) return undefined
    ms += Number(number.replace(',', '.')) * (h !== undefined ? HOUR_MS : s !== undefined ? SECOND_MS : MINUTE_MS)
    hasHours = h !== undefined
  }
  return text === '' ? undefined : Math.round(ms)
}

/**
 * Returns the length that a bare number states in a unit; `undefined` if it is none. One separator is that of the
 * decimals, since no entry lasts a thousand hours; in minutes and seconds, three digits behind it are thousands.
 */
export function lengthIn(text: string, unit: LengthUnit): DurationMs | undefined {
  if (unit === 'clock') return readClock(text.replace(/[.,]/, ':')) ?? lengthIn(text, 'hours')
  const digits = text.replaceAll(/[' \u2019]/g, '')
  const separators = digits.match(/[.,]/g) ?? []
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  const isThousands =
    new Set(separators).size === 1 && (separators.length > 1 || (unit !== 'hours' && isGrouped(digits)))
  const plain = separators.length === 0 || isThousands ? digits.replaceAll(/[.,]/g, '') : decimalAt(digits, last)
  const number = /^\d+(?:\.\d*)?$/.test(plain) ? Number(plain) : undefined
  if (number === undefined) return undefined
  return Math.round(number * { hours: HOUR_MS, minutes: MINUTE_MS, seconds: SECOND_MS }[unit])
}

const isGrouped = (digits: string) => /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)

function decimalAt(digits: string, at: number): string {
  return `${digits.slice(0, at).replaceAll(/[.,]/g, '')}.${digits.slice(at + 1)}`
}

/** A bare number of a column, with the lengths that the other cells of its row leave possible, if they say so. */
export interface NumberOfColumn {
  number: string
  expectedMs: readonly DurationMs[]
}

/**
 * Returns the unit of the bare numbers of a column, as far as they prove it: by the other cells of their rows, else by
 * their size. What they leave open is returned as a list.
 */
export function findUnit(
  cells: readonly NumberOfColumn[],
  column: 'duration' | 'break',
  hasDottedTimes: boolean,
): LengthUnit | readonly LengthUnit[] {
  const numbers = cells.filter(({ number }) => lengthIn(number, 'hours') !== 0)
  if (numbers.length === 0) return 'hours'
  const proven = lengthUnits
    .map((unit) => ({ unit, count: numbers.filter((cell) => fits(cell, unit)).length }))
    .filter(({ count }) => count * 2 > numbers.length)
    .toSorted((a, b) => b.count - a.count)
  if (proven[0]) return proven[0].unit
  const values = numbers.map(({ number }) => (lengthIn(number, 'hours') ?? 0) / HOUR_MS)
  if (values.some((value) => !Number.isInteger(value))) return unitOfFractions(numbers, hasDottedTimes)
  const most = values.reduce((max, value) => Math.max(max, value), 0)
  return column === 'break' ? unitOfBreaks(most, values) : unitOfDurations(most)
}

function fits({ number, expectedMs }: NumberOfColumn, unit: LengthUnit): boolean {
  const ms = lengthIn(number, unit)
  return ms !== undefined && expectedMs.some((expected) => expected > 0 && Math.abs(expected - ms) <= MINUTE_MS)
}

/** Minutes that are usual by the clock, and unusual as hundredths of an hour. */
const CLOCK_MINUTES = new Set(['00', '05', '10', '15', '20', '30', '35', '40', '45', '55'])

function unitOfFractions(numbers: readonly NumberOfColumn[], hasDottedTimes: boolean): LengthUnit | LengthUnit[] {
  const minutes = numbers.map(({ number }) => /^\d{1,3}\.(\d\d)$/.exec(number)?.[1])
  if (!minutes.every((two) => two !== undefined && CLOCK_MINUTES.has(two))) return 'hours'
  return hasDottedTimes ? 'clock' : ['hours', 'clock']
}

function unitOfBreaks(most: number, values: readonly number[]): LengthUnit | LengthUnit[] {
  if (most > 240 && values.every((value) => value % 60 === 0)) return 'seconds'
  return most > 4 ? 'minutes' : ['hours', 'minutes']
}

/** An entry lasts 31 days at most, and a day has 1,440 minutes. */
function unitOfDurations(most: number): LengthUnit | LengthUnit[] {
  if (most <= 24) return 'hours'
  if (most > 1_440) return 'seconds'
  return most > 744 ? 'minutes' : ['minutes', 'hours']
}
