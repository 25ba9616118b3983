import type { BalancePoint } from '@saldo/client/account'
import type { LocalDate } from '@saldo/core'

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
