import type { BalancePoint } from '@saldo/client/account'
import { type DurationMs, HOUR_MS, type LocalDate, MINUTE_MS } from '@saldo/core'

const STRIDES = [1, 2, 3, 6, 12, 24, 60]
const MIN_MONTHS = 3

/** Returns the first date of every month, or of every nth month; `undefined` for fewer than three months. */
export function monthTicks(points: readonly BalancePoint[], maxTicks: number): LocalDate[] | undefined {
  const firstByMonth = new Map<string, LocalDate>()
  // Leaves out the month of the first point, which may begin within it.
  for (const { date } of points.slice(1)) {
    const month = date.slice(0, 7)
    if (!firstByMonth.has(month) && month !== points[0]?.date.slice(0, 7)) firstByMonth.set(month, date)
  }
  if (firstByMonth.size < MIN_MONTHS) return undefined
  const stride = STRIDES.find((months) => firstByMonth.size / months <= maxTicks) ?? 120
  return [...firstByMonth].filter(([month]) => monthNumber(month) % stride === 0).map(([, date]) => date)
}

/** Returns the months since January of the year 0. */
function monthNumber(month: string): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1
}

const FEWEST_STEPS = 3
const MINUTES = [1, 5, 15, 30]
const DIGITS = [1, 2, 5]

/** Pixels around the plot, beside the labels of the balance: for labels of dates below, and for halves of labels. */
export const margin = { top: 10, right: 16, bottom: 26 }
/** Pixels between the plot and the labels of the balance at its left. */
export const LABEL_GAP = 8
/** Pixels that a character of a balance needs. */
const DIGIT_WIDTH = 8
/** Pixels that a label of a date needs, with the gap beside it. */
export const DATE_WIDTH = 116

/** Places in a drawing, in pixels from its left and its top. */
interface Plot {
  left: number
  right: number
  bottom: number
  xOf(index: number): number
  yOf(balanceMs: DurationMs): number
  /** Returns the index of the point that is nearest to a place from the left. */
  indexAt(x: number): number
  /** The balances with a line each, from the lowest to the highest; one is 0. */
  balances: DurationMs[]
}

/**
 * Places points, of which there is at least one, side by side in a drawing that is wider than its margins. At its left
 * is room for the labels of the balances.
 */
export function plotOf(
  points: readonly BalancePoint[],
  [width, height]: readonly [number, number],
  labelOf: (balanceMs: DurationMs) => string,
): Plot {
  const balances = balanceTicks(points)
  const left = LABEL_GAP + DIGIT_WIDTH * Math.max(...balances.map((balanceMs) => labelOf(balanceMs).length))
  const [lowest, highest] = [balances[0] as number, balances.at(-1) as number]
  const right = width - margin.right
  const bottom = height - margin.bottom
  const last = Math.max(points.length - 1, 1)
  return {
    left,
    right,
    bottom,
    xOf: (index) => left + (index / last) * (right - left),
    yOf: (balanceMs) => bottom - ((balanceMs - lowest) / (highest - lowest)) * (bottom - margin.top),
    indexAt: (x) => {
      const index = Math.round(((x - left) / (right - left)) * last)
      return Math.min(Math.max(index, 0), points.length - 1)
    },
    balances,
  }
}

/** Returns round balances at equal distances, with 0, that enclose those of the points: at least three steps. */
export function balanceTicks(points: readonly BalancePoint[]): DurationMs[] {
  const lowest = Math.min(0, ...points.map(({ balanceMs }) => balanceMs))
  const highest = Math.max(0, ...points.map(({ balanceMs }) => balanceMs))
  const step = stepOf((highest - lowest) / FEWEST_STEPS)
  const from = Math.floor(lowest / step)
  const to = Math.max(Math.ceil(highest / step), from + 1)
  return Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step)
}

/** Returns the greatest round step up to a length: minutes, or 1, 2 or 5 hours, tens or hundreds of them. */
function stepOf(mostMs: DurationMs): DurationMs {
  if (mostMs < HOUR_MS) return (MINUTES.findLast((minutes) => minutes * MINUTE_MS <= mostMs) ?? 1) * MINUTE_MS
  const power = 10 ** Math.floor(Math.log10(mostMs / HOUR_MS))
  return (DIGITS.findLast((digit) => digit * power * HOUR_MS <= mostMs) ?? 1) * power * HOUR_MS
}

/** Returns the dates with a label in a plot of a width: beginnings of months, or of a short time any dates. */
export function dateTicks(points: readonly BalancePoint[], width: number): { dates: LocalDate[]; areMonths: boolean } {
  const most = Math.max(1, Math.min(6, Math.floor(width / DATE_WIDTH)))
  const months = monthTicks(points, most)
  if (months) return { dates: months, areMonths: true }
  const stride = Math.ceil(points.length / most)
  return { dates: points.filter((_, index) => index % stride === 0).map(({ date }) => date), areMonths: false }
}

/** Returns the point of a curve that a key leads to, as its index; `undefined` for other keys. */
export function indexByKey(key: string, index: number, count: number): number | undefined {
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageUp: -30,
    PageDown: 30,
    Home: -count,
    End: count,
  }
  const by = steps[key]
  return by === undefined ? undefined : Math.min(count - 1, Math.max(0, index + by))
}
