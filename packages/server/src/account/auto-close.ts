import {
  addDays,
  datesOfWeek,
  dayStart,
  type EpochMs,
  type LocalDate,
  mondayOf,
  type Settings,
  settingsOn,
  type Timeline,
  type UserNumber,
  weekOf,
} from '@saldo/core'
import { readTimeline } from '../records/reading.ts'
import type { UserWriter } from '../store/store.ts'
import type { AutoCloseTask } from './auto-close-job.ts'
import { type Closer, dayKey, findDays, weekKey } from './closed-records.ts'
import { closeDays, closeOneWeek } from './closing.ts'
import { addDaysWithinCalendar } from './date-ranges.ts'

/** The most days and weeks that one transaction closes, so that others need not wait long. */
const DAYS_PER_PIECE = 56
const WEEKS_PER_PIECE = 8

/** The dates of a sequence that are due now, and the next one with the time when it is due, if there is one. */
interface Due {
  dates: LocalDate[]
  next?: { date: LocalDate; dueMs: EpochMs }
}

/**
 * Closes days and weeks that are due, in date order, a bounded part at a time (D3.40). Closed ones stay as they are;
 * reopened ones are left alone (D3.39). Returns the rest of the job, or undefined if there is none.
 */
export async function runAutoClose(
  writer: UserWriter,
  { dayFrom, weekFrom }: AutoCloseTask,
  { user, nowMs }: { user: UserNumber; nowMs: EpochMs },
): Promise<{ task: AutoCloseTask; dueMs: EpochMs } | undefined> {
  const timeline = await readTimeline(writer)
  const closer: Closer = { user, by: 'auto', nowMs }
  const days = dueDates(timeline, dayFrom, nowMs, {
    step: 1,
    most: DAYS_PER_PIECE,
    decidedOn: (date) => date,
    dueMs: (date, { day_after_ms }) => dayStart(timeline, addDays(date, 1)) + day_after_ms,
  })
  await closeUntouchedDays(writer, timeline, days.dates, closer)
  const weeks = dueDates(timeline, weekFrom, nowMs, {
    step: 7,
    most: WEEKS_PER_PIECE,
    // The Sunday of the last week that begins in the calendar lies beyond it.
    decidedOn: (monday) => addDaysWithinCalendar(monday, 6),
    dueMs: (monday, { week_after_days }) => dayStart(timeline, addDays(monday, 7 + week_after_days)),
  })
  for (const monday of weeks.dates) await closeUntouchedWeek(writer, timeline, monday, closer)

  const nexts = [days.next, weeks.next].filter((next) => next !== undefined)
  if (nexts.length === 0) return undefined
  return {
    task: { kind: 'auto_close', dayFrom: days.next?.date ?? dayFrom, weekFrom: weeks.next?.date ?? weekFrom },
    dueMs: Math.min(...nexts.map(({ dueMs }) => dueMs)),
  }
}

interface Sequence {
  /** The number of days from one date of the sequence to the next. */
  step: 1 | 7
  /** The most dates of one piece. */
  most: number
  /** The date whose settings decide. */
  decidedOn(date: LocalDate): LocalDate
  dueMs(date: LocalDate, autoClose: NonNullable<Settings['auto_close']>): EpochMs
}

/**
 * Returns the dates from `from` on that are due at `nowMs` by the settings in force on them. If the dates of a settings
 * row are not due yet, those of a later row, which may wait for less time, still can be.
 */
function dueDates(timeline: Timeline<Settings>, from: LocalDate, nowMs: EpochMs, sequence: Sequence): Due {
  const dates: LocalDate[] = []
  let next: Due['next']
  let date = from
  for (;;) {
    const decided = sequence.decidedOn(date)
    const autoClose = settingsOn(timeline, decided)?.auto_close
    const dueMs = autoClose ? sequence.dueMs(date, autoClose) : Number.POSITIVE_INFINITY
    if (dueMs <= nowMs) {
      if (!next && dates.length === sequence.most) return { dates, next: { date, dueMs } }
      dates.push(date)
      date = addDays(date, sequence.step)
    } else {
      if (autoClose) next = { date: next?.date ?? date, dueMs: Math.min(next?.dueMs ?? dueMs, dueMs) }
      const later = timeline.find((row) => row.effective_from > decided && row.auto_close)?.effective_from
      // No date is due before it begins, so rows from `next.dueMs` on are neither due nor change `next`.
      const isBeyond = later === undefined || (next && dayStart(timeline, later) >= next.dueMs)
      if (isBeyond) return next ? { dates, next } : { dates }
      date = sequence.step === 1 ? later : mondayOf(weekOf(later))
    }
  }
}

async function closeUntouchedDays(
  writer: UserWriter,
  timeline: Timeline<Settings>,
  dates: readonly LocalDate[],
  closer: Closer,
): Promise<void> {
  const stored = await findDays(writer, closer.user, dates)
  const untouched = dates.filter((date) => !stored.has(date))
  await closeDays(writer, timeline, untouched, closer)
}

async function closeUntouchedWeek(
  writer: UserWriter,
  timeline: Timeline<Settings>,
  monday: LocalDate,
  closer: Closer,
): Promise<void> {
  const week = weekOf(monday)
  const keys = [weekKey(closer.user, week), ...datesOfWeek(week).map((date) => dayKey(closer.user, date))]
  const isReopened = (await writer.find(keys)).some(({ deleted }) => deleted)
  if (!isReopened) await closeOneWeek(writer, timeline, week, closer)
}
