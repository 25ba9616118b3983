import type { LocalDate } from '@saldo/core'
import type { BalancePoint } from '../ledger.ts'

const STRIDES = [1, 2, 3, 6, 12, 24, 60]
const LEAST_MONTHS = 3

/**
 * The first points of months, or of every second, third, sixth month or year; `undefined` where there are few
 * months.
 */
export function monthTicks(points: readonly BalancePoint[], most: number): LocalDate[] | undefined {
  const firstByMonth = new Map<string, LocalDate>()
  // The first point need not begin its month.
  for (const { date } of points.slice(1)) {
    const month = date.slice(0, 7)
    if (!firstByMonth.has(month) && month !== points[0]?.date.slice(0, 7)) firstByMonth.set(month, date)
  }
  if (firstByMonth.size < LEAST_MONTHS) return undefined
  const stride = STRIDES.find((months) => firstByMonth.size / months <= most) ?? 120
  return [...firstByMonth].filter(([month]) => monthNumber(month) % stride === 0).map(([, date]) => date)
}

/** Months since the year 0, January being 0 within its year. */
function monthNumber(month: string): number {
  return Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1
}
