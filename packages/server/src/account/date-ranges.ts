import { addDays, type DateRange, daysBetween, FIRST_DATE, LAST_DATE, type LocalDate } from '@saldo/core'

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

/** Returns the date `days` days after `date`, or the first or last date there is if that lies beyond it. */
export function addDaysWithinCalendar(date: LocalDate, days: number): LocalDate {
  if (days < daysBetween(date, FIRST_DATE)) return FIRST_DATE
  if (days > daysBetween(date, LAST_DATE)) return LAST_DATE
  return addDays(date, days)
}
