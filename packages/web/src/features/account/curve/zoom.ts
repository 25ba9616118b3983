import { addDays, type DateRange, daysBetween } from '@saldo/core'

/** How much of the curve is shown, in days; `all` is all of it. */
export const spans = { quarter: 91, year: 365, threeYears: 1_096, all: Number.POSITIVE_INFINITY } as const

export type Span = keyof typeof spans

const LEAST_DAYS = 14

/** The last days of the whole that a span shows. */
export function lastDays(whole: DateRange, span: Span): DateRange {
  return within(whole, daysBetween(whole.from, whole.to), spans[span])
}

function within({ from, to }: DateRange, length: number, days: number): DateRange {
  return days >= length ? { from, to } : { from: addDays(to, -days), to }
}

/** The same length, half of it earlier (−1) or later (1), not beyond the whole. */
export function moved(shown: DateRange, whole: DateRange, direction: -1 | 1): DateRange {
  const length = daysBetween(shown.from, shown.to)
  const wanted = Math.max(1, Math.round(length / 2)) * direction
  const least = daysBetween(shown.from, whole.from)
  const most = daysBetween(shown.to, whole.to)
  const by = Math.min(most, Math.max(least, wanted))
  return { from: addDays(shown.from, by), to: addDays(shown.to, by) }
}

/** Half or twice the length around a date, not beyond the whole. */
export function zoomed(shown: DateRange, whole: DateRange, around: string, direction: 'in' | 'out'): DateRange {
  const factor = direction === 'in' ? 0.5 : 2
  const length = Math.max(LEAST_DAYS, Math.round(daysBetween(shown.from, shown.to) * factor))
  if (length >= daysBetween(whole.from, whole.to)) return whole
  const share = daysBetween(shown.from, around) / Math.max(1, daysBetween(shown.from, shown.to))
  const from = addDays(around, -Math.round(length * share))
  if (from < whole.from) return { from: whole.from, to: addDays(whole.from, length) }
  const to = addDays(from, length)
  return to > whole.to ? { from: addDays(whole.to, -length), to: whole.to } : { from, to }
}

export function isSame(a: DateRange, b: DateRange): boolean {
  return a.from === b.from && a.to === b.to
}
