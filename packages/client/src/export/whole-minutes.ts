import { type DurationMs, MINUTE_MS } from '@saldo/core'

/** Returns a duration in whole minutes, rounded down. */
export function wholeMinutes(ms: DurationMs): number {
  return Math.floor(ms / MINUTE_MS)
}

/**
 * Rounds each duration to whole minutes, up or down, so that they add up to `total` minutes. The largest remainders are
 * rounded up, of equal ones the first; a duration of whole minutes stays (D13.3). Throws a `RangeError` if `total` is a
 * minute or more away from the sum.
 */
export function apportionMinutes(durationsMs: readonly DurationMs[], total: number): number[] {
  const floors = durationsMs.map(wholeMinutes)
  const remainders = durationsMs.map((ms, index) => ms - (floors[index] as number) * MINUTE_MS)
  const raised = total - floors.reduce((sum, minutes) => sum + minutes, 0)
  if (raised < 0 || raised > remainders.filter((ms) => ms > 0).length) {
    throw new RangeError(`${durationsMs.length} durations do not add up to ${total} minutes`)
  }
  const byRemainder = [...remainders.keys()].sort((a, b) => (remainders[b] as number) - (remainders[a] as number))
  const isRaised = new Set(byRemainder.slice(0, raised))
  return floors.map((minutes, index) => minutes + (isRaised.has(index) ? 1 : 0))
}
