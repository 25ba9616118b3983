import {
  addDays,
  addDaysWithinCalendar,
  allDates,
  type BalanceSummary,
  type DateRange,
  type DurationMs,
  dateAt,
  type EpochMs,
  type IsoWeek,
  instantOf,
  LAST_DATE,
  type LocalDate,
  mergeRanges,
  mondayOf,
  partsOf,
  sumOfDeltas,
  type Timeline,
  weekOf,
  zoneOn,
} from '@saldo/core'
import type { UserReader } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'
import { computeFigures, readClosedDays, readTimeline, readWeekDeltas } from './account-reads.ts'
import { recomputingRanges } from './enqueue-recompute.ts'

/** The most days to read at once, so that a long account takes little memory and others are served in between. */
const DAYS_PER_READ = 100

/** Returns the balance summary (R1.4, R2.7, D3.41). */
export async function balanceSummary(reader: UserReader, nowMs: EpochMs): Promise<BalanceSummary> {
  const timeline = await readTimeline(reader)
  const today = dateAt(timeline, nowMs)
  const future = { from: addDaysWithinCalendar(today, 1), to: LAST_DATE }

  const weeks = await readWeekDeltas(reader)
  const closedWeeksDeltaMs = sumOfDeltas(weeks)
  const adjustments = await reader.sumDeltas('balance_adjustments', dateSpan(allDates))
  const futureAdjustments = await reader.sumDeltas('balance_adjustments', dateSpan(future))
  const openRanges = rangesInNoClosedWeek(timeline, new Set(weeks.map(({ week }) => week)), today)
  const openDeltaMs = await deltaOfDays(reader, timeline, openRanges)
  const recomputing = await recomputingRanges(reader)

  const balanceMs = closedWeeksDeltaMs + adjustments.sum
  return {
    closed_weeks_delta_ms: closedWeeksDeltaMs,
    adjustments_delta_ms: adjustments.sum,
    balance_ms: balanceMs,
    future_adjustments_delta_ms: futureAdjustments.sum,
    open_delta_ms: openDeltaMs,
    projected_balance_ms: balanceMs + openDeltaMs,
    last_closed_week: weeks.at(-1)?.week ?? null,
    as_of: instantOf(nowMs),
    time_zone: timeline.length > 0 ? zoneOn(timeline, today) : null,
    // Up to today (D3.33).
    recomputing: recomputing
      .filter(({ from }) => from <= today)
      .map(({ from, to }) => ({ from, to: to < today ? to : today })),
  }
}

/** Returns the ended days of the account that lie in no closed week. */
function rangesInNoClosedWeek(timeline: Timeline, closedWeeks: ReadonlySet<IsoWeek>, today: LocalDate): DateRange[] {
  const ranges: DateRange[] = []
  for (let from = timeline[0]?.effective_from ?? today; from < today; ) {
    const nextMonday = addDays(mondayOf(weekOf(from)), 7)
    const to = addDays(nextMonday < today ? nextMonday : today, -1)
    if (!closedWeeks.has(weekOf(from))) ranges.push({ from, to })
    from = nextMonday
  }
  return mergeRanges(ranges)
}

/** Adds up the days of ranges: their closed figures, or the computed ones of open days. */
export async function deltaOfDays(
  reader: UserReader,
  timeline: Timeline,
  ranges: readonly DateRange[],
): Promise<DurationMs> {
  let sumMs = 0
  for (const part of ranges.flatMap((range) => [...partsOf(range, DAYS_PER_READ)])) {
    const closedByDate = new Map((await readClosedDays(reader, part)).map((day) => [day.date, day]))
    for (const computed of await computeFigures(reader, timeline, part)) {
      sumMs += (closedByDate.get(computed.date) ?? computed).delta_ms
    }
  }
  return sumMs
}
