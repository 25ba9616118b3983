import {
  type AccountDay,
  type ClosedDay,
  computeDays,
  type DateRange,
  type DayFigures,
  datesIn,
  dayWarnings,
  type EpochMs,
  entryDates,
  fieldsFor,
  figureNames,
  groupByDates,
  hasEnded,
  type IdentifiedEntry,
  type LocalDate,
  partsOf,
  settingsOn,
  type Timeline,
} from '@saldo/core'
import type { UserReader } from '../store/store.ts'
import { mapInSlices, TimeSlice } from '../time-slice.ts'
import { readClosedDays, readEntries, readTimeline } from './account-reads.ts'

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

/** So many entries are grouped or computed at once, and of more those of one date: others are served in between. */
const ENTRIES_AT_ONCE = 1_000

/** Groups entries by the dates of a range, in slices. */
async function entriesInSlices(
  entries: readonly IdentifiedEntry[],
  timeline: Timeline,
  range: DateRange,
): Promise<Map<LocalDate, IdentifiedEntry[]>> {
  const chunks = Array.from({ length: Math.ceil(entries.length / ENTRIES_AT_ONCE) }, (_, n) =>
    entries.slice(n * ENTRIES_AT_ONCE, (n + 1) * ENTRIES_AT_ONCE),
  )
  const byDate = new Map<LocalDate, IdentifiedEntry[]>()
  await mapInSlices(chunks, (chunk) => {
    for (const [date, some] of groupByDates(chunk, (one) => entryDates(one, timeline), range)) {
      const ofDate = byDate.get(date)
      if (ofDate) ofDate.push(...some)
      else byDate.set(date, some)
    }
  })
  return byDate
}

interface Portion extends DateRange {
  entries: Set<IdentifiedEntry>
}

/** Yields the parts of a range that are computed at once, with their entries. */
function* portionsOf(
  range: DateRange,
  entriesByDate: ReadonlyMap<LocalDate, readonly IdentifiedEntry[]>,
): Generator<Portion> {
  let portion: Portion | undefined
  for (const date of datesIn(range)) {
    const ofDate = entriesByDate.get(date) ?? []
    if (portion && portion.entries.size + ofDate.length <= ENTRIES_AT_ONCE) {
      portion.to = date
      for (const entry of ofDate) portion.entries.add(entry)
    } else {
      if (portion) yield portion
      portion = { from: date, to: date, entries: new Set(ofDate) }
    }
  }
  if (portion) yield portion
}
