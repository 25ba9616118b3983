import { type DurationMs, MINUTE_MS } from '@saldo/core'

/**
 * Returns durations in whole minutes that add up to their sum in whole minutes, which is rounded down as everywhere.
 * The minutes that rounding down leaves go to the durations that lose the most.
 */
export function wholeMinutes(durations: readonly DurationMs[]): DurationMs[] {
  const floors = durations.map((ms) => Math.floor(ms / MINUTE_MS))
  const total = Math.floor(durations.reduce((sum, ms) => sum + ms, 0) / MINUTE_MS)
  const left = total - floors.reduce((sum, minutes) => sum + minutes, 0)
  const lossOf = (index: number) => (durations[index] as number) / MINUTE_MS - (floors[index] as number)
  const raised = new Set([...floors.keys()].sort((a, b) => lossOf(b) - lossOf(a)).slice(0, left))
  return floors.map((minutes, index) => (minutes + (raised.has(index) ? 1 : 0)) * MINUTE_MS)
}
