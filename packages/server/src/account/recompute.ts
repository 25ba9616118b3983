import {
  addDays,
  addDaysWithinCalendar,
  affectedRange,
  allDates,
  buildTimeline,
  type Cause,
  type ClosedDay,
  type DateRange,
  datesOfWeek,
  type Entry,
  type EpochMs,
  FIRST_DATE,
  type HolidaySettings,
  type IsoWeek,
  type Json,
  jsonEqual,
  LAST_DATE,
  type LocalDate,
  mergeRanges,
  mondayOf,
  rangeInForce,
  type Settings,
  settingsOn,
  type Timeline,
  weekOf,
} from '@saldo/core'
import type { UserReader, UserWriter } from '../store/store.ts'
import { dateSpan, liveFieldsOf } from '../store/stored-records.ts'
import { readClosedDays, readTimeline } from './account-reads.ts'
import { type AccountContext, closeDays, recomputeDays, updateClosedWeeks, weekKey } from './closed-records.ts'
import { scheduleAutoClose } from './closing.ts'
import { type ReplacedRecord, scheduleHolidays } from './holiday-schedule.ts'
import { disjointRanges, joinToAtMost } from './job-ranges.ts'

/** The most closed days that a transaction recomputes itself; it leaves more to a job (D3.32). */
const MAX_DAYS_IN_TRANSACTION = 100
/** The most entries among which a transaction recomputes closed days itself (D3.60). */
const MAX_ENTRIES_IN_TRANSACTION = 5_000

/** Updates the account after a transaction's changes (D3.29), now or by a job, and lets auto-close look again. */
export async function updateAccount(
  writer: UserWriter,
  replaced: readonly ReplacedRecord[],
  context: AccountContext,
): Promise<void> {
  if (replaced.every(({ after }) => after.kind === 'balance_adjustments')) return
  const timeline = await readTimeline(writer)
  const effectiveDates = replaced.flatMap(datesOfSettings)
  if (effectiveDates.length > 0) await scheduleAutoClose(writer, timeline, effectiveDates, context.nowMs)
  await scheduleHolidays(writer, replaced, timelineBeforeChange(replaced, timeline), timeline)
  await recomputeAfter(writer, timeline, affectedRanges(replaced, timeline), context)
}

/** Recomputes the closed days of the dates that generated holidays came to or left (D16.12). */
export async function recomputeHolidays(
  writer: UserWriter,
  timeline: Timeline<HolidaySettings>,
  replaced: readonly ReplacedRecord[],
  context: AccountContext,
): Promise<void> {
  const affected = affectedRanges(replaced, timeline)
  const byHolidays = affected.map((range) => ({ ...range, cause: { ...range.cause, op: 'holidays' as const } }))
  await recomputeAfter(writer, timeline, byHolidays, context)
}

/** Recomputes affected ranges now or, if that takes long, by a job. */
async function recomputeAfter(
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
  if (isLong) await scheduleRecompute(writer, await startAtFirstClosedDay(writer, affected), context.nowMs)
  else await recompute(writer, timeline, affected, context)
}

/** The id of a user's only job of this kind. */
const RECOMPUTE_JOB = 'recompute'
/** The most ranges that the job keeps apart. */
const MAX_JOB_RANGES = 200

/** Adds ranges to the user's job of recomputing. Dates that already wait are recomputed once (D3.56). */
async function scheduleRecompute(
  writer: UserWriter,
  affected: readonly AffectedRange[],
  nowMs: EpochMs,
): Promise<void> {
  const waiting = (await writer.jobs()).find(({ id }) => id === RECOMPUTE_JOB)
  const earlier = waiting?.task.kind === 'recompute' ? waiting.task.ranges : []
  const ranges = joinToAtMost(disjointRanges([...earlier, ...affected]), MAX_JOB_RANGES)
  await writer.putJob({ id: RECOMPUTE_JOB, dueMs: waiting?.dueMs ?? nowMs, task: { kind: 'recompute', ranges } })
}

function datesOfSettings({ before, after }: ReplacedRecord): LocalDate[] {
  if (after.kind !== 'settings_history') return []
  return [before, after].flatMap((record) => liveFieldsOf<Settings>(record)?.effective_from ?? [])
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

/** Returns the ranges from the first closed day on: the balance shows no earlier dates as recomputing. */
async function startAtFirstClosedDay(reader: UserReader, affected: readonly AffectedRange[]): Promise<AffectedRange[]> {
  const [first] = (await readClosedDays(reader, allDates, 1)) as [ClosedDay]
  return affected
    .filter(({ to }) => to >= first.date)
    .map((range) => (range.from < first.date ? { ...range, from: first.date } : range))
}

/** Dates whose figures a change can alter. */
export interface AffectedRange extends DateRange {
  /** The change; its date is that of the altered day. */
  cause: Pick<Cause, 'kind' | 'id' | 'op'>
}

/** Returns the dates whose figures a transaction can alter (D3.26, D3.28); `timeline` is the one after it. */
function affectedRanges(replaced: readonly ReplacedRecord[], timeline: Timeline<HolidaySettings>): AffectedRange[] {
  const entries = replaced.filter(({ after }) => after.kind === 'entries')
  const settings = replaced.filter(({ after }) => after.kind === 'settings_history')
  const timelineBefore = timelineBeforeChange(replaced, timeline)
  return [
    ...entries.flatMap((change) => withCause(change, rangesOfEntry(change, timeline))),
    ...settings.flatMap((change) => withCause(change, rangesOfSettings(change, timelineBefore, timeline))),
  ]
}

function withCause({ after: { kind, id, deleted } }: ReplacedRecord, ranges: readonly DateRange[]): AffectedRange[] {
  return mergeRanges(ranges).map((range) => ({ ...range, cause: { kind, id, op: deleted ? 'delete' : 'upsert' } }))
}

/** Returns the dates of the old and of the new interval of an entry. */
function rangesOfEntry({ before, after }: ReplacedRecord, timeline: Timeline): DateRange[] {
  return [before, after].flatMap((record) => {
    const entry = liveFieldsOf<Entry>(record)
    return (entry && affectedRange(entry, timeline)) ?? []
  })
}

/** Returns the old and the new range of a settings row, if it changes in anything that decides figures. */
function rangesOfSettings(
  { before, after }: ReplacedRecord,
  timelineBefore: Timeline,
  timeline: Timeline,
): DateRange[] {
  const [oldRow, newRow] = [liveFieldsOf<Settings>(before), liveFieldsOf<Settings>(after)]
  if (oldRow && newRow && decisiveFields.every((field) => jsonEqual(oldRow[field] as Json, newRow[field] as Json))) {
    return []
  }
  return [...rangeOfRow(oldRow, timelineBefore), ...rangeOfRow(newRow, timeline)]
}

/** The fields of a settings row that decide figures. */
const decisiveFields = ['effective_from', 'time_zone', 'target_ms', 'break_policy'] as const

function rangeOfRow(row: Settings | null, timeline: Timeline): DateRange[] {
  if (!row) return []
  const { from, to } = rangeInForce(timeline, row.effective_from)
  // All days before the account begins have the zone of the first row.
  const isFirst = timeline[0]?.effective_from === from
  // The zone of a row decides the borders of the days beside its range, too.
  return [
    {
      from: isFirst ? FIRST_DATE : addDaysWithinCalendar(from, -1),
      to: to ? addDaysWithinCalendar(to, 1) : LAST_DATE,
    },
  ]
}

function timelineBeforeChange(
  replaced: readonly ReplacedRecord[],
  timeline: Timeline<HolidaySettings>,
): Timeline<HolidaySettings> {
  const settings = replaced.filter(({ after }) => after.kind === 'settings_history')
  const changedIds = new Set(settings.map(({ after }) => after.id))
  const oldRows = settings.flatMap(({ before }) => liveFieldsOf<Settings>(before) ?? [])
  return buildTimeline([...timeline.filter(({ id }) => !changedIds.has(id)), ...oldRows])
}

/** Recomputes closed days, then their weeks, each once (D3.27, D3.28). The last range of a date is its cause. */
async function recompute(
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

/** Recomputes the first week with closed days in the affected ranges. Returns the rest of the ranges. */
export async function recomputeFirstWeek(
  writer: UserWriter,
  affected: readonly AffectedRange[],
  context: AccountContext,
): Promise<AffectedRange[]> {
  const ranges = mergeRanges(affected)
  const whole = { from: (ranges[0] as DateRange).from, to: (ranges.at(-1) as DateRange).to }
  const [first] = await readClosedDays(writer, whole, 1)
  const end = first ? addDaysWithinCalendar(mondayOf(weekOf(first.date)), 6) : whole.to

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
