import { type Absence, absencesBeyondDay } from './absence.ts'
import { type IdentifiedEntry, isAccountAbsence } from './account-function.ts'
import type { Interval } from './interval.ts'
import { dayWindow, plannedOn, type Timeline } from './timeline.ts'
import { DAY_MS, type LocalDate, type RecordId } from './values.ts'

/** The warnings about a day (D2.27). */
export const warningCodes = [
  'overlapping_work',
  'long_entry',
  'still_running',
  'several_running',
  'absence_beyond_day',
] as const

/** A warning about a day whose entries are valid but unusual (D2.27), with the ids of these entries. */
export interface DayWarning {
  code: (typeof warningCodes)[number]
  entry_ids: RecordId[]
}

/** Returns the warnings about a date; `entries` may include entries of other dates. */
export function dayWarnings(entries: readonly IdentifiedEntry[], timeline: Timeline, date: LocalDate): DayWarning[] {
  const window = dayWindow(timeline, date)
  const timed: TimedEntry[] = []
  const running: { id: RecordId }[] = []
  const absences: (Absence & { id: RecordId })[] = []
  for (const entry of entries) {
    if ('date' in entry) {
      if (isAccountAbsence(entry) && entry.date === date) absences.push(entry)
    } else if (entry.end === null) {
      if (window.start <= entry.start && entry.start < window.end) running.push(entry)
    } else if (Math.max(entry.start, window.start) < Math.min(entry.end, window.end)) {
      timed.push({ ...entry, end: entry.end })
    }
  }
  const found: Record<DayWarning['code'], RecordId[]> = {
    overlapping_work: overlapping(timed.filter(({ kind }) => kind === 'work')),
    long_entry: timed.filter(({ start, end }) => end - start > DAY_MS).map(({ id }) => id),
    still_running: running.map(({ id }) => id),
    several_running: running.length > 1 ? running.map(({ id }) => id) : [],
    absence_beyond_day: absencesBeyondDay(absences, plannedOn(timeline, date)).map(({ id }) => id),
  }
  return warningCodes.flatMap((code) => (found[code].length > 0 ? [{ code, entry_ids: found[code].sort() }] : []))
}

type TimedEntry = Interval & { id: RecordId; kind: 'work' | 'break' }

function overlapping(timed: TimedEntry[]): RecordId[] {
  const ids = new Set<RecordId>()
  let latest: TimedEntry | undefined
  for (const entry of timed.toSorted((a, b) => a.start - b.start)) {
    if (latest && entry.start < latest.end) ids.add(latest.id).add(entry.id)
    if (!latest || entry.end > latest.end) latest = entry
  }
  return [...ids]
}
