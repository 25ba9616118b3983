import {
  type AccountDay,
  accountWarnings,
  computeDays,
  type DateRange,
  dayWindow,
  type EpochMs,
  type Interval,
  settingsOn,
  targetOn,
} from '@saldo/core'
import type { IdentifiedEntry, UserReader } from '../store/store.ts'
import { readClosedDays, readEntries, readTimeline } from './account-reads.ts'

/** Returns each day of a range with its stored or computed figures, and with warnings about its entries (D3.43). */
export async function accountDays(reader: UserReader, range: DateRange, nowMs: EpochMs): Promise<AccountDay[]> {
  const timeline = await readTimeline(reader)
  const entries = await readEntries(reader, timeline, range)
  const absencesByDate = Map.groupBy(
    entries.filter((entry) => 'date' in entry),
    ({ date }) => date,
  )
  const overlapping = overlaps(entries)
  const closedByDate = new Map((await readClosedDays(reader, range)).map((day) => [day.date, day]))
  return computeDays(entries, timeline, range).map((computed) => {
    const { date } = computed
    const window = dayWindow(timeline, date)
    const closed = closedByDate.get(date)
    const figures = closed ?? computed
    const open = settingsOn(timeline, date) ? 'open' : 'outside'
    return {
      date,
      state: closed ? 'closed' : open,
      ended: nowMs >= window.end,
      time_zone: figures.time_zone,
      target_ms: figures.target_ms,
      worked_ms: figures.worked_ms,
      break_ms: figures.break_ms,
      deducted_break_ms: figures.deducted_break_ms,
      credited_ms: figures.credited_ms,
      delta_ms: figures.delta_ms,
      settings_id: figures.settings_id,
      warnings: accountWarnings(
        [...overlapping(window), ...(absencesByDate.get(date) ?? [])],
        window,
        date,
        targetOn(timeline, date),
      ),
    }
  })
}

/**
 * Returns a function that finds the timed entries, which are in order of their start, that overlap a window. It must be
 * given windows in time order. A running entry overlaps the window in which it began.
 */
function overlaps(entries: readonly IdentifiedEntry[]): (window: Interval) => IdentifiedEntry[] {
  const waiting = entries.flatMap((entry) => ('date' in entry ? [] : [entry])).toReversed()
  let active: typeof waiting = []
  return (window) => {
    for (let next = waiting.at(-1); next && next.start < window.end; next = waiting.at(-1)) {
      active.push(next)
      waiting.pop()
    }
    active = active.filter(({ start, end }) => (end ?? start + 1) > window.start)
    return active
  }
}
