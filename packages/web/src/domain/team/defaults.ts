import type { DurationMs } from '@saldo/core'

/** Returns the mean hours of a week of a rotation, and on how many days of its first week time is planned. */
export function hoursOfWeek(targetMs: readonly DurationMs[]): { weeklyMs: DurationMs; days: number } {
  const weeklyMs = (targetMs.reduce((sum, each) => sum + each, 0) * 7) / targetMs.length
  return { weeklyMs, days: targetMs.slice(0, 7).filter((each) => each > 0).length }
}
