import {
  type AccountEntry,
  type AccountToday,
  computeDays,
  dateAt,
  type EpochMs,
  fieldsFor,
  figureNames,
  instantOf,
  isRunningEntry,
  itemAt,
} from '@saldo/core'
import type { UserReader } from '../store/store.ts'
import { readEntries, readTimeline } from './account-reads.ts'

/** Returns the figures of today as if running entries ended now, and what runs since when (D3.64). */
export async function accountToday(reader: UserReader, nowMs: EpochMs): Promise<AccountToday> {
  const timeline = await readTimeline(reader)
  const date = dateAt(timeline, nowMs)
  const entries = await readEntries(reader, timeline, { from: date, to: date })
  const running = entries.filter((entry) => isRunningEntry(entry)).filter(({ start }) => start <= nowMs)
  const ended = entries.map(
    (entry): AccountEntry => (isRunningEntry(entry) ? { ...entry, end: Math.max(entry.start, nowMs) } : entry),
  )
  const day = itemAt(computeDays(ended, timeline, { from: date, to: date }), 0)
  const kind = (['break', 'work'] as const).find((each) => running.some((entry) => entry.kind === each))
  // Entries come by start.
  const first = running.find((entry) => entry.kind === kind)
  return {
    date,
    time_zone: day.time_zone,
    as_of: instantOf(nowMs),
    running: kind ?? null,
    running_since: first ? instantOf(first.start) : null,
    ...fieldsFor(figureNames, (name) => day[name]),
  }
}
