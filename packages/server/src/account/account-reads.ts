import {
  type Adjustment,
  addDays,
  allDates,
  buildTimeline,
  type ClosedDay,
  type ClosedWeek,
  computeDays,
  type DateRange,
  type DayFigures,
  dayStart,
  type HolidaySettings,
  type IdentifiedEntry,
  type RecordKind,
  type RecordOf,
  type Settings,
  type Timeline,
} from '@saldo/core'
import type { EntrySpan, UserReader } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'

/** Reads the fields of the settings rows that the account and the holidays need. */
export async function readTimeline(reader: UserReader): Promise<Timeline<HolidaySettings>> {
  return buildTimeline(await reader.settingsRows())
}

/** Reads the entries that can alter the figures of a range of dates, by start. */
export function readEntries(reader: UserReader, timeline: Timeline, range: DateRange): Promise<IdentifiedEntry[]> {
  return reader.accountEntries(entrySpan(timeline, range))
}

/**
 * Returns the span in which the store finds the entries of a range of dates, timed ones and those on a date: these
 * overlap it with their UTC day, since no time zone is a day away from UTC.
 */
export function entrySpan(timeline: Timeline, { from, to }: DateRange): EntrySpan {
  return { from: dayStart(timeline, from), to: dayStart(timeline, addDays(to, 1)) }
}

/** Returns the figures of each day of a range, in order, by the records of the user. */
export async function computeFigures(reader: UserReader, timeline: Timeline, range: DateRange): Promise<DayFigures[]> {
  return computeDays(await readEntries(reader, timeline, range), timeline, range)
}

/** Reads the closed days of a range of dates, in order; at most `limit`. */
export function readClosedDays(reader: UserReader, range: DateRange, limit?: number): Promise<ClosedDay[]> {
  return readRecords(reader, 'closed_days', range, limit)
}

/** Reads the closed weeks whose Monday lies in a range of dates, in order. */
export function readClosedWeeks(reader: UserReader, range: DateRange): Promise<ClosedWeek[]> {
  return readRecords(reader, 'closed_weeks', range)
}

/** Reads all fields of all settings rows; `readTimeline` reads those that the account needs. */
export function readSettings(reader: UserReader): Promise<Settings[]> {
  return readRecords(reader, 'settings_history', allDates)
}

/** Reads all balance adjustments, by date. */
export function readAdjustments(reader: UserReader): Promise<Adjustment[]> {
  return readRecords(reader, 'balance_adjustments', allDates)
}

async function readRecords<K extends RecordKind>(
  reader: UserReader,
  kind: K,
  range: DateRange,
  limit?: number,
): Promise<RecordOf<K>[]> {
  const page = limit === undefined ? undefined : { limit }
  return (await reader.overlapping(kind, dateSpan(range), page)).map(({ fields }) => fields)
}
