import {
  addDays,
  type Cause,
  type ClosedDay,
  type ClosedWeek,
  closeDay,
  closeWeek,
  closingId,
  type DayFigures,
  datesOfWeek,
  dayStart,
  type EpochMs,
  entriesByDate,
  type IsoWeek,
  type JsonObject,
  type LocalDate,
  laterThan,
  mondayOf,
  type RecordKind,
  type Settings,
  settingsOn,
  type Timeline,
  type WeekFigures,
  weekOf,
} from '@saldo/core'
import type { NewState, RecordKey, StoredRecord, UserId, UserWriter } from '../store/store.ts'
import { scheduleAutoClose } from './auto-close-job.ts'
import { fieldsOf, readClosedDays, readEntries, readTimeline } from './records.ts'

/** How many revisions of a closed week are kept (D2). */
const KEPT_REVISIONS = 50

export type ClosedBy = ClosedDay['closed_by']

/** What became of a wish to close: `created` is false where it was closed already. */
export type CloseOutcome =
  | { outcome: 'closed'; created: boolean; record: StoredRecord }
  | { outcome: 'conflict'; reason: string }

export type ReopenOutcome = { outcome: 'reopened' | 'not_closed' } | { outcome: 'conflict'; reason: string }

/** Who closes, and when. */
export interface Closer {
  user: UserId
  by: ClosedBy
  nowMs: EpochMs
}

/** The figures by which a stored day or week is compared with a computed one. */
const figureNames = ['target_ms', 'worked_ms', 'break_ms', 'deducted_break_ms', 'credited_ms', 'delta_ms'] as const

export function figuresDiffer(a: WeekFigures, b: WeekFigures): boolean {
  return figureNames.some((name) => a[name] !== b[name])
}

/** Closes a day that has ended (D3). */
export async function closeDayOf(writer: UserWriter, date: LocalDate, closer: Closer): Promise<CloseOutcome> {
  const [stored] = await writer.find([dayKey(closer.user, date)])
  if (stored && !stored.deleted) return { outcome: 'closed', created: false, record: stored }
  const timeline = await readTimeline(writer)
  if (!settingsOn(timeline, date)) return outside(date)
  if (!hasEnded(timeline, date, closer.nowMs)) return notEnded(date)
  const [closed] = await closeDaysAlone(writer, timeline, [date], closer)
  // Its week may have waited for it.
  await scheduleAutoClose(writer, timeline, [date], closer.nowMs)
  return { outcome: 'closed', ...(closed as ClosedRecord) }
}

/** Closes a week that has ended, and those of its days that are still open (D3). */
export async function closeWeekOf(
  writer: UserWriter,
  week: IsoWeek,
  closer: Closer,
  known?: Timeline<Settings>,
): Promise<CloseOutcome> {
  const [stored] = await writer.find([weekKey(closer.user, week)])
  if (stored && !stored.deleted) return { outcome: 'closed', created: false, record: stored }
  const timeline = known ?? (await readTimeline(writer))
  const dates = datesOfWeek(week).filter((date) => settingsOn(timeline, date))
  const sunday = addDays(mondayOf(week), 6)
  if (dates.length === 0) return outside(week)
  if (!hasEnded(timeline, sunday, closer.nowMs)) return notEnded(week)

  await closeDays(writer, timeline, dates, closer)
  const figures = await figuresOf(writer, week)
  const cause = { kind: 'closed_weeks', id: closingId(closer.user, week), op: 'close', date: mondayOf(week) } as const
  const [record] = await writer.put([weekState(stored, week, figures, cause, closer)])
  return { outcome: 'closed', created: true, record: record as StoredRecord }
}

/** Reopens a closed day, unless its week is closed. */
export async function reopenDay(writer: UserWriter, date: LocalDate, { user, nowMs }: Closer): Promise<ReopenOutcome> {
  const [day, week] = await findByKeys(writer, [dayKey(user, date), weekKey(user, weekOf(date))])
  if (week && !week.deleted) return { outcome: 'conflict', reason: `week ${weekOf(date)} is closed: reopen the week` }
  if (!day || day.deleted) return { outcome: 'not_closed' }
  await writer.put([reopened(day, nowMs)])
  return { outcome: 'reopened' }
}

/** Reopens a closed week and its days. */
export async function reopenWeek(writer: UserWriter, week: IsoWeek, { user, nowMs }: Closer): Promise<ReopenOutcome> {
  const keys = [...datesOfWeek(week).map((date) => dayKey(user, date)), weekKey(user, week)]
  const closed = (await writer.find(keys)).filter(({ deleted }) => !deleted)
  if (!closed.some(({ kind }) => kind === 'closed_weeks')) return { outcome: 'not_closed' }
  await writer.put(closed.map((record) => reopened(record, nowMs)))
  return { outcome: 'reopened' }
}

/** What became of closing one date: `created` is false where it was closed already. */
export interface ClosedRecord {
  created: boolean
  record: StoredRecord
}

/** Closes those of the dates that are open; in the order of the dates, which is ascending. */
export async function closeDays(
  writer: UserWriter,
  timeline: Timeline<Settings>,
  dates: readonly LocalDate[],
  closer: Closer,
): Promise<ClosedRecord[]> {
  const stored = await findByKeys(
    writer,
    dates.map((date) => dayKey(closer.user, date)),
  )
  const open = dates.filter((_, index) => stored[index]?.deleted !== false)
  const range = { from: open[0] ?? '', to: open.at(-1) ?? '' }
  const entries = open.length === 0 ? [] : await readEntries(writer, timeline, range)
  const byDate = open.length === 0 ? new Map() : entriesByDate(entries, timeline, range)
  const put = await writer.put(
    dates.flatMap((date, index) => {
      const before = stored[index]
      if (before && !before.deleted) return []
      return [dayState(before, closeDay(byDate.get(date) ?? [], timeline, date), closer)]
    }),
  )
  let next = 0
  return stored.map((before) => {
    if (before && !before.deleted) return { created: false, record: before }
    const record = put[next] as StoredRecord
    next += 1
    return { created: true, record }
  })
}

/**
 * Closes those of the dates that are open, by themselves. A closed week can have some, where settings brought them into it
 * and a job is still to close them: it counts them from now on.
 */
export async function closeDaysAlone(
  writer: UserWriter,
  timeline: Timeline<Settings>,
  dates: readonly LocalDate[],
  closer: Closer,
): Promise<ClosedRecord[]> {
  const closed = await closeDays(writer, timeline, dates, closer)
  const created = dates.filter((_, index) => closed[index]?.created)
  const causeOn = (date: LocalDate) => {
    return { kind: 'closed_days', id: closingId(closer.user, date), op: 'close', date } as const
  }
  await recountWeeks(writer, created, causeOn, closer)
  return closed
}

/** Brings closed weeks to the sum of their days, of which those of `changed` have changed. */
export async function recountWeeks(
  writer: UserWriter,
  changed: readonly LocalDate[],
  causeOn: (date: LocalDate) => Cause,
  { user, nowMs }: Closer,
): Promise<void> {
  const firstChanged = new Map<IsoWeek, LocalDate>()
  for (const date of changed.toSorted().reverse()) firstChanged.set(weekOf(date), date)
  const weeks = [...firstChanged.keys()].sort()
  const stored = await findByKeys(
    writer,
    weeks.map((week) => weekKey(user, week)),
  )
  for (const [index, week] of weeks.entries()) {
    const before = stored[index]
    if (!before || before.deleted) continue
    const figures = await figuresOf(writer, week)
    if (!figuresDiffer(fieldsOf(before) as ClosedWeek, figures)) continue
    const cause = causeOn(firstChanged.get(week) as LocalDate)
    await writer.put([weekState(before, week, figures, cause, { user, by: 'recompute', nowMs })])
  }
}

/** The figures of a week: the sums of its closed days, also of those that wait for a job to leave the account. */
async function figuresOf(writer: UserWriter, week: IsoWeek): Promise<WeekFigures> {
  const monday = mondayOf(week)
  return closeWeek(await readClosedDays(writer, { from: monday, to: addDays(monday, 6) }))
}

/** The next state of a closed day: what was there before, live or reopened, gives the revision. */
export function dayState(before: StoredRecord | undefined, figures: DayFigures, { user, by, nowMs }: Closer): NewState {
  const old = before && (fieldsOf(before) as ClosedDay)
  const at = laterThan(before, nowMs)
  return closingState('closed_days', closingId(user, figures.date), at, {
    ...figures,
    closed_at: old && !before.deleted ? old.closed_at : at,
    closed_by: by,
    revision: (old?.revision ?? 0) + 1,
  })
}

/** The next state of a closed week: what was there before gives the revision, and stays as a line of its history. */
function weekState(
  before: StoredRecord | undefined,
  week: IsoWeek,
  figures: WeekFigures,
  cause: Cause,
  { user, by, nowMs }: Closer,
): NewState {
  const old = before && (fieldsOf(before) as ClosedWeek)
  const at = laterThan(before, nowMs)
  const revision = (old?.revision ?? 0) + 1
  const revisions = [...(old?.revisions ?? []), { revision, at, delta_ms: figures.delta_ms, cause }]
  return closingState('closed_weeks', closingId(user, week), at, {
    week,
    start_date: mondayOf(week),
    end_date: addDays(mondayOf(week), 6),
    ...figures,
    closed_at: old && !before.deleted ? old.closed_at : at,
    closed_by: by,
    revision,
    previous_delta_ms: old?.delta_ms ?? null,
    revisions: revisions.slice(-KEPT_REVISIONS),
  })
}

function closingState(kind: RecordKind, id: string, updatedAt: string, fields: object): NewState {
  return {
    kind,
    id,
    updatedAt,
    deleted: false,
    fields: { id, ...fields, updated_at: updatedAt } as JsonObject,
    claims: {},
  }
}

/** A tombstone that remembers the figures, so that closing again continues the revisions. */
function reopened(record: StoredRecord, nowMs: EpochMs): NewState {
  const { version: _version, ...fields } = fieldsOf(record)
  const updatedAt = laterThan(record, nowMs)
  const { kind, id } = record
  const remembered = { ...fields, updated_at: updatedAt, deleted_at: updatedAt }
  return { kind, id, updatedAt, deleted: true, fields: remembered, claims: {} }
}

export function dayKey(user: UserId, date: LocalDate): RecordKey {
  return { kind: 'closed_days', id: closingId(user, date) }
}

export function weekKey(user: UserId, week: IsoWeek): RecordKey {
  return { kind: 'closed_weeks', id: closingId(user, week) }
}

/** The records of keys in the order of the keys, `undefined` where there is none. */
export async function findByKeys(
  writer: UserWriter,
  keys: readonly RecordKey[],
): Promise<(StoredRecord | undefined)[]> {
  const found = new Map((await writer.find(keys)).map((record) => [record.id, record]))
  return keys.map(({ id }) => found.get(id))
}

/** Whether the window of a date is over. */
export function hasEnded(timeline: Timeline, date: LocalDate, nowMs: EpochMs): boolean {
  return nowMs >= dayStart(timeline, addDays(date, 1))
}

function outside(what: string): CloseOutcome {
  return { outcome: 'conflict', reason: `${what} is outside the account: no settings are in force` }
}

function notEnded(what: string): CloseOutcome {
  return { outcome: 'conflict', reason: `${what} has not ended yet` }
}
