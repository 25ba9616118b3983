import type { AccountAbsence, AccountEntry } from '../account-function.ts'
import { type DateRange, datesIn } from '../date-range.ts'
import { datesOverlapping, plannedOn, type Timeline } from '../timeline.ts'
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

/** Returns the dates of a range with planned time on which nothing is recorded, not even work that runs. */
export function datesWithoutEntries(
  entries: readonly AccountEntry[],
  timeline: Timeline,
  range: DateRange,
): LocalDate[] {
  const dates = new Set(entries.flatMap((entry) => [...datesIn(datesOf(entry, timeline))]))
  return [...datesIn(range)].filter((date) => plannedOn(timeline, date) > 0 && !dates.has(date))
}

const NO_DATES: DateRange = { from: '0001-01-02', to: '0001-01-01' }

function datesOf(entry: AccountEntry, timeline: Timeline): DateRange {
  if ('start' in entry)
    return datesOverlapping(timeline, { start: entry.start, end: entry.end ?? entry.start + 1 }) ?? NO_DATES
  const { date } = entry as AccountAbsence
  return entry.kind === 'vacation_grant' ? NO_DATES : { from: date, to: date }
}
