import {
  type AccountDay,
  computeDays,
  type DateRange,
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
  settingsOn,
  type Timeline,
} from '@saldo/core'
import type { UserReader } from '../store/store.ts'
import { mapInSlices } from '../time-slice.ts'
import { readClosedDays, readEntries, readTimeline } from './account-reads.ts'

/** Returns each day of a range with its stored or computed figures, and with warnings about its entries (D3.43). */
export async function accountDays(reader: UserReader, range: DateRange, nowMs: EpochMs): Promise<AccountDay[]> {
  const timeline = await readTimeline(reader)
  const entriesByDate = await entriesInSlices(await readEntries(reader, timeline, range), timeline, range)
  const closedByDate = new Map((await readClosedDays(reader, range)).map((day) => [day.date, day]))
  const computed = await mapInSlices(portionsOf(range, entriesByDate), ({ entries, ...portion }) =>
    computeDays(entries, timeline, portion),
  )
  return mapInSlices(computed.flat(), (computed) => {
    const { date } = computed
    const closed = closedByDate.get(date)
    const figures = closed ?? computed
    const open = settingsOn(timeline, date) ? 'open' : 'outside'
    return {
      date,
      state: closed ? 'closed' : open,
      ended: hasEnded(timeline, date, nowMs),
      time_zone: figures.time_zone,
      ...fieldsFor(figureNames, (name) => figures[name]),
      settings_id: figures.settings_id,
      warnings: dayWarnings(entriesByDate.get(date) ?? [], timeline, date),
    }
  })
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
  const grouped = await mapInSlices(chunks, (chunk) => groupByDates(chunk, (one) => entryDates(one, timeline), range))
  const byDate = new Map<LocalDate, IdentifiedEntry[]>()
  for (const [date, some] of grouped.flatMap((one) => [...one])) {
    const ofDate = byDate.get(date)
    if (ofDate) ofDate.push(...some)
    else byDate.set(date, some)
  }
  return byDate
}

interface Portion extends DateRange {
  entries: readonly IdentifiedEntry[]
}

/** Returns the parts of a range that are computed at once, with their entries. */
function portionsOf(range: DateRange, entriesByDate: ReadonlyMap<LocalDate, readonly IdentifiedEntry[]>): Portion[] {
  const portions: { from: LocalDate; to: LocalDate; entries: Set<IdentifiedEntry> }[] = []
  for (const date of datesIn(range)) {
    const ofDate = entriesByDate.get(date) ?? []
    const last = portions.at(-1)
    if (last && last.entries.size + ofDate.length <= ENTRIES_AT_ONCE) {
      last.to = date
      for (const entry of ofDate) last.entries.add(entry)
    } else portions.push({ from: date, to: date, entries: new Set(ofDate) })
  }
  return portions.map((portion) => ({ ...portion, entries: [...portion.entries] }))
}
