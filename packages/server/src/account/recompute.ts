import {
  type Cause,
  type DateRange,
  datesOfWeek,
  type IsoWeek,
  type LocalDate,
  mergeRanges,
  settingsOn,
  type Timeline,
  weekOf,
} from '@saldo/core'
import type { UserReader, UserWriter } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'
import { readClosedDays } from './account-reads.ts'
import type { AffectedRange } from './affected-ranges.ts'
import { closeDays, recomputeDays, updateClosedWeeks, weekKey } from './closed-records.ts'
import type { AccountContext } from './context.ts'
import { scheduleRecompute } from './recompute-schedule.ts'

/** The most closed days that a transaction recomputes itself; it leaves more to a job (D3.32). */
const MAX_DAYS_IN_TRANSACTION = 100
/** The most entries among which a transaction recomputes closed days itself (D3.60). */
const MAX_ENTRIES_IN_TRANSACTION = 5_000

/** Recomputes affected ranges now or, if that takes long, by a job. */
export async function recomputeAffected(
  writer: UserWriter,
  timeline: Timeline,
  affected: readonly AffectedRange[],
  context: AccountContext,
): Promise<void> {
  const ranges = mergeRanges(affected)
  const closedDays = await countClosedDays(writer, ranges)
  if (closedDays === 0) return
  const isLong =
    closedDays > MAX_DAYS_IN_TRANSACTION || (await countIn(writer, 'entries', ranges)) > MAX_ENTRIES_IN_TRANSACTION
  if (isLong) await scheduleRecompute(writer, affected, context.nowMs)
  else await recompute(writer, timeline, affected, context)
}

async function countClosedDays(reader: UserReader, ranges: readonly DateRange[]): Promise<number> {
  const [first, last] = [ranges[0], ranges.at(-1)]
  if (!first || !last) return 0
  // One query instead of one per range for edits of open days.
  if ((await reader.count('closed_days', dateSpan({ from: first.from, to: last.to }))) === 0) return 0
  return countIn(reader, 'closed_days', ranges)
}

/** Returns the number of live records of a kind that begin in ranges. */
async function countIn(
  reader: UserReader,
  kind: 'closed_days' | 'entries',
  ranges: readonly DateRange[],
): Promise<number> {
  let count = 0
  for (const range of ranges) count += await reader.count(kind, dateSpan(range))
  return count
}

/** Recomputes closed days, then their weeks, each once (D3.27, D3.28). The last range of a date is its cause. */
export async function recompute(
  writer: UserWriter,
  timeline: Timeline,
  affected: readonly AffectedRange[],
  context: AccountContext,
): Promise<void> {
  const changed: LocalDate[] = []
  const weeks = new Set<IsoWeek>()
  for (const range of mergeRanges(affected)) {
    const dates = (await readClosedDays(writer, range)).map(({ date }) => date)
    changed.push(...(await recomputeDays(writer, timeline, dates, context)))
    for (const date of dates) weeks.add(weekOf(date))
  }
  for (const week of weeks) changed.push(...(await closeDaysThatEntered(writer, timeline, week, context)))
  await updateClosedWeeks(writer, changed, (date) => causeOn(affected, date), context)
}

/** Closes the open days of a closed week: a settings row that begins earlier brings days into the account (D3.18). */
async function closeDaysThatEntered(
  writer: UserWriter,
  timeline: Timeline,
  week: IsoWeek,
  context: AccountContext,
): Promise<LocalDate[]> {
  const [stored] = await writer.find([weekKey(context.user, week)])
  if (stored?.deleted !== false) return []
  const dates = datesOfWeek(week).filter((date) => settingsOn(timeline, date))
  return closeDays(writer, timeline, dates, { by: 'recompute' }, context)
}

function causeOn(affected: readonly AffectedRange[], date: LocalDate): Cause {
  const range = affected.findLast(({ from, to }) => from <= date && date <= to) ?? (affected.at(-1) as AffectedRange)
  return { ...range.cause, date }
}
