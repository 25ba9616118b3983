import { parseWallTime, readDates, readMoment } from '@saldo/client/entries'
import type { DateRange, EpochMs, LocalDate } from '@saldo/core'
import { CommandError } from '../command-error.ts'
import type { DeviceSession } from './session.ts'

/** Reads a time of day, as minutes. Throws `CommandError`. */
export function timeArgument(text: string, what: string): number {
  const minutes = parseWallTime(text)
  if (minutes === undefined) throw new CommandError(`${what} must be a time such as 9:00`, 2)
  return minutes
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
