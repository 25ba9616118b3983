import { type DurationMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '@saldo/core'
import {
  type DurationUnit,
  durationOfNumber,
  durationUnits,
  readWrittenDuration,
  type WrittenDuration,
} from '../reading/durations.ts'
import { LONGEST_TEXT } from '../reading/line.ts'

/** Signs that say that a cell holds nothing. */
const NOTHING = /^(?:[-\u2013\u2014.?*/]+|n\/?a|null|nil|none|no|kein(?:e|er)?|ohne|nein)$/i

/** True for an empty cell, and for one with a sign or word that says so. */
export function isEmptyCell(text: string): boolean {
  return text.trim() === '' || NOTHING.test(text.trim())
}

/** Returns a length beside which there are words, such as `30 min (lunch)` or `Mittag 0:45`. */
export function readLengthInText(text: string): WrittenDuration | undefined {
  const plain = text.trim()
  if (plain.length > LONGEST_TEXT) return undefined
  const [before = ''] = /^\D*/.exec(plain) ?? []
  if (!/^[\p{L}\s:.,(]*$/u.test(before)) return undefined
  const parts = plain.slice(before.length).replace(/[()]/g, ' ').trim().split(/\s+/)
  for (let count = Math.min(parts.length, 6); count > 0; count -= 1) {
    const found = readWrittenDuration(
      parts
        .slice(0, count)
        .join(' ')
        .replace(/[,;:]$/, ''),
    )
    if (found) return /\d/.test(parts.slice(count).join('')) ? undefined : found
  }
  return undefined
}

/** A bare number of a column, with the lengths that the other cells of its row leave possible, if they say so. */
export interface NumberOfColumn {
  number: string
  expectedMs: readonly DurationMs[]
}

/**
 * Returns the unit of the bare numbers of a column, as far as they prove it: by the other cells of their rows, else by
 * their size. What they leave open is returned as a list. `times` says that the times of the table are written as
 * `8.30`, or as parts of a day.
 */
export function findUnit(
  cells: readonly NumberOfColumn[],
  column: 'duration' | 'break',
  times: 'dotted' | 'serial' | undefined,
): DurationUnit | readonly DurationUnit[] {
  const numbers = cells.filter(({ number }) => durationOfNumber(number, 'hours') !== 0)
  if (numbers.length === 0) return 'hours'
  const proven = durationUnits
    .map((unit) => ({ unit, count: numbers.filter((cell) => fits(cell, unit)).length }))
    .filter(({ count }) => count * 2 > numbers.length)
    .toSorted((a, b) => b.count - a.count)
  if (proven[0]) return proven[0].unit
  const values = numbers.map(({ number }) => (durationOfNumber(number, 'hours') ?? 0) / HOUR_MS)
  if (values.some((value) => !Number.isInteger(value))) return unitOfFractions(numbers, times)
  const most = values.reduce((max, value) => Math.max(max, value), 0)
  return column === 'break' ? unitOfBreaks(most, values) : unitOfDurations(most)
}

function fits({ number, expectedMs }: NumberOfColumn, unit: DurationUnit): boolean {
  const ms = durationOfNumber(number, unit)
  return ms !== undefined && expectedMs.some((expected) => expected > 0 && Math.abs(expected - ms) <= MINUTE_MS)
}

/** Minutes that are usual by the clock, and unusual as hundredths of an hour. */
const CLOCK_MINUTES = new Set(['00', '05', '10', '15', '20', '30', '35', '40', '45', '55'])

function unitOfFractions(
  numbers: readonly NumberOfColumn[],
  times: 'dotted' | 'serial' | undefined,
): DurationUnit | DurationUnit[] {
  const areBelowOne = numbers.every(({ number }) => /^0?[.,]\d+$/.test(number))
  if (areBelowOne && times === 'serial') return 'days'
  // Hundredths of an hour have two decimals.
  const areLong = areBelowOne && numbers.some(({ number }) => /^0?[.,]\d{3}/.test(number))
  if (areLong && areMinutes(numbers, 'days')) return areMinutes(numbers, 'hours') ? ['days', 'hours'] : 'days'
  const minutes = numbers.map(({ number }) => /^\d{1,3}[.,](\d\d)$/.exec(number)?.[1])
  if (!minutes.every((two) => two !== undefined && CLOCK_MINUTES.has(two))) return 'hours'
  return times === 'dotted' ? 'clock' : ['hours', 'clock']
}

function areMinutes(numbers: readonly NumberOfColumn[], unit: DurationUnit): boolean {
  return numbers.every(({ number }) => Math.round((durationOfNumber(number, unit) ?? 0) / SECOND_MS) % 60 === 0)
}

function unitOfBreaks(most: number, values: readonly number[]): DurationUnit | DurationUnit[] {
  if (most > 240 && values.every((value) => value % 60 === 0)) return 'seconds'
  return most > 4 ? 'minutes' : ['hours', 'minutes']
}

/** An entry lasts 31 days at most, and a day has 1,440 minutes. Few entries have more than 12 whole hours. */
function unitOfDurations(most: number): DurationUnit | DurationUnit[] {
  if (most <= 12) return 'hours'
  if (most > 1_440) return 'seconds'
  return most > 744 ? 'minutes' : ['minutes', 'hours']
}
