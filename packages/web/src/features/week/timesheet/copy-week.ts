import { type Change, isTimedRecord, type TimedRecord } from '@saldo/client/entries'
import {
  addDays,
  contentOf,
  dateAt,
  type Entry,
  type EpochMs,
  epochMs,
  type Instant,
  instantOf,
  type LocalDate,
  type TimedEntryContent,
  type Timeline,
  zoneOn,
} from '@saldo/core'

/**
 * Copies last week's work and breaks to the same time of the same weekday, only onto dates up to `today` that have no
 * entries yet.
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
  const takenDates = new Set(thisWeek.map(dateOf))
  const isTarget = (date: LocalDate) => dates.includes(date) && date <= today && !takenDates.has(date)
  return lastWeek.filter(isTimedRecord).flatMap((entry): Change[] => {
    const date = addDays(dateOf(entry), 7)
    return entry.ended_at !== null && isTarget(date) ? [copyOf(entry, entry.ended_at, timeline, date)] : []
  })
}

function copyOf(entry: TimedRecord, endedAt: Instant, timeline: Timeline, date: LocalDate): Change {
  const zone = zoneOn(timeline, date)
  const start = weekLater(epochMs(entry.started_at), zone)
  const end = Math.max(start, weekLater(epochMs(endedAt), zone))
  return {
    op: 'create',
    content: {
      ...(contentOf(entry) as TimedEntryContent),
      started_at: instantOf(start),
      ended_at: instantOf(end),
      time_zone: zone,
      source: 'timesheet',
      import_ref: null,
    },
  }
}

/** Returns the same local time seven days later. */
function weekLater(ms: EpochMs, zone: string): EpochMs {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).add({ days: 7 }).epochMilliseconds
}
