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
  daysBetween,
  FIRST_DATE,
  type HolidaySettingsRow,
  LAST_DATE,
  type LocalDate,
  type Timeline,
  utcDate,
  utcMidnight,
} from '@saldo/core'
import type { IdentifiedEntry, Span, UserReader } from '../store/store.ts'
import { dateSpan, fieldsOf } from '../store/stored-records.ts'

export async function readTimeline(reader: UserReader): Promise<Timeline<HolidaySettingsRow>> {
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

/** Returns ranges in order, with those that overlap or adjoin each other merged. */
export function mergeRanges(ranges: readonly DateRange[]): DateRange[] {
  const merged: DateRange[] = []
  for (const { from, to } of ranges.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = merged.at(-1)
    if (last && from <= addDaysWithinCalendar(last.to, 1)) last.to = to > last.to ? to : last.to
    else merged.push({ from, to })
  }
  return merged
}

/** Returns ranges in order that do not overlap. A date has the other fields of the last given range that has it. */
export function disjointRanges<Range extends DateRange>(given: readonly Range[]): Range[] {
  const days = given.map(({ from, to }) => ({ first: utcMidnight(from), end: utcMidnight(to) + DAY_MS }))
  const borders = [...new Set(days.flatMap(({ first, end }) => [first, end]))].sort((a, b) => a - b)
  const beginning = Map.groupBy(given.keys(), (index) => days[index]?.first)
  const ending = Map.groupBy(given.keys(), (index) => days[index]?.end)
  const current = new Set<number>()
  const ranges: { range: Range; index: number }[] = []
  for (const [at, border] of borders.entries()) {
    for (const index of ending.get(border) ?? []) current.delete(index)
    for (const index of beginning.get(border) ?? []) current.add(index)
    const next = borders[at + 1]
    if (current.size === 0 || next === undefined) continue
    const index = Math.max(...current)
    const to = utcDate(next - DAY_MS)
    const last = ranges.at(-1)
    if (last?.index === index) last.range.to = to
    else ranges.push({ range: { ...(given[index] as Range), from: utcDate(border), to }, index })
  }
  return ranges.map(({ range }) => range)
}

/** Joins each two neighbours of ranges that are in order. A joined range has the other fields of its first. */
export function joinPairs<Range extends DateRange>(ranges: readonly Range[]): Range[] {
  return ranges.flatMap((range, index) => {
    if (index % 2 === 1) return []
    return [{ ...range, to: (ranges[index + 1] ?? range).to }]
  })
}

/** Returns the date `days` days after `date`, or the first or last date there is if that lies beyond it. */
export function addDaysWithinCalendar(date: LocalDate, days: number): LocalDate {
  if (days < daysBetween(date, FIRST_DATE)) return FIRST_DATE
  if (days > daysBetween(date, LAST_DATE)) return LAST_DATE
  return addDays(date, days)
}
