import type { EntryMutation, TimedRecord } from '@saldo/client/entries'
import {
  addDays,
  contentOf,
  type DateRange,
  dateAt,
  type Entry,
  type EpochMs,
  epochMs,
  type Instant,
  instantOf,
  isRequest,
  isTimed,
  type LocalDate,
  type TimedEntryContent,
  type Timeline,
  zoneOn,
} from '@saldo/core'
import type { Week } from '../shown-week.ts'
import { projectsIn } from './cells.ts'

export type TimesheetRow = string | null

/** Returns the projects of the rows: none, for work without a project, those of the week, then added ones. */
export function projectRows(entries: readonly Entry[], added: readonly TimesheetRow[]): TimesheetRow[] {
  return [...new Set([null, ...projectsIn(entries), ...added])]
}

/** Returns the names of projects that have no row yet. */
export function projectsWithoutRow(all: readonly Entry[], rows: readonly TimesheetRow[]): string[] {
  return projectsIn(all)
    .filter((project) => project !== null)
    .filter((project) => !rows.includes(project))
}

/** Returns the days of the week before. */
export function weekBefore(dates: readonly LocalDate[]): DateRange {
  const [first, last] = [dates[0], dates.at(-1)] as [LocalDate, LocalDate]
  return { from: addDays(first, -7), to: addDays(last, -7) }
}

/** Returns the date that a narrow screen shows first: today, or the first one of another week. */
export function dateShownFirst({ dates, today }: Pick<Week, 'dates' | 'today'>): LocalDate {
  return dates.includes(today) ? today : (dates[0] as LocalDate)
}

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
): EntryMutation[] {
  const dateOf = (entry: Entry) => (isTimed(entry) ? dateAt(timeline, epochMs(entry.started_at)) : entry.date)
  const takenDates = new Set(thisWeek.filter((entry) => !isRequest(entry)).map(dateOf))
  const isTarget = (date: LocalDate) => dates.includes(date) && date <= today && !takenDates.has(date)
  return lastWeek.filter(isTimed).flatMap((entry): EntryMutation[] => {
    const date = addDays(dateOf(entry), 7)
    return entry.ended_at !== null && isTarget(date) ? [copyOf(entry, entry.ended_at, timeline, date)] : []
  })
}

function copyOf(entry: TimedRecord, endedAt: Instant, timeline: Timeline, date: LocalDate): EntryMutation {
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
