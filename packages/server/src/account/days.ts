import {
  type AccountDay,
  computeDays,
  type DateRange,
  datesOverlapping,
  dayWarnings,
  type EpochMs,
  groupByDates,
  hasEnded,
  type IdentifiedEntry,
  settingsOn,
  type Timeline,
} from '@saldo/core'
import type { UserReader } from '../store/store.ts'
import { mapInSlices } from '../time-slice.ts'
import { readClosedDays, readEntries, readTimeline } from './account-reads.ts'

/** Returns each day of a range with its stored or computed figures, and with warnings about its entries (D3.43). */
export async function accountDays(reader: UserReader, range: DateRange, nowMs: EpochMs): Promise<AccountDay[]> {
  const timeline = await readTimeline(reader)
  const entries = await readEntries(reader, timeline, range)
  const entriesByDate = groupByDates(entries, (entry) => datesOf(entry, timeline), range)
  const closedByDate = new Map((await readClosedDays(reader, range)).map((day) => [day.date, day]))
  return mapInSlices(computeDays(entries, timeline, range), (computed) => {
    const { date } = computed
    const closed = closedByDate.get(date)
    const figures = closed ?? computed
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
      warnings: dayWarnings(entriesByDate.get(date) ?? [], timeline, date),
    }
  })
}

/** Returns the dates that an entry overlaps: for a running one its first date, for one without length none. */
function datesOf(entry: IdentifiedEntry, timeline: Timeline): DateRange | undefined {
  if ('date' in entry) return { from: entry.date, to: entry.date }
  const { start, end } = entry
  return datesOverlapping(timeline, { start, end: end ?? start + 1 })
}
