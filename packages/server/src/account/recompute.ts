import {
  addDays,
  type Cause,
  type DateRange,
  datesOfWeek,
  type IsoWeek,
  type LocalDate,
  type Settings,
  settingsOn,
  type Timeline,
  weekdayIndex,
  weekOf,
} from '@saldo/core'
import { readClosedDays, readTimeline } from '../records/reading.ts'
import type { UserWriter } from '../store/store.ts'
import type { AffectedRange } from './affected-ranges.ts'
import { type AccountContext, closeDays, recomputeDays, updateClosedWeeks, weekKey } from './closed-records.ts'
import { mergeRanges } from './date-ranges.ts'

/**
 * Recomputes the closed days in the affected ranges, and then their weeks, each once (D3.27, D3.28). Figures that stay
 * the same are not written. The last range that contains a date is its cause.
 */
export async function recompute(
  writer: UserWriter,
  timeline: Timeline<Settings>,
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

/** The most closed days that one transaction of a job reads: fourteen weeks. */
const DAYS_PER_PIECE = 98

/** Recomputes the first closed days of the affected ranges. Returns the rest of the ranges. */
export async function recomputeFirstDays(
  writer: UserWriter,
  affected: readonly AffectedRange[],
  context: AccountContext,
): Promise<AffectedRange[]> {
  const ranges = mergeRanges(affected)
  const whole = { from: (ranges[0] as DateRange).from, to: (ranges.at(-1) as DateRange).to }
  const days = await readClosedDays(writer, whole, DAYS_PER_PIECE)
  const isLast = days.length < DAYS_PER_PIECE
  // A piece ends on a Sunday, so that no week is revised twice.
  const sunday = days.findLast(({ date }) => weekdayIndex(date) === 6) ?? days.at(-1)
  const end = isLast || !sunday ? whole.to : sunday.date

  const piece = affected.filter(({ from }) => from <= end)
  await recompute(
    writer,
    await readTimeline(writer),
    piece.map((range) => (range.to > end ? { ...range, to: end } : range)),
    context,
  )
  return affected
    .filter(({ to }) => to > end)
    .map((range) => (range.from > end ? range : { ...range, from: addDays(end, 1) }))
}

/** Closes the open days of a closed week: a settings row that begins earlier brings days into the account (D3.18). */
async function closeDaysThatEntered(
  writer: UserWriter,
  timeline: Timeline<Settings>,
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
