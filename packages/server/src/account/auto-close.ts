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
  weekOf,
} from '@saldo/core'
import type { Job, UserId, UserWriter } from '../store/store.ts'
import { AUTO_CLOSE_JOB, type AutoCloseTask } from './auto-close-job.ts'
import { type Closer, closeDaysAlone, closeWeekOf, dayKey, findByKeys, weekKey } from './closing.ts'
import { readTimeline, shifted } from './records.ts'

/** How many days and weeks one transaction closes at most, so that others need not wait long. */
const DAYS_AT_ONCE = 56
const WEEKS_AT_ONCE = 8

/** What is due of a sequence of dates: `next` is where to go on, at `dueMs`; without it there is nothing more. */
interface Due {
  dates: LocalDate[]
  next?: { date: LocalDate; dueMs: EpochMs }
}

/**
 * Closes what has become due, in date order, a bounded part at a time (D3), and moves the job on. Safe to run twice:
 * what is closed stays as it is, and what a user reopened is left alone.
 */
export async function runAutoClose(
  writer: UserWriter,
  { task }: Job & { task: AutoCloseTask },
  { user, nowMs }: { user: UserId; nowMs: EpochMs },
): Promise<void> {
  const timeline = await readTimeline(writer)
  const closer: Closer = { user, by: 'auto', nowMs }
  const days = dueDates(timeline, task.dayFrom, nowMs, {
    step: 1,
    most: DAYS_AT_ONCE,
    decidedOn: (date) => date,
    dueMs: (date, { day_after_ms }) => dayStart(timeline, addDays(date, 1)) + day_after_ms,
  })
  await closeUntouchedDays(writer, timeline, days.dates, closer)
  const weeks = dueDates(timeline, task.weekFrom, nowMs, {
    step: 7,
    most: WEEKS_AT_ONCE,
    // Kept among the dates there are: the last week that begins in them has no Sunday.
    decidedOn: (monday) => shifted(monday, 6),
    dueMs: (monday, { week_after_days }) => dayStart(timeline, addDays(monday, 7 + week_after_days)),
  })
  for (const monday of weeks.dates) await closeUntouchedWeek(writer, timeline, monday, closer)

  if (!days.next && !weeks.next) return writer.deleteJob(AUTO_CLOSE_JOB)
  const dueMs = Math.min(...[days.next, weeks.next].flatMap((next) => (next ? [next.dueMs] : [])))
  const after = { dayFrom: days.next?.date ?? task.dayFrom, weekFrom: weeks.next?.date ?? task.weekFrom }
  await writer.putJob({ id: AUTO_CLOSE_JOB, dueMs, task: { kind: 'auto_close', ...after } })
}

interface Sequence {
  /** Days from one date of the sequence to the next. */
  step: 1 | 7
  most: number
  /** The date whose settings decide. */
  decidedOn(date: LocalDate): LocalDate
  dueMs(date: LocalDate, autoClose: NonNullable<Settings['auto_close']>): EpochMs
}

/**
 * The dates from `from` on that are due at `nowMs` by the settings in force on them. Where a row's dates are not due
 * yet, those of a later row, which may wait less long, still can be: at most the longest wait in all.
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
      // No date is due before it begins: those of still later rows can neither be due nor move `next`.
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
  const stored = await findByKeys(
    writer,
    dates.map((date) => dayKey(closer.user, date)),
  )
  await closeDaysAlone(
    writer,
    timeline,
    dates.filter((_, index) => !stored[index]),
    closer,
  )
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
  if (!isReopened) await closeWeekOf(writer, week, closer, timeline)
}
