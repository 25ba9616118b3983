import { addDays, daysBetween, FIRST_DATE, LAST_DATE, utcDate, weekdayIndex } from './date.ts'
import type { DateRange } from './date-range.ts'
import type { Interval } from './interval.ts'
import { jsonEqual } from './json.ts'
import { itemAt } from './list.ts'
import type { Settings } from './settings.ts'
import type { DurationMs, EpochMs, LocalDate } from './values.ts'
import { firstInstant, type ZoneName } from './zone.ts'

/** The fields of a settings row that the account and auto-close read. */
export type AccountSettings = Pick<
  Settings,
  'id' | 'effective_from' | 'time_zone' | 'target_ms' | 'break_policy' | 'auto_close'
>

/** The settings of a user over time: one row for each effective date, in date order. */
export type Timeline<Row extends AccountSettings = AccountSettings> = readonly Row[]

/**
 * Returns the timeline of a user's live settings rows. Of several rows with the same `effective_from` the one with the
 * greater id counts (D2.16): unlike a time, an id is the same after a restore.
 */
export function buildTimeline<Row extends AccountSettings>(rows: readonly Row[]): Timeline<Row> {
  const orderKeyOf = ({ effective_from, id }: Row) => `${effective_from} ${id}`
  const inOrder = rows.toSorted((a, b) => (orderKeyOf(a) < orderKeyOf(b) ? -1 : 1))
  return [...new Map(inOrder.map((row) => [row.effective_from, row])).values()]
}

/** The fields of a settings row that decide figures. */
const decisiveFields = ['effective_from', 'time_zone', 'target_ms', 'break_policy'] as const

/** True if two rows give each day the same figures; they can differ in anything else. */
export function haveSameFigures(one: AccountSettings, other: AccountSettings): boolean {
  return decisiveFields.every((field) => jsonEqual(one[field], other[field]))
}

/** Returns the row in force on a date, `undefined` before the first: such a date is outside the account (D3.16). */
export function settingsOn<Row extends AccountSettings>(timeline: Timeline<Row>, date: LocalDate): Row | undefined {
  // Long computations ask for many dates, of a timeline that can have hundreds of rows.
  let [from, to] = [0, timeline.length]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if (itemAt(timeline, middle).effective_from <= date) from = middle + 1
    else to = middle
  }
  return timeline[from - 1]
}

/** Returns the planned time of a date, before absences reduce it; 0 outside the account. */
export function plannedOn(timeline: Timeline, date: LocalDate): DurationMs {
  const row = settingsOn(timeline, date)
  return row ? plannedUnder(row, date) : 0
}

/** Returns the planned time of a date under the row in force on it (D14.1). */
export function plannedUnder(row: Pick<AccountSettings, 'effective_from' | 'target_ms'>, date: LocalDate): DurationMs {
  return itemAt(row.target_ms, 7 * rotationWeek(row, date) + weekdayIndex(date))
}

/**
 * Returns the week of a row's rotation that a date lies in, 0 for the first; always 0 for a row of one week. `date` is
 * not before the Monday of the row's first week.
 */
export function rotationWeek(
  { effective_from, target_ms }: Pick<AccountSettings, 'effective_from' | 'target_ms'>,
  date: LocalDate,
): number {
  const daysSinceMonday = daysBetween(effective_from, date) + weekdayIndex(effective_from)
  return Math.floor(daysSinceMonday / 7) % (target_ms.length / 7)
}

/** Returns the dates on which a row effective from `effectiveFrom` is in force; `to` is null if they do not end. */
export function rangeInForce(timeline: Timeline, effectiveFrom: LocalDate): { from: LocalDate; to: LocalDate | null } {
  const next = timeline.find(({ effective_from }) => effective_from > effectiveFrom)
  return { from: effectiveFrom, to: next ? addDays(next.effective_from, -1) : null }
}

/** Returns the time zone in force on a date. Before the account begins it is that of the first row. */
export function zoneOn(timeline: Timeline, date: LocalDate): ZoneName {
  return (settingsOn(timeline, date) ?? timeline[0])?.time_zone ?? 'UTC'
}

/**
 * Returns the start of the window of a date: the later of the first instants of the date and of the date before it,
 * each in the zone in force on it (D3.3). So windows cover time without gaps or overlaps, in whatever way zones change.
 */
export function dayStart(timeline: Timeline, date: LocalDate): EpochMs {
  const dayBefore = addDays(date, -1)
  return Math.max(firstInstant(date, zoneOn(timeline, date)), firstInstant(dayBefore, zoneOn(timeline, dayBefore)))
}

/** Returns the window of a date (D3.3): usually 24 hours, on some dates shorter, longer or empty. */
export function dayWindow(timeline: Timeline, date: LocalDate): Interval {
  return { start: dayStart(timeline, date), end: dayStart(timeline, addDays(date, 1)) }
}

/** True if the window of a date is over at an instant. */
export function hasEnded(timeline: Timeline, date: LocalDate, atMs: EpochMs): boolean {
  return atMs >= dayStart(timeline, addDays(date, 1))
}

/** Returns the date whose window contains an instant, the first or the last date for instants outside all windows. */
export function dateAt(timeline: Timeline, ms: EpochMs): LocalDate {
  // Every zone is less than a day from UTC, so a step or two are enough.
  let date = utcDate(ms)
  while (date > FIRST_DATE && ms < dayStart(timeline, date)) date = addDays(date, -1)
  while (date < LAST_DATE && ms >= dayStart(timeline, addDays(date, 1))) date = addDays(date, 1)
  return date
}

/** Returns the dates whose windows an interval overlaps, `undefined` for an empty interval. */
export function datesOverlapping(timeline: Timeline, { start, end }: Interval): DateRange | undefined {
  if (end <= start) return undefined
  return { from: dateAt(timeline, start), to: dateAt(timeline, end - 1) }
}
