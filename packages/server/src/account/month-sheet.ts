import {
  addDays,
  allDates,
  type DateRange,
  type DurationMs,
  datesIn,
  datesOfMonth,
  daysBetween,
  type EpochMs,
  FIRST_DATE,
  hasEnded,
  haveDate,
  intersection,
  intersections,
  isRunningEntry,
  itemAt,
  type LocalDate,
  type MemberRules,
  type Month,
  type MonthRefusal,
  rangeAround,
  type StoredSheet,
  storedSheet,
  type Timeline,
} from '@saldo/core'
import type { UserReader, UserWriter } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'
import { computeFigures, readAdjustments, readClosedDays, readEntries, readTimeline } from './account-reads.ts'
import { deltaOfDays } from './balance.ts'
import { closeDaysAndUpdateWeeks } from './closing.ts'
import type { AccountContext } from './context.ts'
import { recomputingRanges } from './enqueue-recompute.ts'

/** The reason why a month cannot be locked now, as a text and as a word. */
export interface MonthConflict {
  outcome: 'conflict'
  reason: string
  refusal: MonthRefusal
}

/** The sheet with which a month is locked, or the reason why it cannot be now (D27.2). */
export type MonthSheetOutcome = { outcome: 'sheet'; sheet: StoredSheet } | MonthConflict

const obstacles = {
  outside_account: 'is outside the account: no settings are in force',
  not_ended: 'has not ended yet',
  entry_runs: 'has an entry that still runs',
  recomputing: 'is being computed anew: try again in a minute',
} satisfies Partial<Record<MonthRefusal, string>>
type Obstacle = keyof typeof obstacles

/** Closes the open days of a month that has ended, and returns the sheet with which to lock it (D27.2, D27.3). */
export async function sheetToLock(
  writer: UserWriter,
  month: Month,
  context: AccountContext,
): Promise<MonthSheetOutcome> {
  const timeline = await readTimeline(writer)
  const range = accountDatesOf(timeline, datesOfMonth(month))
  const conflict = (refusal: Obstacle) =>
    ({ outcome: 'conflict', refusal, reason: `${month} ${obstacles[refusal]}` }) as const
  const outside = conflict('outside_account')
  if (!range) return outside
  const obstacle = await obstacleOf(writer, timeline, range, context.nowMs)
  if (obstacle) return conflict(obstacle)
  // All of the month, also what its sheet does not have: a lock keeps days that are open from ever being closed.
  await closeDaysAndUpdateWeeks({ ...context, writer, timeline }, [...datesIn(range)], { by: 'user' })
  const sheet = await monthSheet(writer, month)
  return sheet ? { outcome: 'sheet', sheet } : outside
}

/** Returns the sheet of a month as it is now; undefined if all of it lies outside the account. */
export async function monthSheet(reader: UserReader, month: Month): Promise<StoredSheet | undefined> {
  const timeline = await readTimeline(reader)
  const dates = sheetDates(month, await reader.memberRules())
  const ofAccount = dates.flatMap((range) => accountDatesOf(timeline, range) ?? [])
  const range = rangeAround(ofAccount)
  return range && sheetIn(reader, timeline, month, { dates, ofAccount, range })
}

/** Returns the dates of a sheet: those of the month within the membership, since nobody sees others (D24.3). */
export function sheetDates(month: Month, rules: MemberRules | null): DateRange[] {
  return intersections([datesOfMonth(month)], rules?.dates ?? [allDates])
}

/** Returns the balance at the end of a date: all days and adjustments up to it. */
export async function balanceThrough(reader: UserReader, timeline: Timeline, date: LocalDate): Promise<DurationMs> {
  const before: DateRange = { from: FIRST_DATE, to: date }
  const { sum: adjustmentsMs } = await reader.sumDeltas('balance_adjustments', dateSpan(before))
  const first = timeline[0]?.effective_from
  if (first === undefined || first > before.to) return adjustmentsMs
  const closedCount = await reader.count('closed_days', dateSpan({ ...before, from: first }))
  if (closedCount === daysBetween(first, before.to) + 1) {
    return adjustmentsMs + (await reader.sumDeltas('closed_days', dateSpan({ ...before, from: first }))).sum
  }
  return adjustmentsMs + (await deltaOfDays(reader, timeline, [{ ...before, from: first }]))
}

/** Returns those of some dates that are within the account. */
function accountDatesOf(timeline: Timeline, period: DateRange): DateRange | undefined {
  const [first] = timeline
  const range = first && intersection(period, { ...allDates, from: first.effective_from })
  return range && range.from <= range.to ? range : undefined
}

async function obstacleOf(
  reader: UserReader,
  timeline: Timeline,
  range: DateRange,
  nowMs: EpochMs,
): Promise<Obstacle | undefined> {
  if (!hasEnded(timeline, range.to, nowMs)) return 'not_ended'
  const entries = await readEntries(reader, timeline, range)
  if (entries.some(isRunningEntry)) return 'entry_runs'
  const waiting = await recomputingRanges(reader)
  const isWaiting = waiting.some(({ from, to }) => from <= range.to && to >= range.from)
  return isWaiting ? 'recomputing' : undefined
}

async function sheetIn(
  reader: UserReader,
  timeline: Timeline,
  month: Month,
  { dates, ofAccount, range }: { dates: readonly DateRange[]; ofAccount: readonly DateRange[]; range: DateRange },
): Promise<StoredSheet> {
  const closedByDate = new Map((await readClosedDays(reader, range)).map((day) => [day.date, day]))
  const computed = (await computeFigures(reader, timeline, range)).filter(({ date }) => haveDate(ofAccount, date))
  const { from } = itemAt(dates, 0)
  const adjustments = await readAdjustments(reader, datesOfMonth(month))
  return storedSheet(month, {
    version: (await reader.position()).version,
    timeline,
    days: computed.map((day) => closedByDate.get(day.date) ?? day),
    entries: await readEntries(reader, timeline, range),
    // Not of the account's dates alone: an opening balance can be dated before the account begins.
    adjustments: adjustments.filter((one) => haveDate(dates, one.effective_date)),
    balanceInMs: await balanceThrough(reader, timeline, addDays(from, -1)),
  })
}
