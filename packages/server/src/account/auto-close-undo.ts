import {
  allDates,
  type ClosedDay,
  type ClosedWeek,
  type EpochMs,
  epochMs,
  type LocalDate,
  monthOf,
  weekOf,
} from '@saldo/core'
import type { UserWriter } from '../store/store.ts'
import { readClosedDays, readClosedWeeks, readTimeline } from './account-reads.ts'
import { buildReopened, firstClosedBy } from './closed-records.ts'
import type { AccountContext } from './context.ts'
import { enqueueAutoClose } from './enqueue-auto-close.ts'

/**
 * Reopens what auto-close closed since a time, for it to look at again (D3.59), and the days that a recomputation
 * closed in such weeks. Returns how many days and weeks it reopened.
 */
export async function undoAutoClose(
  writer: UserWriter,
  sinceMs: EpochMs,
  { nowMs }: Pick<AccountContext, 'nowMs'>,
): Promise<{ days: number; weeks: number }> {
  const locked = new Set((await writer.memberMonths())?.locked)
  const isOfRun = (closed: ClosedDay | ClosedWeek, ...dates: LocalDate[]) =>
    firstClosedBy(closed) === 'auto' &&
    epochMs(closed.closed_at) >= sinceMs &&
    !dates.some((date) => locked.has(monthOf(date)))
  const isWeekOfRun = (week: ClosedWeek) => isOfRun(week, week.start_date, week.end_date)
  const weeks = await readClosedWeeks(writer, allDates)
  const undone = weeks.filter(isWeekOfRun)
  const kept = weeks.filter((week) => !isWeekOfRun(week))
  const undoneWeeks = new Set(undone.map(({ week }) => week))
  const keptWeeks = new Set(kept.map(({ week }) => week))
  const days = (await readClosedDays(writer, allDates)).filter((day) => {
    const week = weekOf(day.date)
    if (firstClosedBy(day) === 'recompute') return undoneWeeks.has(week)
    return isOfRun(day, day.date) && !keptWeeks.has(week)
  })
  const keys = [
    ...days.map(({ id }) => ({ kind: 'closed_days' as const, id })),
    ...undone.map(({ id }) => ({ kind: 'closed_weeks' as const, id })),
  ]
  if (keys.length === 0) return { days: 0, weeks: 0 }
  await writer.put((await writer.find(keys)).map((record) => buildReopened(record, nowMs, true)))
  const dates = [...days.map(({ date }) => date), ...undone.map(({ start_date }) => start_date)]
  await enqueueAutoClose(writer, await readTimeline(writer), dates, nowMs)
  return { days: days.length, weeks: keys.length - days.length }
}
