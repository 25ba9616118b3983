import {
  addDays,
  buildTimeline,
  type ClosedDay,
  type ClosedWeek,
  computeDays,
  DAY_MS,
  type DateRange,
  type DayFigures,
  dayStart,
  type HolidaySettings,
  type IdentifiedEntry,
  type Timeline,
  utcMidnight,
} from '@saldo/core'
import type { Span, UserReader } from '../store/store.ts'
import { dateSpan, fieldsOf } from '../store/stored-records.ts'

export async function readTimeline(reader: UserReader): Promise<Timeline<HolidaySettings>> {
  return buildTimeline(await reader.settingsRows())
}

/** Reads the entries that can alter the figures of a range of dates, by start. */
export function readEntries(reader: UserReader, timeline: Timeline, range: DateRange): Promise<IdentifiedEntry[]> {
  return reader.accountEntries(entrySpan(timeline, range))
}

/** Returns the span in which the store finds the entries of a range of dates, timed ones and those on a date. */
export function entrySpan(timeline: Timeline, { from, to }: DateRange): Span {
  return {
    from: Math.min(dayStart(timeline, from), utcMidnight(from)),
    to: Math.max(dayStart(timeline, addDays(to, 1)), utcMidnight(to) + DAY_MS),
  }
}

/** Returns the figures of each day of a range, in order, by the records of the user. */
export async function computeFigures(reader: UserReader, timeline: Timeline, range: DateRange): Promise<DayFigures[]> {
  return computeDays(await readEntries(reader, timeline, range), timeline, range)
}

/** Reads the closed days of a range of dates, in order; at most `limit`. */
export async function readClosedDays(reader: UserReader, range: DateRange, limit?: number): Promise<ClosedDay[]> {
  const page = limit === undefined ? undefined : { limit }
  return (await reader.overlapping('closed_days', dateSpan(range), page)).map((record) => fieldsOf<ClosedDay>(record))
}

/** Reads the closed weeks whose Monday lies in a range of dates, in order. */
export async function readClosedWeeks(reader: UserReader, range: DateRange): Promise<ClosedWeek[]> {
  return (await reader.overlapping('closed_weeks', dateSpan(range))).map((record) => fieldsOf<ClosedWeek>(record))
}
