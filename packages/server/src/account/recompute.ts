import {
  type Cause,
  type DateRange,
  datesOfWeek,
  daysBetween,
  entryLimits,
  hasDate,
  type IsoWeek,
  type LocalDate,
  rangeAround,
  settingsOn,
  weekOf,
} from '@saldo/core'
import type { UserReader } from '../store/store.ts'
import { dateSpan, isLive } from '../store/stored-records.ts'
import { readClosedDays } from './account-reads.ts'
import type { Affected } from './affected-ranges.ts'
import { causesOn } from './causes.ts'
import { closeDays, findWeek, recomputeDays, updateClosedWeeks } from './closed-records.ts'
import type { ClosingTransaction } from './context.ts'
import { enqueueRecompute } from './enqueue-recompute.ts'

/** The most closed days that a transaction recomputes itself; it leaves more to a job (D3.32). */
const MAX_DAYS_IN_TRANSACTION = 100
/** The most entries among which a transaction recomputes closed days itself (D3.60). */
const MAX_ENTRIES_IN_TRANSACTION = 5_000

/** Recomputes affected ranges now or, if that takes long, by a job. `closed` has all their closed dates, if known. */
export async function recomputeAffected(
  transaction: ClosingTransaction,
  { ranges, causes }: Affected,
  closed?: readonly LocalDate[],
): Promise<void> {
  const { writer, nowMs } = transaction
  const dates = closed ? datesWithin(closed, ranges) : await closedDatesIn(writer, ranges)
  if (dates.length === 0) return
  const isLong = !isWithinTransaction(dates) || (await haveManyEntries(writer, ranges))
  if (isLong) await enqueueRecompute(writer, { ranges, causes }, nowMs)
  else await recompute(transaction, causes, dates)
}

/** True if a transaction may recompute these closed dates itself. */
export function isWithinTransaction(dates: readonly LocalDate[]): boolean {
  return dates.length <= MAX_DAYS_IN_TRANSACTION
}

function datesWithin(dates: readonly LocalDate[], ranges: readonly DateRange[]): LocalDate[] {
  return dates.filter((date) => ranges.some((range) => hasDate(range, date)))
}

/** Returns the closed dates of ranges, which are in order; of more than a transaction recomputes, only some. */
export async function closedDatesIn(reader: UserReader, ranges: readonly DateRange[]): Promise<LocalDate[]> {
  const around = rangeAround(ranges)
  if (!around) return []
  const limit = MAX_DAYS_IN_TRANSACTION + 1
  const dates = (await readClosedDays(reader, around, limit)).map(({ date }) => date)
  if (dates.length < limit) return datesWithin(dates, ranges)
  // Many days are closed, perhaps between the ranges.
  const found: LocalDate[] = []
  for (const range of ranges) {
    if (found.length === limit) break
    found.push(...(await readClosedDays(reader, range, limit - found.length)).map(({ date }) => date))
  }
  return found
}

/** True if more entries begin in ranges than a transaction reads to recompute. */
async function haveManyEntries(reader: UserReader, ranges: readonly DateRange[]): Promise<boolean> {
  const dayCount = ranges.reduce((sum, { from, to }) => sum + daysBetween(from, to) + 1, 0)
  // So few days cannot have so many entries.
  if (dayCount * entryLimits.perDay <= MAX_ENTRIES_IN_TRANSACTION) return false
  let left = MAX_ENTRIES_IN_TRANSACTION
  for (const range of ranges) {
    left -= await reader.count('entries', dateSpan(range), left + 1)
    if (left < 0) return true
  }
  return false
}

/** Recomputes closed days, which are in order, then their weeks, each once (D3.27, D3.28). */
export async function recompute(
  transaction: ClosingTransaction,
  causes: readonly Cause[],
  dates: readonly LocalDate[],
): Promise<void> {
  const changed = await recomputeDays(transaction, dates)
  for (const week of new Set(dates.map(weekOf))) changed.push(...(await closeDaysThatEntered(transaction, week)))
  await updateClosedWeeks(transaction, changed, (changedDates) => causesOn(causes, changedDates))
}

/** Closes the open days of a closed week: a settings row that begins earlier brings days into the account (D3.18). */
async function closeDaysThatEntered(transaction: ClosingTransaction, week: IsoWeek): Promise<LocalDate[]> {
  if (!isLive(await findWeek(transaction, week))) return []
  const dates = datesOfWeek(week).filter((date) => settingsOn(transaction.timeline, date))
  return closeDays(transaction, dates, { by: 'recompute' })
}
