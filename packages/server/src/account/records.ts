import {
  addDays,
  type ClosedDay,
  type ClosedWeek,
  DAY_MS,
  type DateRange,
  dayStart,
  type Entry,
  FIRST_DATE,
  type JsonObject,
  LAST_DATE,
  type LocalDate,
  type Settings,
  type Timeline,
  timelineOf,
  utcMidnight,
} from '@saldo/core'
import type { Span, StoredRecord, UserReader } from '../store/store.ts'

/** The fields of a stored record. */
export function fieldsOf<Fields extends JsonObject = JsonObject>({ body }: StoredRecord): Fields {
  return JSON.parse(body) as Fields
}

/** The user's settings over time. */
export async function readTimeline(reader: UserReader): Promise<Timeline<Settings>> {
  return timelineOf((await reader.live('settings_history')).map((record) => fieldsOf(record) as Settings))
}

/** The entries that can matter to a range of dates. */
export async function readEntries(reader: UserReader, timeline: Timeline, { from, to }: DateRange): Promise<Entry[]> {
  const span = {
    from: Math.min(dayStart(timeline, from), utcMidnight(from)),
    to: Math.max(dayStart(timeline, addDays(to, 1)), utcMidnight(to) + DAY_MS),
  }
  return (await reader.meeting('entries', span)).map((record) => fieldsOf(record) as Entry)
}

/** The live closed days of a range of dates, in order; at most `limit`. */
export async function readClosedDays(reader: UserReader, range: DateRange, limit?: number): Promise<ClosedDay[]> {
  const page = limit === undefined ? undefined : { limit }
  return (await reader.meeting('closed_days', dateSpan(range), page)).map((record) => fieldsOf(record) as ClosedDay)
}

/** The live closed weeks whose Monday lies in a range of dates, in order. */
export async function readClosedWeeks(reader: UserReader, range: DateRange): Promise<ClosedWeek[]> {
  return (await reader.meeting('closed_weeks', dateSpan(range))).map((record) => fieldsOf(record) as ClosedWeek)
}

/** Where records of dates lie on the store's number line. */
export function dateSpan({ from, to }: DateRange): Span {
  return { from: utcMidnight(from), to: utcMidnight(to) + DAY_MS }
}

/** Every date there is. */
export const allDates: DateRange = { from: FIRST_DATE, to: LAST_DATE }

/** Ranges in order, those that overlap or lie at most `gap` days apart made one. */
export function mergeRanges(ranges: readonly DateRange[], gap = 0): DateRange[] {
  const merged: DateRange[] = []
  for (const range of ranges.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = merged.at(-1)
    if (last && range.from <= shifted(last.to, gap + 1)) last.to = range.to > last.to ? range.to : last.to
    else merged.push({ ...range })
  }
  return merged
}

/** `date` moved by days, kept among the dates there are. */
export function shifted(date: LocalDate, days: number): LocalDate {
  const moved = Math.min(Math.max(utcMidnight(date) + days * DAY_MS, utcMidnight(FIRST_DATE)), utcMidnight(LAST_DATE))
  return new Date(moved).toISOString().slice(0, 10)
}
