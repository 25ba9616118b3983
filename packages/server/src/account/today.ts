import { type AccountEntry, type AccountToday, computeDays, dateAt, type EpochMs, instantOf, itemAt } from '@saldo/core'
import type { UserReader } from '../store/store.ts'
import { readEntries, readTimeline } from './account-reads.ts'

/** Returns the figures of today as if running entries ended now, and what runs since when (D3.64). */
export async function accountToday(reader: UserReader, nowMs: EpochMs): Promise<AccountToday> {
  const timeline = await readTimeline(reader)
  const date = dateAt(timeline, nowMs)
  const entries = await readEntries(reader, timeline, { from: date, to: date })
  const running = entries.flatMap((entry) =>
    'start' in entry && entry.end === null && entry.start <= nowMs ? entry : [],
  )
  const ended: AccountEntry[] = entries.map((entry) =>
    'start' in entry && entry.end === null ? { ...entry, end: Math.max(entry.start, nowMs) } : entry,
  )
  const day = itemAt(computeDays(ended, timeline, { from: date, to: date }), 0)
  const kind = (['break', 'work'] as const).find((each) => running.some((entry) => entry.kind === each))
  const starts = running.filter((entry) => entry.kind === kind).map(({ start }) => start)
  return {
    date,
    time_zone: day.time_zone,
    as_of: instantOf(nowMs),
    running: kind ?? null,
    running_since: kind ? instantOf(Math.min(...starts)) : null,
    target_ms: day.target_ms,
    worked_ms: day.worked_ms,
    break_ms: day.break_ms,
    deducted_break_ms: day.deducted_break_ms,
    credited_ms: day.credited_ms,
    delta_ms: day.delta_ms,
  }
}
