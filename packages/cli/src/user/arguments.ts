import { clockText } from '@saldo/client/entries'
import { allValues, readDates, readDuration, readMoment, readTime, type TimeField } from '@saldo/client/reading'
import { DAY_MS, type DateRange, type DurationMs, type EpochMs, itemAt, type LocalDate } from '@saldo/core'
import { CommandError } from '../command-error.ts'
import { timeText } from './describe.ts'
import type { DeviceSession } from './session.ts'
import { hours } from './text.ts'

/** Reads a time of day, as minutes, an end beside its start. Throws `CommandError`. */
export function timeArgument(text: string, what: string, beside: TimeField = {}): number {
  const times = allValues(readTime(text, beside))
  const [minutes] = times
  if (minutes === undefined) throw new CommandError(`${what} must be a time such as 9:00`, 2)
  requireOne(times.map(clockText), what)
  return minutes
}

/** Throws `CommandError` if a time can mean several. */
export function requireOne(meanings: readonly string[], what: string): void {
  const [first, ...others] = meanings
  if (others.length === 0) return
  throw new CommandError(`${what} can mean ${meanings.join(' or ')}: give the time as in ${first}`, 2)
}

/** Reads a duration of at most a day, in which a bare number is hours. Throws `CommandError`. */
export function durationArgument(text: string, what: string): DurationMs {
  const reading = readDuration(text, 'hours')
  if (reading.kind === 'doubtful') {
    throw new CommandError(`${what} can mean ${reading.choices.map(hours).join(' or ')}: write it with a colon`, 2)
  }
  if (reading.kind === 'certain' && reading.value > 0 && reading.value <= DAY_MS) return reading.value
  throw new CommandError(`${what} must be a duration of at most a day such as 4, 2.5 or 1:30`, 2)
}

/**
 * Reads a time with or without a date, which is not ahead: of two that it can mean, one that is not before `sinceMs`.
 * Throws `CommandError`.
 */
export function pastArgument(text: string, what: string, session: DeviceSession, sinceMs: EpochMs): EpochMs {
  const { nowMs, zone, today } = session
  const read = allValues(readMoment(text, session))
  if (read.length === 0) throw new CommandError(`${what} must be a time such as 9:00 or yesterday 17:00`, 2)
  const past = read.filter((ms) => ms <= nowMs)
  if (past.length === 0) throw new CommandError(`${what} must not be after now`, 2)
  const fitting = past.filter((ms) => ms >= sinceMs)
  requireOne(
    fitting.map((ms) => timeText(ms, zone, today)),
    what,
  )
  return fitting[0] ?? itemAt(past, 0)
}

/** True if dates are of work, which is behind people, or of leave, which is ahead of them. */
interface Reading {
  today: LocalDate
  isAhead?: boolean
}

/** Reads a date. Throws `CommandError`. */
export function dateArgument(text: string, what: string, reading: Reading): LocalDate {
  const { from, to } = datesArgument(text, what, reading)
  if (from !== to) throw new CommandError(`${what} must be one date such as 2026-11-20`, 2)
  return from
}

/** Reads a date, or a first and a last one. Throws `CommandError` if the text can mean several. */
export function datesArgument(text: string, what: string, { today, isAhead = false }: Reading): DateRange {
  const [range, ...others] = readDates(text, { today, isAhead })
  if (!range) throw new CommandError(`${what} must be a date such as 2026-11-20, yesterday or 24.12.`, 2)
  if (others.length === 0) return range
  const meanings = [range, ...others].map(({ from, to }) => (from === to ? from : `${from}..${to}`)).join(' or ')
  throw new CommandError(`${what} can mean ${meanings}: give the date as in ${range.from}`, 2)
}
