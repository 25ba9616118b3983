import type { BalancePoint } from '@saldo/client/account'

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
