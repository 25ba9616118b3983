import {
  type Cause,
  type ClosedDay,
  closeDay,
  type DateRange,
  datesOfWeek,
  type EpochMs,
  entriesByDate,
  type LocalDate,
  type RecordKind,
  type Settings,
  settingsOn,
  type Timeline,
  weekOf,
} from '@saldo/core'
import type { UserId, UserWriter } from '../store/store.ts'
import {
  type Closer,
  closeDays,
  dayKey,
  dayState,
  figuresDiffer,
  findByKeys,
  recountWeeks,
  weekKey,
} from './closing.ts'
import { mergeRanges, readClosedDays, readEntries } from './records.ts'

/** Above so many closed days, a change leaves the recomputation to a job (D3). */
export const MAX_DAYS_AT_ONCE = 400
/** Ranges so near to each other are read together, in days. */
const READ_TOGETHER = 14

/** Why closed days of a range may have changed: the change of a record. */
export interface Touch extends DateRange {
  cause: { kind: RecordKind; id: string; op: 'upsert' | 'delete' }
}

/**
 * Brings the closed days that the touches name, and their weeks, to what the records now say (D3). What does not
 * change in any figure is not written. The last touch of a date is its cause.
 */
export async function recompute(
  writer: UserWriter,
  timeline: Timeline<Settings>,
  touches: readonly Touch[],
  { user, nowMs }: { user: UserId; nowMs: EpochMs },
): Promise<void> {
  const closer: Closer = { user, by: 'recompute', nowMs }
  for (const range of mergeRanges(touches, READ_TOGETHER)) {
    const isTouched = (date: LocalDate) => touches.some(({ from, to }) => from <= date && date <= to)
    const days = (await readClosedDays(writer, range)).filter(({ date }) => isTouched(date))
    if (days.length === 0) continue
    const weeks = new Set(days.map(({ date }) => weekOf(date)))
    const changed = await recomputeDays(writer, timeline, days, closer)
    for (const date of await closeMissing(writer, timeline, [...weeks], closer)) changed.push(date)
    await recountWeeks(writer, changed, (date) => causeOn(touches, date), closer)
  }
}

async function recomputeDays(
  writer: UserWriter,
  timeline: Timeline<Settings>,
  days: readonly ClosedDay[],
  closer: Closer,
): Promise<LocalDate[]> {
  const range = { from: (days[0] as ClosedDay).date, to: (days.at(-1) as ClosedDay).date }
  const byDate = entriesByDate(await readEntries(writer, timeline, range), timeline, range)
  const changed = days.flatMap((day) => {
    const figures = closeDay(byDate.get(day.date) ?? [], timeline, day.date)
    const same =
      !figuresDiffer(day, figures) && day.settings_id === figures.settings_id && day.time_zone === figures.time_zone
    return same ? [] : [figures]
  })
  const stored = await findByKeys(
    writer,
    changed.map(({ date }) => dayKey(closer.user, date)),
  )
  await writer.put(changed.map((figures, index) => dayState(stored[index], figures, closer)))
  return changed.map(({ date }) => date)
}

/** A settings row that begins earlier brings days into the account whose week is closed: they are closed with it. */
async function closeMissing(
  writer: UserWriter,
  timeline: Timeline<Settings>,
  weeks: readonly string[],
  closer: Closer,
): Promise<LocalDate[]> {
  const stored = await findByKeys(
    writer,
    weeks.map((week) => weekKey(closer.user, week)),
  )
  const dates = weeks
    .filter((_, index) => stored[index]?.deleted === false)
    .flatMap(datesOfWeek)
    .filter((date) => settingsOn(timeline, date))
  const closed = await closeDays(writer, timeline, dates, closer)
  return dates.filter((_, index) => closed[index]?.created)
}

function causeOn(touches: readonly Touch[], date: LocalDate): Cause {
  const touch = touches.findLast(({ from, to }) => from <= date && date <= to) ?? (touches.at(-1) as Touch)
  return { ...touch.cause, date }
}
