import {
  addDays,
  DAY_MS,
  type DurationMs,
  type EpochMs,
  firstInstant,
  type LocalDate,
  utcDate,
  type ZoneName,
} from '@saldo/core'
import type { Oddity } from './file.ts'

/** The instants that a local time can mean. Both are the same on all but the days on which clocks change. */
export interface ResolvedTime {
  firstMs: EpochMs
  lastMs: EpochMs
  oddities: Oddity[]
}

/**
 * Returns what a time on the wall means in a zone; 24:00 is the end of the date. A time in the gap of a clock change
 * means the time after it by the clock before it, as RFC 5545 reads it.
 */
export function resolveLocal(date: LocalDate, clockMs: DurationMs, zone: ZoneName): ResolvedTime {
  const midnightMs = firstInstant(date, zone)
  const isRegular = firstInstant(addDays(date, 1), zone) - midnightMs === DAY_MS
  if (isRegular) return { firstMs: midnightMs + clockMs, lastMs: midnightMs + clockMs, oddities: [] }
  const local = Temporal.PlainDateTime.from(date).add({ milliseconds: clockMs })
  const first = local.toZonedDateTime(zone, { disambiguation: 'earlier' })
  const last = local.toZonedDateTime(zone, { disambiguation: 'later' })
  const [firstMs, lastMs] = [first.epochMilliseconds, last.epochMilliseconds]
  if (firstMs === lastMs) return { firstMs, lastMs, oddities: [] }
  const isRepeated = first.toPlainDateTime().equals(local)
  if (isRepeated) return { firstMs, lastMs, oddities: ['clock_change_repeated_hour'] }
  return { firstMs: lastMs, lastMs, oddities: ['clock_change_gap'] }
}

/** Returns the date that a calendar in a zone shows at an instant. */
export function dateIn(ms: EpochMs, zone: ZoneName): LocalDate {
  const date = utcDate(ms)
  if (ms < firstInstant(date, zone)) return addDays(date, -1)
  const next = addDays(date, 1)
  return ms < firstInstant(next, zone) ? date : next
}
