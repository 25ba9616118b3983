import {
  type AccountDay,
  type ClosedDay,
  computeDays,
  type DateRange,
  type DayFigures,
  dayWarnings,
  type EpochMs,
  fieldsFor,
  figureNames,
  hasEnded,
  partsOf,
  settingsOn,
  type Timeline,
} from '@saldo/core'
import type { UserReader } from '../store/store.ts'
import { TimeSlice } from '../time-slice.ts'
import { readClosedDays, readEntries, readTimeline } from './account-reads.ts'
import { entriesInSlices, portionsOf } from './day-portions.ts'

/**
 * The most entries that the warnings of an answer name, an entry once in each warning of each date: entries of 31 days
 * could fill gigabytes. The warnings of one date never name so many.
 */
export const MAX_WARNED_ENTRIES = 100_000
/** The entries of so many days are in memory at once, with those that began before them. */
const DAYS_PER_READ = 100

/**
 * Returns each day of a range with its stored or computed figures, and with warnings about its entries (D3.43);
 * `too_many_warnings` if these name more than `MAX_WARNED_ENTRIES`.
 */
export async function accountDays(
  reader: UserReader,
  range: DateRange,
  nowMs: EpochMs,
): Promise<{ outcome: 'days'; days: AccountDay[] } | { outcome: 'too_many_warnings' }> {
  const timeline = await readTimeline(reader)
  const closedByDate = new Map((await readClosedDays(reader, range)).map((day) => [day.date, day]))
  const slice = new TimeSlice()
  const days: AccountDay[] = []
  let warned = 0
  for (const part of partsOf(range, DAYS_PER_READ)) {
    const entriesByDate = await entriesInSlices(await readEntries(reader, timeline, part), timeline, part)
    for (const { entries, ...portion } of portionsOf(part, entriesByDate)) {
      for (const computed of computeDays([...entries], timeline, portion)) {
        if (slice.isUsedUp()) await slice.renew()
        const { date } = computed
        const warnings = dayWarnings(entriesByDate.get(date) ?? [], timeline, date)
        warned += warnings.reduce((sum, { entry_ids }) => sum + entry_ids.length, 0)
        if (warned > MAX_WARNED_ENTRIES) return { outcome: 'too_many_warnings' }
        days.push({ ...shownDay(computed, closedByDate.get(date), timeline, nowMs), warnings })
      }
    }
  }
  return { outcome: 'days', days }
}

function shownDay(
  computed: DayFigures,
  closed: ClosedDay | undefined,
  timeline: Timeline,
  nowMs: EpochMs,
): Omit<AccountDay, 'warnings'> {
  const { date } = computed
  const figures = closed ?? computed
  const open = settingsOn(timeline, date) ? 'open' : 'outside'
  return {
    date,
    state: closed ? 'closed' : open,
    ended: hasEnded(timeline, date, nowMs),
    time_zone: figures.time_zone,
    ...fieldsFor(figureNames, (name) => figures[name]),
    settings_id: figures.settings_id,
  }
}
