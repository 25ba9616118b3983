import {
  addDays,
  type ClosedDay,
  type ClosedWeek,
  DAY_MS,
  type DateRange,
  dayStart,
  type Entry,
  entriesByDate,
  FIRST_DATE,
  LAST_DATE,
  type LocalDate,
  type Settings,
  type Timeline,
  timelineOf,
  utcMidnight,
} from '@saldo/core'
import type { Span, UserReader } from '../store/store.ts'
import { fieldsOf } from './fields.ts'

type Optional<T> = { [K in keyof T]?: T[K] | undefined }

/** Every date there is. */
export const allDates: DateRange = { from: FIRST_DATE, to: LAST_DATE }

/** Returns the span in which the store finds the records of a range of dates; a bound that is left out is open. */
export function dateSpan({ from = FIRST_DATE, to = LAST_DATE }: Optional<DateRange>): Span {
  return { from: utcMidnight(from), to: utcMidnight(to) + DAY_MS }
}

/** Reads the user's settings over time. */
export async function readTimeline(reader: UserReader): Promise<Timeline<Settings>> {
  return timelineOf((await reader.allLive('settings_history')).map((record) => fieldsOf<Settings>(record)))
}

/** Reads the entries that can alter the figures of a range of dates. */
export async function readEntries(reader: UserReader, timeline: Timeline, { from, to }: DateRange): Promise<Entry[]> {
  const span = {
    from: Math.min(dayStart(timeline, from), utcMidnight(from)),
    to: Math.max(dayStart(timeline, addDays(to, 1)), utcMidnight(to) + DAY_MS),
  }
  return (await reader.overlapping('entries', span)).map((record) => fieldsOf<Entry>(record))
}

/** Reads the entries of a range of dates, by the dates whose figures they can alter. */
export async function readEntriesByDate(
  reader: UserReader,
  timeline: Timeline,
  range: DateRange,
): Promise<Map<LocalDate, Entry[]>> {
  return entriesByDate(await readEntries(reader, timeline, range), timeline, range)
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
