import { type DurationMs, dateAt, type Entry, type EpochMs, epochMs, intervalOf, type Timeline } from '@saldo/core'
import { leaveTime } from './leave-time.ts'
import { isTimedRecord, type TimedRecord } from './parts.ts'

/** True if finished work goes over midnight, as in night shifts. */
export function worksAtNight(entries: readonly Entry[], timeline: Timeline): boolean {
  return entries
    .filter(({ kind }) => kind === 'work')
    .map(intervalOf)
    .some((interval) => interval && dateAt(timeline, interval.start) < dateAt(timeline, interval.end - 1))
}

/**
 * Returns the timer that somebody may have forgotten to stop: it runs for longer than `longestMs` or over midnight,
 * which is usual for people who work at night.
 */
export function forgottenTimer(
  entries: readonly Entry[],
  timeline: Timeline,
  nowMs: EpochMs,
  isNightUsual: boolean,
  longestMs: DurationMs,
): TimedRecord | undefined {
  return entries.filter(isTimedRecord).find(({ ended_at, started_at }) => {
    if (ended_at !== null) return false
    const startMs = epochMs(started_at)
    const isOverMidnight = dateAt(timeline, startMs) < dateAt(timeline, nowMs)
    return nowMs - startMs > longestMs || (isOverMidnight && !isNightUsual)
  })
}

/**
 * Returns the probable end: when the target of its day was reached. `undefined` if there is none, as for a break.
 * `entries` are those of its day.
 */
export function likelyEnd(forgotten: TimedRecord, entries: readonly Entry[], timeline: Timeline): EpochMs | undefined {
  if (forgotten.kind === 'break') return undefined
  const startMs = epochMs(forgotten.started_at)
  const leave = leaveTime(entries, timeline, dateAt(timeline, startMs), startMs)
  return leave?.kind === 'at' ? leave.atMs : undefined
}
