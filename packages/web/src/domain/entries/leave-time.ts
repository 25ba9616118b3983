import { newEntry, stoppedAt } from '@saldo/client/entries'
import {
  computeDay,
  dayWindow,
  type Entry,
  type EntryContent,
  type EpochMs,
  instantOf,
  type LocalDate,
  MINUTE_MS,
  type Timeline,
} from '@saldo/core'

/** The time to leave. `deltaMs` is the day's delta then. */
export type LeaveTime =
  /** If not `isWorking`, assumes that work begins now. Whole minutes, rounded up. */
  | { kind: 'at'; atMs: EpochMs; deltaMs: number; isWorking: boolean }
  | { kind: 'reached'; deltaMs: number }
  | { kind: 'notToday' }

/**
 * Returns when the day's delta is 0 if work goes on without another break. It searches with the account function, so
 * break rules and absences count as they will when the day is closed. `undefined` if the day has no target left.
 */
export function leaveTime(
  entries: readonly Entry[],
  timeline: Timeline,
  date: LocalDate,
  nowMs: EpochMs,
): LeaveTime | undefined {
  const isWorking = entries.some((entry) => entry.kind === 'work' && entry.counts && entry.ended_at === null)
  const stopped = stoppedAt(entries, nowMs)
  const now = computeDay(stopped, timeline, date)
  if (now.target_ms - now.credited_ms <= 0) return undefined
  if (now.delta_ms >= 0) return { kind: 'reached', deltaMs: now.delta_ms }

  const deltaAt = (ms: EpochMs) => computeDay([...stopped, workOf(nowMs, ms)], timeline, date).delta_ms
  const { end } = dayWindow(timeline, date)
  if (deltaAt(end) < 0) return { kind: 'notToday' }
  let early = Math.floor(nowMs / MINUTE_MS)
  let late = end / MINUTE_MS
  while (early + 1 < late) {
    const middle = Math.floor((early + late) / 2)
    if (deltaAt(middle * MINUTE_MS) >= 0) late = middle
    else early = middle
  }
  const atMs = late * MINUTE_MS
  return { kind: 'at', atMs, deltaMs: deltaAt(atMs), isWorking }
}

function workOf(start: EpochMs, end: EpochMs): EntryContent {
  const times = { started_at: instantOf(start), ended_at: instantOf(Math.max(start, end)) }
  return newEntry({ kind: 'work', ...times, counts: true })
}
