import {
  addDays,
  type Cause,
  datesOfWeek,
  hasEnded,
  type IsoWeek,
  itemAt,
  type LocalDate,
  mondayOf,
  monthOf,
  settingsOn,
  weekOf,
} from '@saldo/core'
import type { RecordKey, StoredRecord, UserReader, UserWriter } from '../store/store.ts'
import { isLive } from '../store/stored-records.ts'
import { readTimeline } from './account-reads.ts'
import {
  buildReopened,
  type ClosedBy,
  closeDays,
  dayKey,
  findWeek,
  storeClosedWeek,
  updateClosedWeeks,
  weekKey,
} from './closed-records.ts'
import type { AccountContext, ClosingTransaction } from './context.ts'
import { enqueueAutoClose } from './enqueue-auto-close.ts'

/** The outcome of closing a day or week; `already_closed` comes with what is stored. */
export type CloseOutcome = { outcome: 'closed' | 'already_closed'; record: StoredRecord } | Conflict

/** The outcome of reopening a day or week. */
export type ReopenOutcome = { outcome: 'reopened' | 'not_closed' } | Conflict

/** The reason why a day or week can be neither closed nor reopened now. */
interface Conflict {
  outcome: 'conflict'
  reason: string
}

/** Closes a day that has ended (D3.21, D3.22). */
export async function closeDay(writer: UserWriter, date: LocalDate, context: AccountContext): Promise<CloseOutcome> {
  const key = dayKey(context.user, date)
  const [stored] = await writer.find([key])
  if (isLive(stored)) return { outcome: 'already_closed', record: stored }
  const timeline = await readTimeline(writer)
  if (!settingsOn(timeline, date)) return outsideAccount(date)
  if (!hasEnded(timeline, date, context.nowMs)) return notEnded(date)
  await closeDaysAndUpdateWeeks({ ...context, writer, timeline }, [date], { by: 'user' })
  // Auto-close may have left its week open because of this day.
  await enqueueAutoClose(writer, timeline, [date], context.nowMs)
  return { outcome: 'closed', record: itemAt(await writer.find([key]), 0) }
}

/** Closes a week that has ended, and those of its days that are still open (D3.20). */
export async function closeWeek(transaction: ClosingTransaction, week: IsoWeek, by: ClosedBy): Promise<CloseOutcome> {
  const { writer, timeline, user, nowMs } = transaction
  const stored = await findWeek(transaction, week)
  if (isLive(stored)) return { outcome: 'already_closed', record: stored }
  const dates = datesOfWeek(week).filter((date) => settingsOn(timeline, date))
  if (dates.length === 0) return outsideAccount(week)
  if (!hasEnded(timeline, addDays(mondayOf(week), 6), nowMs)) return notEnded(week)

  await closeDays(transaction, dates, { by })
  await storeClosedWeek(transaction, week, [causeOfClosing(weekKey(user, week), datesOfWeek(week), 1)], by)
  return { outcome: 'closed', record: itemAt(await writer.find([weekKey(user, week)]), 0) }
}

/** Closes those of the dates that are open. A closed week then counts them: settings can bring days into it. */
export async function closeDaysAndUpdateWeeks(
  transaction: ClosingTransaction,
  dates: readonly LocalDate[],
  options: { by: ClosedBy; skipReopened?: boolean },
): Promise<void> {
  const closed = await closeDays(transaction, dates, options)
  await updateClosedWeeks(transaction, closed, (dates) => {
    const lastDay = dayKey(transaction.user, itemAt(dates, dates.length - 1))
    return [causeOfClosing(lastDay, dates, dates.length)]
  })
}

/** Returns the cause of figures that a week has since `count` records were closed, of which the given is the last. */
function causeOfClosing({ kind, id }: RecordKey, dates: readonly LocalDate[], count: number): Cause {
  return { kind, entry_type: null, op: 'close', count, id, from: itemAt(dates, 0), to: itemAt(dates, dates.length - 1) }
}

/** Reopens a closed day, unless its week is closed (D3.23, D3.48). */
export async function reopenDay(
  writer: UserWriter,
  date: LocalDate,
  { user, nowMs }: AccountContext,
): Promise<ReopenOutcome> {
  const week = weekOf(date)
  const [day] = await writer.find([dayKey(user, date)])
  if (!isLive(day)) return { outcome: 'not_closed' }
  if (isLive(await findWeek({ writer, user }, week)))
    return { outcome: 'conflict', reason: `week ${week} is closed: reopen the week` }
  const locked = await lockedMonthOf(writer, [date])
  if (locked) return locked
  await writer.put([buildReopened(day, nowMs)])
  return { outcome: 'reopened' }
}

/** Reopens a closed week and its days (D3.24). */
export async function reopenWeek(
  writer: UserWriter,
  week: IsoWeek,
  { user, nowMs }: AccountContext,
): Promise<ReopenOutcome> {
  const closedWeek = await findWeek({ writer, user }, week)
  if (!isLive(closedWeek)) return { outcome: 'not_closed' }
  const locked = await lockedMonthOf(writer, datesOfWeek(week))
  if (locked) return locked
  const days = await writer.find(datesOfWeek(week).map((date) => dayKey(user, date)))
  await writer.put([...days.filter(isLive), closedWeek].map((record) => buildReopened(record, nowMs)))
  return { outcome: 'reopened' }
}

/** Returns the conflict of dates of which one lies in a locked month (D27.7). */
async function lockedMonthOf(reader: UserReader, dates: readonly LocalDate[]): Promise<Conflict | undefined> {
  const locked = (await reader.memberMonths())?.locked ?? []
  const month = dates.map(monthOf).find((each) => locked.includes(each))
  return month && { outcome: 'conflict', reason: `${month} is locked: ask HR to reopen the month` }
}

function outsideAccount(what: string): Conflict {
  return { outcome: 'conflict', reason: `${what} is outside the account: no settings are in force` }
}

function notEnded(what: string): Conflict {
  return { outcome: 'conflict', reason: `${what} has not ended yet` }
}
