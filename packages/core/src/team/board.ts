import { type AccountEntry, entryDates } from '../account-function.ts'
import { type DateRange, datesIn } from '../date-range.ts'
import type { Steps } from '../steps.ts'
import { plannedOn, type Timeline } from '../timeline.ts'
import type { DurationMs, LocalDate } from '../values.ts'
import type { MemberMonths } from './months.ts'

/** The light of a balance: green up to a week's planned time either way, yellow up to two weeks, red beyond. */
export type BalanceLight = 'green' | 'yellow' | 'red'

/** The part of a member's facts from which the board is made. */
export interface BoardFacts extends MemberMonths {
  balanceMs: DurationMs
  light: BalanceLight
  /** Past days with planned time and neither work nor absence. */
  withoutEntries: LocalDate[]
  vacationLeft: number | null
}

/** Returns the light of a balance (D27.17). `weekMs` is the planned time of a week. */
export function balanceLight(balanceMs: DurationMs, weekMs: DurationMs): BalanceLight {
  const size = Math.abs(balanceMs)
  if (size <= weekMs) return 'green'
  return size <= 2 * weekMs ? 'yellow' : 'red'
}

/** Returns in steps the dates of ranges with planned time on which nothing is recorded, not even work that runs. */
export function* datesWithoutEntries(
  entries: readonly AccountEntry[],
  timeline: Timeline,
  ranges: readonly DateRange[],
): Steps<LocalDate[]> {
  const recorded = new Set<LocalDate>()
  for (const entry of entries) {
    yield
    const dates = entry.kind === 'vacation_grant' ? undefined : entryDates(entry, timeline)
    for (const date of dates ? datesIn(dates) : []) recorded.add(date)
  }
  const dates = ranges.flatMap((range) => [...datesIn(range)])
  return dates.filter((date) => plannedOn(timeline, date) > 0 && !recorded.has(date))
}
