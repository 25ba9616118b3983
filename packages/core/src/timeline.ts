import { addDays, type DateRange, FIRST_DATE, LAST_DATE, utcDate } from './date.ts'
import type { Interval } from './interval.ts'
import type { Settings } from './record.ts'
import type { EpochMs, LocalDate } from './values.ts'
import { firstInstant, type ZoneName } from './zone.ts'

/** What the account reads of a settings row. */
export type SettingsRow = Pick<
  Settings,
  'id' | 'created_at' | 'effective_from' | 'time_zone' | 'target_ms' | 'break_policy' | 'auto_close'
>

/** The settings of a user over time, one row per effective date, in date order. */
export type Timeline<Row extends SettingsRow = SettingsRow> = readonly Row[]

/**
 * The timeline of a user's live settings rows. Of several rows with one `effective_from`, the one created last counts,
 * then the one with the greater id (D2).
 */
export function timelineOf<Row extends SettingsRow>(rows: readonly Row[]): Timeline<Row> {
  const byDate = new Map<LocalDate, Row>()
  for (const row of rows) {
    const rival = byDate.get(row.effective_from)
    if (!rival || isLater(row, rival)) byDate.set(row.effective_from, row)
  }
  return [...byDate.values()].sort((a, b) => (a.effective_from < b.effective_from ? -1 : 1))
}

function isLater(row: SettingsRow, rival: SettingsRow): boolean {
  return row.created_at === rival.created_at ? row.id > rival.id : row.created_at > rival.created_at
}

/** The row in force on a date, or `undefined` before the first: such a date is outside the account (D3). */
export function settingsOn<Row extends SettingsRow>(timeline: Timeline<Row>, date: LocalDate): Row | undefined {
  return timeline[countUntil(timeline, date) - 1]
}

/** How many rows begin on a date or before it. */
function countUntil(timeline: Timeline, date: LocalDate): number {
  let low = 0
  let high = timeline.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((timeline[middle] as SettingsRow).effective_from <= date) low = middle + 1
    else high = middle
  }
  return low
}

/** The dates that a row effective from `effectiveFrom` governs in a timeline; `to` is null where it has no end. */
export function rangeGoverned(timeline: Timeline, effectiveFrom: LocalDate): { from: LocalDate; to: LocalDate | null } {
  const next = timeline[countUntil(timeline, effectiveFrom)]
  return { from: effectiveFrom, to: next ? addDays(next.effective_from, -1) : null }
}

/** The zone that decides the borders of a date. Before the account begins it is the first row's. */
export function zoneOn(timeline: Timeline, date: LocalDate): ZoneName {
  return (settingsOn(timeline, date) ?? timeline[0])?.time_zone ?? 'UTC'
}

/**
 * Where the window of a date starts: the later of the first instants of the date and of the date before it, each in
 * the zone in force on it (D3). So windows tile time, whatever the zones do.
 */
export function dayStart(timeline: Timeline, date: LocalDate): EpochMs {
  const before = addDays(date, -1)
  return Math.max(firstInstant(date, zoneOn(timeline, date)), firstInstant(before, zoneOn(timeline, before)))
}

/** The window of a date (D3): usually 24 hours, on some days shorter, longer or empty. */
export function dayWindow(timeline: Timeline, date: LocalDate): Interval {
  return { start: dayStart(timeline, date), end: dayStart(timeline, addDays(date, 1)) }
}

/** The date whose window holds an instant; the first or last date there is for what lies before or behind them all. */
export function dateAt(timeline: Timeline, ms: EpochMs): LocalDate {
  // No zone is farther than a day from UTC, and no window starts later than its date's last zone: a step or two.
  let date = utcDate(ms)
  while (date > FIRST_DATE && ms < dayStart(timeline, date)) date = addDays(date, -1)
  while (date < LAST_DATE && ms >= dayStart(timeline, addDays(date, 1))) date = addDays(date, 1)
  return date
}

/** The dates whose windows an interval meets, or `undefined` for an empty one. */
export function datesTouched(timeline: Timeline, { start, end }: Interval): DateRange | undefined {
  if (end <= start) return undefined
  return { from: dateAt(timeline, start), to: dateAt(timeline, end - 1) }
}
