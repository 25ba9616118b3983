import type { BalancePoint } from '@saldo/client/account'
import { addDays, type DateRange, daysBetween, type LocalDate } from '@saldo/core'

/** Returns the last point of each month, the newest first. */
export function monthEnds(curve: readonly BalancePoint[]): BalancePoint[] {
  const byMonth = new Map(curve.map((point) => [point.date.slice(0, 7), point]))
  return [...byMonth.values()].reverse()
}

/** Returns about `maxPoints` evenly distributed points, with the first and the last. */
export function thinned(curve: readonly BalancePoint[], maxPoints: number): BalancePoint[] {
  const step = Math.max(1, Math.ceil(curve.length / maxPoints))
  return curve.filter((_, index) => index === 0 || (curve.length - 1 - index) % step === 0)
}

/** The lengths to choose from, in days. */
export const spans = { quarter: 91, year: 365, threeYears: 1_096, all: Number.POSITIVE_INFINITY } as const

export type CurveSpan = keyof typeof spans

const MIN_DAYS = 14

/** Returns the end of the whole range, as long as the span. */
export function lastDays(whole: DateRange, span: CurveSpan): DateRange {
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

const MAX_POINTS = 400

/** The part of a curve that is shown. */
interface ShownCurve {
  /** The dates of all of the curve. */
  whole: DateRange
  range: DateRange
  /** True if all of the curve is shown. */
  isWhole: boolean
  inRange: BalancePoint[]
  /** Those of the range that are drawn. */
  points: BalancePoint[]
  /** The last drawn point up to the date of the cursor; without one, the last of all. */
  cursor: BalancePoint
}

/** Returns what is shown of a curve; `undefined` if it has no points there. */
export function shownCurve(
  curve: readonly BalancePoint[],
  choice: CurveSpan | DateRange,
  cursorDate: LocalDate | undefined,
): ShownCurve | undefined {
  const [first, last] = [curve[0], curve.at(-1)]
  if (!first || !last) return undefined
  const whole = { from: first.date, to: last.date }
  const range = typeof choice === 'string' ? lastDays(whole, choice) : choice
  const isWhole = range.from === whole.from && range.to === whole.to
  const inRange = curve.filter(({ date }) => date >= range.from && date <= range.to)
  const points = thinned(inRange, MAX_POINTS)
  const cursor = points.findLast(({ date }) => cursorDate === undefined || date <= cursorDate) ?? points.at(-1)
  return cursor && { whole, range, isWhole, inRange, points, cursor }
}
