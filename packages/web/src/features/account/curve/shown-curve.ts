import type { BalancePoint } from '@saldo/client/account'
import type { DateRange, LocalDate } from '@saldo/core'
import { thinned } from './points.ts'
import { lastDays, type Span } from './zoom.ts'

const MAX_POINTS = 400

/** The part of a curve that is shown. */
export interface ShownCurve {
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
  choice: Span | DateRange,
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
