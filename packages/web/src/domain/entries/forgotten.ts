import { runsTooLong, type TimedRecord } from '@saldo/client/entries'
import { dateAt, type Entry, type EpochMs, epochMs, type Timeline } from '@saldo/core'
import { leaveTime } from './leave-time.ts'

/** True unless the user keeps the timer with the id `keptId` running, which lasts until it runs too long. */
export function needsEnd(forgotten: TimedRecord, keptId: string | undefined, nowMs: EpochMs): boolean {
  return forgotten.id !== keptId || runsTooLong(forgotten, nowMs)
}

/**
 * Returns the probable end: when the target of its day was reached. `undefined` if it is not reached before now, or if
 * there is none, as for a break. `entries` are those of its day.
 */
export function likelyEnd(
  forgotten: TimedRecord,
  entries: readonly Entry[],
  timeline: Timeline,
  nowMs: EpochMs,
): EpochMs | undefined {
  if (forgotten.kind === 'break') return undefined
  const startMs = epochMs(forgotten.started_at)
  const leave = leaveTime(entries, timeline, dateAt(timeline, startMs), startMs)
  return leave?.kind === 'at' && leave.atMs < nowMs ? leave.atMs : undefined
}
