import { certainTime, readDates, readDuration, readMoment } from '@saldo/client/reading'
import { DAY_MS, type DateRange, type DurationMs, type EpochMs, type LocalDate } from '@saldo/core'
import { CommandError } from '../command-error.ts'
import type { DeviceSession } from './session.ts'
import { hours } from './text.ts'

/** Reads a time of day, as minutes. Throws `CommandError`. */
export function timeArgument(text: string, what: string): number {
  const minutes = certainTime(text)
  if (minutes === undefined) throw new CommandError(`${what} must be a time such as 9:00`, 2)
  return minutes
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

/** Reads a time with or without a date, which is not ahead. Throws `CommandError`. */
export function pastArgument(text: string, what: string, session: DeviceSession): EpochMs {
  const ms = readMoment(text, session)
  if (ms === undefined) throw new CommandError(`${what} must be a time such as 9:00 or yesterday 17:00`, 2)
  if (ms > session.nowMs) throw new CommandError(`${what} must not be after now`, 2)
  return ms
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
