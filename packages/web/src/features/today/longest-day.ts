import { timerState } from '@saldo/client/entries'
import { type DurationMs, type EpochMs, HOUR_MS, longestDayReachedAt, settingsOn } from '@saldo/core'
import { type Day, figuresAt } from '../../domain/entries/useDay.ts'

/** From this time before, running work says when it reaches the longest day of the law. */
const AHEAD_MS = 2 * HOUR_MS

/** Returns when running work reaches the longest day of the law; `undefined` unless that is soon. */
export function longestDayAhead(
  day: Pick<Day, 'date' | 'entries' | 'timed' | 'timeline'>,
  nowMs: EpochMs,
): { limitMs: DurationMs; atMs: EpochMs } | undefined {
  const settings = settingsOn(day.timeline, day.date)
  const isWorking = timerState(day.timed.map(({ record }) => record)).kind === 'working'
  if (!settings || !isWorking) return undefined
  const { worked_ms, deducted_break_ms } = figuresAt(day, nowMs)
  const reached = longestDayReachedAt(settings, worked_ms - deducted_break_ms, nowMs)
  return reached && reached.atMs <= nowMs + AHEAD_MS ? reached : undefined
}
