import {
  addDays,
  datesOfWeek,
  dayStart,
  type EpochMs,
  type IsoWeek,
  type LocalDate,
  mondayOf,
  settingsOn,
  type Timeline,
  weekOf,
} from '@saldo/core'
import type { StoredRecord, UserWriter } from '../store/store.ts'
import { readTimeline } from './account-reads.ts'
import { scheduleAutoClose } from './auto-close-schedule.ts'
import {
  buildReopened,
  type ClosedBy,
  closeDays,
  dayKey,
  storeClosedWeek,
  updateClosedWeeks,
  weekKey,
} from './closed-records.ts'
import type { AccountContext } from './context.ts'

/** The outcome of closing a day or week; `already_closed` comes with what is stored. */
export type CloseOutcome =
  | { outcome: 'closed' | 'already_closed'; record: StoredRecord }
  | { outcome: 'conflict'; reason: string }

export type ReopenOutcome = { outcome: 'reopened' | 'not_closed' } | { outcome: 'conflict'; reason: string }

/** Closes a day that has ended (D3.21, D3.22). */
export async function closeDay(writer: UserWriter, date: LocalDate, context: AccountContext): Promise<CloseOutcome> {
  const key = dayKey(context.user, date)
  const [stored] = await writer.find([key])
  if (stored?.deleted === false) return { outcome: 'already_closed', record: stored }
  const timeline = await readTimeline(writer)
  if (!settingsOn(timeline, date)) return outsideAccount(date)
  if (!hasEnded(timeline, date, context.nowMs)) return notEnded(date)
  await closeDaysAndUpdateWeeks(writer, timeline, [date], { by: 'user' }, context)
  // Auto-close may have left its week open because of this day.
  await scheduleAutoClose(writer, timeline, [date], context.nowMs)
  const [record] = await writer.find([key])
  return { outcome: 'closed', record: record as StoredRecord }
}

/** Closes a week that has ended, and those of its days that are still open (D3.20). */
export async function closeWeek(
  writer: UserWriter,
  timeline: Timeline,
  week: IsoWeek,
  by: ClosedBy,
  context: AccountContext,
): Promise<CloseOutcome> {
  const key = weekKey(context.user, week)
  const [stored] = await writer.find([key])
  if (stored?.deleted === false) return { outcome: 'already_closed', record: stored }
  const dates = datesOfWeek(week).filter((date) => settingsOn(timeline, date))
  if (dates.length === 0) return outsideAccount(week)
  if (!hasEnded(timeline, addDays(mondayOf(week), 6), context.nowMs)) return notEnded(week)

  await closeDays(writer, timeline, dates, { by }, context)
  await storeClosedWeek(writer, week, stored, { ...key, op: 'close', date: mondayOf(week) }, by, context)
  const [record] = await writer.find([key])
  return { outcome: 'closed', record: record as StoredRecord }
}

/** Closes those of the dates that are open. A closed week then counts them: settings can bring days into it. */
export async function closeDaysAndUpdateWeeks(
  writer: UserWriter,
  timeline: Timeline,
  dates: readonly LocalDate[],
  options: { by: ClosedBy; skipReopened?: boolean },
  context: AccountContext,
): Promise<void> {
  const closed = await closeDays(writer, timeline, dates, options, context)
  await updateClosedWeeks(writer, closed, (date) => ({ ...dayKey(context.user, date), op: 'close', date }), context)
}

/** Reopens a closed day, unless its week is closed (D3.23, D3.48). */
export async function reopenDay(
  writer: UserWriter,
  date: LocalDate,
  { user, nowMs }: AccountContext,
): Promise<ReopenOutcome> {
  const week = weekOf(date)
  const [day] = await writer.find([dayKey(user, date)])
  if (day?.deleted !== false) return { outcome: 'not_closed' }
  const [closedWeek] = await writer.find([weekKey(user, week)])
  if (closedWeek?.deleted === false) return { outcome: 'conflict', reason: `week ${week} is closed: reopen the week` }
  await writer.put([buildReopened(day, nowMs)])
  return { outcome: 'reopened' }
}

/** Reopens a closed week and its days (D3.24). */
export async function reopenWeek(
  writer: UserWriter,
  week: IsoWeek,
  { user, nowMs }: AccountContext,
): Promise<ReopenOutcome> {
  const keys = [...datesOfWeek(week).map((date) => dayKey(user, date)), weekKey(user, week)]
  const closed = (await writer.find(keys)).filter(({ deleted }) => !deleted)
  if (!closed.some(({ kind }) => kind === 'closed_weeks')) return { outcome: 'not_closed' }
  await writer.put(closed.map((record) => buildReopened(record, nowMs)))
  return { outcome: 'reopened' }
}

function hasEnded(timeline: Timeline, date: LocalDate, nowMs: EpochMs): boolean {
  return nowMs >= dayStart(timeline, addDays(date, 1))
}

function outsideAccount(what: string): CloseOutcome {
  return { outcome: 'conflict', reason: `${what} is outside the account: no settings are in force` }
}

function notEnded(what: string): CloseOutcome {
  return { outcome: 'conflict', reason: `${what} has not ended yet` }
}
