import {
  type AccountDay,
  computeDay,
  type DateRange,
  datesIn,
  dayWarnings,
  type EpochMs,
  entriesByDate,
  isTimed,
  settingsOn,
} from '@saldo/core'
import { readClosedDays, readEntries, readTimeline } from '../records.ts'
import type { UserReader } from '../store/store.ts'
import { hasEnded } from './closing.ts'

/** Returns each day of a range with its stored or computed figures, and with warnings about its entries (D3.43). */
export async function accountDays(reader: UserReader, range: DateRange, nowMs: EpochMs): Promise<AccountDay[]> {
  const timeline = await readTimeline(reader)
  const entries = await readEntries(reader, timeline, range)
  const byDate = entriesByDate(entries, timeline, range)
  const running = entries.filter((entry) => isTimed(entry)).filter(({ ended_at }) => ended_at === null)
  const closedByDate = new Map((await readClosedDays(reader, range)).map((day) => [day.date, day]))
  return [...datesIn(range)].map((date) => {
    const ofDate = byDate.get(date) ?? []
    const closed = closedByDate.get(date)
    const figures = closed ?? computeDay(ofDate, timeline, date)
    const open = settingsOn(timeline, date) ? 'open' : 'outside'
    return {
      date,
      state: closed ? 'closed' : open,
      ended: hasEnded(timeline, date, nowMs),
      time_zone: figures.time_zone,
      target_ms: figures.target_ms,
      worked_ms: figures.worked_ms,
      break_ms: figures.break_ms,
      deducted_break_ms: figures.deducted_break_ms,
      credited_ms: figures.credited_ms,
      delta_ms: figures.delta_ms,
      settings_id: figures.settings_id,
      warnings: dayWarnings([...ofDate, ...running], timeline, date),
    }
  })
}
