import {
  type DateRange,
  datesIn,
  entryDates,
  groupByDates,
  type IdentifiedEntry,
  type LocalDate,
  type Timeline,
} from '@saldo/core'
import { mapInSlices } from '../time-slice.ts'

/** So many entries are grouped or computed at once, and of more those of one date: others are served in between. */
export const ENTRIES_AT_ONCE = 1_000

/** Groups entries by the dates of a range, in slices. */
export async function entriesInSlices(
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

/** Dates in a row, with the entries that can alter their figures. */
export interface Portion extends DateRange {
  entries: Set<IdentifiedEntry>
}

/** Yields the parts of a range that are computed at once, with their entries. */
export function* portionsOf(
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
