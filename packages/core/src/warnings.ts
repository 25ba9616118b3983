import { sumShares, WHOLE_DAY } from './absence.ts'
import { intervalOf } from './account.ts'
import { epochMs } from './instant.ts'
import { clip, type Interval } from './interval.ts'
import { type Entry, isTimed } from './record.ts'
import { dateAt, dayWindow, type Timeline } from './timeline.ts'
import { DAY_MS, type LocalDate, type RecordId } from './values.ts'

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
export function dayWarnings(entries: readonly Entry[], timeline: Timeline, date: LocalDate): DayWarning[] {
  const window = dayWindow(timeline, date)
  const timed = entries.flatMap((entry) => {
    const interval = intervalOf(entry)
    if (!interval) return []
    const inside = clip(interval, window)
    return inside.start < inside.end ? [{ id: entry.id, kind: entry.kind, ...interval }] : []
  })
  const running = entries.filter(
    (entry) => isTimed(entry) && entry.ended_at === null && dateAt(timeline, epochMs(entry.started_at)) === date,
  )
  const absences = entries.filter((entry) => !isTimed(entry)).filter((absence) => absence.date === date)
  const found: Record<DayWarning['code'], RecordId[]> = {
    overlapping_work: overlapping(timed.filter(({ kind }) => kind === 'work')),
    long_entry: timed.filter(({ start, end }) => end - start > DAY_MS).map(({ id }) => id),
    still_running: running.map(({ id }) => id),
    several_running: running.length > 1 ? running.map(({ id }) => id) : [],
    absence_beyond_day: sumShares(absences) > WHOLE_DAY ? absences.map(({ id }) => id) : [],
  }
  return warningCodes.flatMap((code) => (found[code].length > 0 ? [{ code, entry_ids: found[code].sort() }] : []))
}

function overlapping(timed: (Interval & { id: RecordId })[]): RecordId[] {
  const ids = new Set<RecordId>()
  let latest: (typeof timed)[number] | undefined
  for (const entry of timed.toSorted((a, b) => a.start - b.start)) {
    if (latest && entry.start < latest.end) ids.add(latest.id).add(entry.id)
    if (!latest || entry.end > latest.end) latest = entry
  }
  return [...ids]
}
