import { addDaysWithinCalendar, FIRST_DATE, LAST_DATE, utcDate, utcMidnight } from './date.ts'
import { DAY_MS, type LocalDate } from './values.ts'

/** The dates from `from` to `to`, both included; empty if `to` is before `from`. */
export interface DateRange {
  from: LocalDate
  to: LocalDate
}

/** Every date: the years 1 to 9999. */
export const allDates: DateRange = { from: FIRST_DATE, to: LAST_DATE }

/** True if a range has a date. */
export function hasDate({ from, to }: DateRange, date: LocalDate): boolean {
  return from <= date && date <= to
}

/** True if one of some ranges has a date. */
export function haveDate(ranges: readonly DateRange[], date: LocalDate): boolean {
  return ranges.some((range) => hasDate(range, date))
}

/** Yields the dates of a range in order. */
export function* datesIn({ from, to }: DateRange): Generator<LocalDate> {
  const lastMs = utcMidnight(to)
  for (let ms = utcMidnight(from); ms <= lastMs; ms += DAY_MS) yield utcDate(ms)
}

/** Yields a range in parts of `days` days, in order; the last may be shorter. */
export function* partsOf({ from, to }: DateRange, days: number): Generator<DateRange> {
  const lastMs = utcMidnight(to)
  for (let ms = utcMidnight(from); ms <= lastMs; ms += days * DAY_MS) {
    yield { from: utcDate(ms), to: utcDate(Math.min(ms + (days - 1) * DAY_MS, lastMs)) }
  }
}

/** Returns the dates that both ranges have. */
export function intersection(a: DateRange, b: DateRange): DateRange {
  return { from: a.from > b.from ? a.from : b.from, to: a.to < b.to ? a.to : b.to }
}

/** Returns the ranges of dates that a range of both lists has. */
export function intersections(a: readonly DateRange[], b: readonly DateRange[]): DateRange[] {
  const all = a.flatMap((one) => b.map((other) => intersection(one, other)))
  return all.filter(({ from, to }) => from <= to)
}

/** Returns ranges in order, with those that overlap or adjoin each other merged. */
export function mergeRanges(ranges: readonly DateRange[]): DateRange[] {
  const merged: DateRange[] = []
  for (const { from, to } of ranges.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = merged.at(-1)
    if (last && (from <= last.to || from === addDaysWithinCalendar(last.to, 1))) last.to = to > last.to ? to : last.to
    else merged.push({ from, to })
  }
  return merged
}

/** Returns the range from the first to the last date of ranges, `undefined` without any. */
export function rangeAround(ranges: readonly DateRange[]): DateRange | undefined {
  const [first] = ranges
  if (!first) return undefined
  let { from, to } = first
  for (const range of ranges) {
    if (range.from < from) from = range.from
    if (range.to > to) to = range.to
  }
  return { from, to }
}

/** Returns the items on each date of a range; `datesOf` returns the dates of an item, if it has any. */
export function groupByDates<T>(
  items: readonly T[],
  datesOf: (item: T) => DateRange | undefined,
  range: DateRange,
): Map<LocalDate, T[]> {
  const byDate = new Map<LocalDate, T[]>()
  for (const item of items) {
    const dates = datesOf(item)
    if (!dates) continue
    for (const date of datesIn(intersection(dates, range))) {
      const ofDate = byDate.get(date)
      if (ofDate) ofDate.push(item)
      else byDate.set(date, [item])
    }
  }
  return byDate
}
