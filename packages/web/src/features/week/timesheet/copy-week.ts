import {
  addDays,
  contentOf,
  dateAt,
  type Entry,
  type EpochMs,
  epochMs,
  instantOf,
  type LocalDate,
  type Timeline,
  zoneOn,
} from '@saldo/core'
import type { Change } from '../../../domain/entries/changes.ts'
import { isTimedRecord, type TimedRecord } from '../../../domain/entries/parts.ts'

/**
 * Last week's work and breaks, each at the same time of the same weekday. Only onto dates of the week that are not
 * after
 * `today` and that have nothing yet: hours are typed again neither over others nor before they were worked.
 */
export function copiesOfLastWeek(
  lastWeek: readonly Entry[],
  thisWeek: readonly Entry[],
  dates: readonly LocalDate[],
  timeline: Timeline,
  today: LocalDate,
): Change[] {
  const dateOf = (entry: Entry) =>
    isTimedRecord(entry) ? dateAt(timeline, epochMs(entry.started_at)) : (entry.date as LocalDate)
  const isTaken = new Set(thisWeek.map(dateOf))
  const isWanted = (date: LocalDate) => dates.includes(date) && date <= today && !isTaken.has(date)
  return lastWeek.filter(isTimedRecord).flatMap((entry): Change[] => {
    const date = addDays(dateOf(entry), 7)
    return entry.ended_at !== null && isWanted(date) ? [copyOf(entry, entry.ended_at, timeline, date)] : []
  })
}

function copyOf(entry: TimedRecord, endedAt: string, timeline: Timeline, date: LocalDate): Change {
  const zone = zoneOn(timeline, date)
  const start = weekLater(epochMs(entry.started_at), zone)
  const end = Math.max(start, weekLater(epochMs(endedAt), zone))
  return {
    op: 'create',
    content: {
      ...contentOf(entry),
      kind: entry.kind,
      started_at: instantOf(start),
      ended_at: instantOf(end),
      time_zone: zone,
      source: 'timesheet',
      import_ref: null,
    },
  }
}

/** The same time on the wall, seven days on. */
function weekLater(ms: EpochMs, zone: string): EpochMs {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).add({ days: 7 }).epochMilliseconds
}
