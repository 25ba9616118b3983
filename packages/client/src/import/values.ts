import { DAY_MS, type DurationMs, instantOf, type LocalDate, normalizeInstant, SECOND_MS } from '@saldo/core'
import { readFullDate } from '../reading/dates.ts'
import { readWrittenDuration } from '../reading/durations.ts'
import { readTimeOfDay } from '../reading/times.ts'
import type { DateOrder } from '../reading/written-days.ts'
import type { FileTime } from './file.ts'
import { remembered } from './remembered.ts'

/**
 * A date whose year comes last, behind signs that do not tell the order of day and month, and the weekday before it.
 */
const YEAR_LAST = /^(\p{L}{2,12}[.,]{0,2}\s)?(\d{1,2})([-/.])\s?(\d{1,2})[-/.]\s?(\d{4}|\d{2})$/u

/**
 * Returns the order of day and month in all dates of a file. `undefined` if they can be read either way, or prove
 * both; dates with dots are written day first everywhere. A weekday proves the order in which the date lies on it.
 */
export function findDateOrder(texts: Iterable<string>): DateOrder | 'none' | undefined {
  let isNeeded = false
  let [isDayFirst, isMonthFirst] = [false, false]
  for (const text of texts) {
    const [, weekday, first, separator, second] = YEAR_LAST.exec(text) ?? []
    if (first === undefined || second === undefined || separator === '.') continue
    isNeeded = true
    const isRead = (order: DateOrder) => weekday === undefined || readDateCell(text, order) !== undefined
    isDayFirst ||= Number(first) > 12 || !isRead('mdy')
    isMonthFirst ||= Number(second) > 12 || !isRead('dmy')
  }
  if (!isNeeded) return 'none'
  if (isDayFirst === isMonthFirst) return undefined
  return isDayFirst ? 'dmy' : 'mdy'
}

/** The date 0 of spreadsheets and programs, which a time of day has that was written with a date. */
const ZERO_DATES = new Set(['1899-12-30', '1899-12-31', '1900-01-01', '1904-01-01', '1970-01-01'])

/** Returns a time or length without the date 0 before it: `30.12.1899 08:00:00`, `1/0/1900 8:00 AM`. */
function withoutZeroDate(text: string): string {
  const [, date = '', time = ''] = /^\s*(\d[\d./-]{7,9})(?:T|\s+)(\d.*)$/.exec(text) ?? []
  if (!/1899|19(?:00|04|70)/.test(date)) return text
  const first = date.replace(/(?<!\d)0?0(?!\d)/, '1')
  return ZERO_DATES.has(readDateCell(first, 'dmy') ?? readDateCell(first, 'mdy') ?? '') ? time : text
}

/** A part of a day, as spreadsheets count time. With two decimals it is a time of day, such as `0.30`. */
const PART_OF_DAY = /^0?[.,](\d|\d{3,})$/

/**
 * Returns a time of day in milliseconds since midnight, with 12 or 24 hours or as a part of a day; `undefined` if the
 * text is none.
 */
export const readTimeCell = remembered((text): DurationMs | undefined => {
  return readPartOfDay(text) ?? readTimeOfDay(withoutZeroDate(text).replace(/^(\s*\d\d?[:.]\d\d)\s?h\.?\s*$/i, '$1'))
})

/** Returns a length as a part of a day, as spreadsheets count it; `undefined` if the text is none. */
export function readPartOfDay(text: string): DurationMs | undefined {
  const [, decimals] = PART_OF_DAY.exec(text.trim()) ?? []
  return decimals === undefined ? undefined : toSeconds(Number(`0.${decimals}`) * DAY_MS)
}

const datesByOrder = {
  dmy: remembered((text) => readFullDate(text, 'dmy')),
  mdy: remembered((text) => readFullDate(text, 'mdy')),
}

/** Returns a date; `undefined` if the text is none in this order. */
export function readDateCell(text: string, order: DateOrder): LocalDate | undefined {
  return datesByOrder[order](text)
}

/** Returns a length of time in a cell. */
export const readLengthCell = remembered((text) => readWrittenDuration(withoutZeroDate(text)))

/** The days since 30 December 1899 that spreadsheets write where a column has no format of a date. */
const SERIAL_DATE = /^(\d{5})(?:[.,](\d+))?$/
const SERIAL_1970 = 25_569

/**
 * Splits a text of date and time, such as `2024-03-04 09:23`, RFC 3339 or the serial number of a spreadsheet. A time of
 * day is empty if there is none.
 */
export function readDateTime(text: string): FileTime | undefined {
  const trimmed = text.trim()
  const [, days, decimals = '0'] = SERIAL_DATE.exec(trimmed) ?? []
  if (days !== undefined) {
    const at = instantOf(toSeconds((Number(`${days}.${decimals}`) - SERIAL_1970) * DAY_MS))
    return { date: at.slice(0, 10), time: Number(decimals) === 0 ? '' : at.slice(11, 19) }
  }
  const [, epochSeconds, milliseconds = '', fraction = '0'] = EPOCH.exec(trimmed) ?? []
  if (epochSeconds !== undefined) {
    const seconds =
      milliseconds === '' ? Number(`${epochSeconds}.${fraction}`) : Number(epochSeconds + milliseconds) / 1_000
    return { at: Math.round(seconds * SECOND_MS) }
  }
  const [, day, clock, seconds = ':00', zone = ''] = WITH_ZONE.exec(trimmed) ?? []
  const instant = normalizeInstant(day === undefined ? trimmed : `${day}T${clock}${seconds}${offsetOf(zone)}`)
  if (instant !== undefined) return { at: Date.parse(instant) }
  const [, date, time = ''] =
    /^(\d[\d./-]*\d)(?:(?:T|,?\s+)(\d.*))?$/.exec(trimmed) ?? DATE_IN_WORDS.exec(trimmed) ?? []
  return date === undefined ? undefined : { date, time }
}

/** Seconds or milliseconds since 1970, from 2001 to 2286. */
const EPOCH = /^([1-9]\d{9})(\d{3})?(?:\.(\d+))?$/
/** A date and a time with its zone, however they are joined: `2026-11-02 08:00:00 +0100`. */
const WITH_ZONE = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?\s?(Z|UTC|GMT|[+-]\d\d:?\d\d)$/
/** `Nov 2, 2026, 8:00 AM`, `Montag, 2. November 2026 um 08:00`. */
const DATE_IN_WORDS = /^((?=.*\p{L}).{1,40}?\d{4}),?\s+(?:(?:at|um)\s+)?(\d{1,2}[:.]\d\d(?:\D.*)?)$/iu

function offsetOf(zone: string): string {
  return /^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(-2)}` : 'Z'
}

/** A range of times of day, as a cell states it. */
export interface TimeRange {
  from: string
  to: string
}

/** A longer cell is a text: nobody comes and goes a hundred times a day. */
const LONGEST_RANGES = 2_000

/** Returns the ranges of a cell that has times of day alone: `9:00-12:00`, `09:00 - 12:00, 12:30 bis 17:00`. */
export const timeRangesIn = remembered((text): readonly TimeRange[] => {
  if (text.length > LONGEST_RANGES) return []
  // Words in brackets behind a range tell where or why.
  const times = text.replace(/\([^()\d]{1,40}\)/g, '')
  const ranges = times.split(/[,;+&/\n]|\s(?:und|and|u\.)\s/).map((part): TimeRange => {
    const [from = '', to = '', ...others] = part
      .split(/\s(?:bis|to)\s|[-\u2013\u2014\u2192]/)
      .map((time) => time.trim())
    return { from, to: others.length === 0 ? to : '' }
  })
  const isTime = (time: string) => readTimeCell(time) !== undefined
  return ranges.every(({ from, to }) => isTime(from) && isTime(to)) ? ranges : []
})

/** Returns a time in whole seconds: a part of a day is rounded. */
function toSeconds(ms: number): number {
  return Math.round(ms / SECOND_MS) * SECOND_MS
}
