import { dateAt, type Entry, type EpochMs, epochMs, HOUR_MS, type Timeline } from '@saldo/core'
import { isTimedRecord, type TimedRecord } from '../../domain/entries/parts.ts'
import { leaveTime } from './leave-time.ts'

const LONG_MS = 12 * HOUR_MS

/** The timer that somebody may have forgotten to stop: it runs for more than 12 hours, or over midnight. */
export function forgottenTimer(entries: readonly Entry[], timeline: Timeline, nowMs: EpochMs): TimedRecord | undefined {
  return entries.filter(isTimedRecord).find(({ ended_at, started_at }) => {
    if (ended_at !== null) return false
    const startMs = epochMs(started_at)
    return nowMs - startMs > LONG_MS || dateAt(timeline, startMs) < dateAt(timeline, nowMs)
  })
}

/**
 * Returns the probable end: when the target of its day was reached. `undefined` if there is none, as for a break.
 * `entries` are those of its day.
 */
export function likelyEnd(forgotten: TimedRecord, entries: readonly Entry[], timeline: Timeline): EpochMs | undefined {
  if (forgotten.kind === 'break') return undefined
  const startMs = epochMs(forgotten.started_at)
  const before = entries.filter((entry) => !isTimedRecord(entry) || entry.ended_at !== null)
  const leave = leaveTime(before, timeline, dateAt(timeline, startMs), startMs)
  return leave?.kind === 'at' ? leave.atMs : undefined
}
