import { addDays, type DateRange, daysBetween, type LocalDate } from '@saldo/core'

/** The lengths to choose from, in days. */
export const spans = { quarter: 91, year: 365, threeYears: 1_096, all: Number.POSITIVE_INFINITY } as const

export type Span = keyof typeof spans

const MIN_DAYS = 14

/** Returns the end of the whole range, as long as the span. */
export function lastDays(whole: DateRange, span: Span): DateRange {
  return rangeWithin(whole, whole.to, spans[span])
}

/** Moves a range by half its length to earlier (−1) or later (1) dates, within the whole. */
export function moved({ from, to }: DateRange, whole: DateRange, direction: -1 | 1): DateRange {
  const days = daysBetween(from, to)
  return rangeWithin(whole, addDays(from, direction * Math.round(days / 2)), days)
}

/** Halves or doubles a range within the whole; the date in `focus` keeps its place. */
export function zoomed(
  { from, to }: DateRange,
  whole: DateRange,
  focus: LocalDate,
  direction: 'in' | 'out',
): DateRange {
  const oldDays = daysBetween(from, to)
  const days = Math.max(MIN_DAYS, Math.round(oldDays * (direction === 'in' ? 0.5 : 2)))
  const share = daysBetween(from, focus) / Math.max(1, oldDays)
  return rangeWithin(whole, addDays(focus, -Math.round(days * share)), days)
}

/** Returns the range between two dates in either order; `undefined` if they are the same. */
export function rangeBetween(a: LocalDate, b: LocalDate): DateRange | undefined {
  if (a === b) return undefined
  return a < b ? { from: a, to: b } : { from: b, to: a }
}

/** Returns the days from a date on, moved into the whole range; all of it if it is shorter. */
function rangeWithin(whole: DateRange, from: LocalDate, days: number): DateRange {
  if (days >= daysBetween(whole.from, whole.to)) return whole
  if (from < whole.from) return { from: whole.from, to: addDays(whole.from, days) }
  const to = addDays(from, days)
  return to > whole.to ? { from: addDays(whole.to, -days), to: whole.to } : { from, to }
}
