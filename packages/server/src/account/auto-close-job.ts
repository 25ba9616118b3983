import {
  type AccountSettings,
  addDays,
  addDaysWithinCalendar,
  datesOfWeek,
  dayStart,
  type EpochMs,
  type IsoWeek,
  LAST_DATE,
  type LocalDate,
  mondayOf,
  rangeInForce,
  type Timeline,
  weekOf,
} from '@saldo/core'
import type { UserReader, UserWriter } from '../store/store.ts'
import { readTimeline } from './account-reads.ts'
import { MAX_AHEAD_MS } from './clock-guard.ts'
import { dayKey, isReopenedByUser, weekKey } from './closed-records.ts'
import { closeDaysAndUpdateWeeks, closeWeek } from './closing.ts'
import type { AccountContext, ClosingTransaction } from './context.ts'
import type { AutoCloseTask } from './enqueue-auto-close.ts'

/** The most days and weeks that one transaction closes, so that others need not wait long. */
const DAYS_PER_PIECE = 7
const WEEKS_PER_PIECE = 1

/** The rest of the job. It is held back where the clock is in doubt: then nothing is done until the next run. */
export interface AutoCloseRest {
  task: AutoCloseTask
  dueMs: EpochMs
  isHeldBack: boolean
}

/**
 * Closes days and weeks that are due, in date order, a bounded part at a time (D3.40). Closed ones stay as they are;
 * reopened ones are left alone (D3.39). Where the clock is in doubt, `plausibleMs` counts for users who have worked at
 * no later time (D3.57). Returns the rest of the job, `undefined` if there is none.
 */
export async function runAutoClose(
  writer: UserWriter,
  { dayFrom, weekFrom }: AutoCloseTask,
  context: AccountContext,
  plausibleMs: EpochMs = context.nowMs,
): Promise<AutoCloseRest | undefined> {
  const timeline = await readTimeline(writer)
  const isPlausible = plausibleMs >= context.nowMs || (await hasWorkedLately(writer, context.nowMs))
  const untilMs = isPlausible ? context.nowMs : plausibleMs
  const days = findDue(timeline, dayFrom, untilMs, daySequence)
  const transaction = { ...context, writer, timeline }
  await closeDaysAndUpdateWeeks(transaction, days.dates, { by: 'auto', skipReopened: true })
  const weeks = findDue(timeline, weekFrom, untilMs, weekSequence)
  for (const monday of weeks.dates) await closeUntouchedWeek(transaction, weekOf(monday))

  const nexts = [days.next, weeks.next].filter((next) => next !== undefined)
  if (nexts.length === 0) return undefined
  const dueMs = Math.min(...nexts.map(({ dueMs }) => dueMs))
  return {
    task: { kind: 'auto_close', dayFrom: days.next?.date ?? dayFrom, weekFrom: weeks.next?.date ?? weekFrom },
    dueMs,
    isHeldBack: untilMs < dueMs && dueMs <= context.nowMs,
  }
}

/** True if a timed entry lies in the weeks before an instant: a sign of the user that it is not far in the future. */
async function hasWorkedLately(reader: UserReader, nowMs: EpochMs): Promise<boolean> {
  const entries = await reader.accountEntries({ from: nowMs - MAX_AHEAD_MS, to: nowMs })
  return entries.some((entry) => !('date' in entry) && entry.start >= nowMs - MAX_AHEAD_MS)
}

/** The dates that auto-close goes through: each date, or each Monday. */
interface Sequence {
  /** The number of days from one date of the sequence to the next. */
  stepDays: 1 | 7
  /** The most dates that one transaction closes. */
  most: number
  /** Returns the first date of the sequence whose settings can be those that begin on a date. */
  firstOn(effectiveFrom: LocalDate): LocalDate
  /** Returns the date whose settings decide (D3.38). */
  decidedOn(date: LocalDate): LocalDate
  dueMs(timeline: Timeline, date: LocalDate, autoClose: NonNullable<AccountSettings['auto_close']>): EpochMs
}

const daySequence: Sequence = {
  stepDays: 1,
  most: DAYS_PER_PIECE,
  firstOn: (effectiveFrom) => effectiveFrom,
  decidedOn: (date) => date,
  dueMs: (timeline, date, { day_after_ms }) => dayStart(timeline, addDays(date, 1)) + day_after_ms,
}

const weekSequence: Sequence = {
  stepDays: 7,
  most: WEEKS_PER_PIECE,
  firstOn: (effectiveFrom) => mondayOf(weekOf(effectiveFrom)),
  // The Sunday of the last week that begins in the calendar lies beyond it.
  decidedOn: (monday) => addDaysWithinCalendar(monday, 6),
  dueMs: (timeline, monday, { week_after_days }) => dayStart(timeline, addDays(monday, 7 + week_after_days)),
}

/** The dates that are due now, and the first one that is left, with the time when one is due. */
interface Due {
  dates: LocalDate[]
  next?: { date: LocalDate; dueMs: EpochMs }
}

/** Returns the dates from `from` on that are due at `nowMs` by the settings in force on them, at most `most`. */
function findDue(timeline: Timeline, from: LocalDate, nowMs: EpochMs, sequence: Sequence): Due {
  const due: Due = { dates: [] }
  for (const row of timeline) {
    for (const { date, dueMs } of datesOfRow(timeline, row, from, sequence)) {
      // Dates after one that is not due are looked at again next time, so a limit on them would stop the job there.
      const isFull = !due.next && due.dates.length === sequence.most
      if (dueMs <= nowMs && !isFull) {
        due.dates.push(date)
        continue
      }
      due.next = { date: due.next?.date ?? date, dueMs: Math.min(due.next?.dueMs ?? dueMs, dueMs) }
      if (dueMs <= nowMs) return due
      break
    }
  }
  return due
}

/** Yields the dates from `from` on that a settings row with auto-close decides, with the times to close them. */
function* datesOfRow(
  timeline: Timeline,
  { effective_from, auto_close }: AccountSettings,
  from: LocalDate,
  sequence: Sequence,
): Generator<{ date: LocalDate; dueMs: EpochMs }, undefined> {
  if (!auto_close) return
  const first = sequence.firstOn(effective_from)
  const last = rangeInForce(timeline, effective_from).to ?? LAST_DATE
  for (
    let date = first > from ? first : from;
    sequence.decidedOn(date) <= last;
    date = addDays(date, sequence.stepDays)
  ) {
    yield { date, dueMs: sequence.dueMs(timeline, date, auto_close) }
  }
}

async function closeUntouchedWeek(transaction: ClosingTransaction, week: IsoWeek): Promise<void> {
  const { writer, user } = transaction
  const keys = [weekKey(user, week), ...datesOfWeek(week).map((date) => dayKey(user, date))]
  const isReopened = (await writer.find(keys)).some(isReopenedByUser)
  if (!isReopened) await closeWeek(transaction, week, 'auto')
}
