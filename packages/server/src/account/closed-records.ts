import {
  addDays,
  type Cause,
  type ClosedDay,
  type ClosedWeek,
  closingId,
  computeWeek,
  type DayFigures,
  daysBetween,
  type EpochMs,
  figureNames,
  type Instant,
  type IsoWeek,
  type JsonObject,
  type LocalDate,
  mondayOf,
  nextUpdatedAt,
  type Timeline,
  type UserNumber,
  type WeekFigures,
  weekOf,
} from '@saldo/core'
import type { RecordKey, RecordToStore, StoredRecord, UserReader, UserWriter } from '../store/store.ts'
import { fieldsOf, liveFieldsOf } from '../store/stored-records.ts'
import { computeFigures, readClosedDays } from './account-reads.ts'
import type { AccountContext } from './context.ts'

/** The number of revisions that a closed week keeps (D2.24). */
const KEPT_REVISIONS = 50

export type ClosedBy = ClosedDay['closed_by']

const dayFigureNames = [...figureNames, 'settings_id', 'time_zone'] as const

export function dayKey(user: UserNumber, date: LocalDate): RecordKey {
  return { kind: 'closed_days', id: closingId(user, date) }
}

export function weekKey(user: UserNumber, week: IsoWeek): RecordKey {
  return { kind: 'closed_weeks', id: closingId(user, week) }
}

/** Finds the records of dates, reopened ones included. */
async function findDays(
  reader: UserReader,
  user: UserNumber,
  dates: readonly LocalDate[],
): Promise<Map<LocalDate, StoredRecord>> {
  const found = await reader.find(dates.map((date) => dayKey(user, date)))
  return new Map(found.map((record) => [fieldsOf<ClosedDay>(record).date, record]))
}

/** Closes those of the dates, which are in order, that are not closed. Returns the dates closed. */
export async function closeDays(
  writer: UserWriter,
  timeline: Timeline,
  dates: readonly LocalDate[],
  { by, skipReopened = false }: { by: ClosedBy; skipReopened?: boolean },
  context: AccountContext,
): Promise<LocalDate[]> {
  const stored = await findDays(writer, context.user, dates)
  const open = dates.filter((date) => {
    const record = stored.get(date)
    return record?.deleted !== false && !(skipReopened && record && isReopenedByUser(record))
  })
  return storeChangedDays(writer, timeline, open, stored, by, context)
}

/** Computes closed days, which are in order, anew. Returns the dates whose figures changed. */
export async function recomputeDays(
  writer: UserWriter,
  timeline: Timeline,
  dates: readonly LocalDate[],
  context: AccountContext,
): Promise<LocalDate[]> {
  const stored = await findDays(writer, context.user, dates)
  return storeChangedDays(writer, timeline, dates, stored, 'recompute', context)
}

/** Stores the figures of dates that differ from what is stored (D3.30). Returns the dates stored. */
async function storeChangedDays(
  writer: UserWriter,
  timeline: Timeline,
  dates: readonly LocalDate[],
  stored: ReadonlyMap<LocalDate, StoredRecord>,
  by: ClosedBy,
  context: AccountContext,
): Promise<LocalDate[]> {
  const isWanted = new Set(dates)
  const changed: DayFigures[] = []
  for (const run of runsOf(dates)) {
    const range = { from: run[0] as LocalDate, to: run.at(-1) as LocalDate }
    for (const figures of await computeFigures(writer, timeline, range)) {
      if (!isWanted.has(figures.date)) continue
      const before = liveFieldsOf<ClosedDay>(stored.get(figures.date))
      if (!before || dayFigureNames.some((name) => before[name] !== figures[name])) changed.push(figures)
    }
  }
  await writer.put(changed.map((figures) => buildClosedDay(stored.get(figures.date), figures, by, context)))
  return changed.map(({ date }) => date)
}

/** Splits dates, which are in order, where a week or more lies between two, so that nothing in between is read. */
function runsOf(dates: readonly LocalDate[]): LocalDate[][] {
  const runs: LocalDate[][] = []
  for (const date of dates) {
    const run = runs.at(-1)
    if (run && daysBetween(run.at(-1) as LocalDate, date) < 7) run.push(date)
    else runs.push([date])
  }
  return runs
}

/** Computes the figures of a week from its closed days and stores them if they differ from what is stored (D3.19). */
export async function storeClosedWeek(
  writer: UserWriter,
  week: IsoWeek,
  stored: StoredRecord | undefined,
  cause: Cause,
  by: ClosedBy,
  context: AccountContext,
): Promise<void> {
  const monday = mondayOf(week)
  const figures = computeWeek(await readClosedDays(writer, { from: monday, to: addDays(monday, 6) }))
  const before = liveFieldsOf<ClosedWeek>(stored)
  if (before && figureNames.every((name) => before[name] === figures[name])) return
  await writer.put([buildClosedWeek(stored, week, figures, cause, by, context)])
}

/** Updates the closed weeks of dates whose days changed, each with the cause of its earliest changed date (D3.31). */
export async function updateClosedWeeks(
  writer: UserWriter,
  changed: readonly LocalDate[],
  causeOn: (date: LocalDate) => Cause,
  context: AccountContext,
): Promise<void> {
  const datesByWeek = Map.groupBy(changed.toSorted(), weekOf)
  for (const [week, [firstDate]] of datesByWeek) {
    const [stored] = await writer.find([weekKey(context.user, week)])
    if (stored?.deleted !== false) continue
    await storeClosedWeek(writer, week, stored, causeOn(firstDate as LocalDate), 'recompute', context)
  }
}

/** True if auto-close must leave a day or week alone (D3.39). */
export function isReopenedByUser(record: StoredRecord): boolean {
  return record.deleted && fieldsOf<{ is_undone?: boolean }>(record).is_undone !== true
}

/** Builds a tombstone that keeps the figures and revisions. Auto-close may close it again if `isUndone` is set. */
export function buildReopened(record: StoredRecord, nowMs: EpochMs, isUndone = false): RecordToStore {
  const { version: _version, ...fields } = fieldsOf(record)
  const updatedAt = nextUpdatedAt(record, nowMs)
  const { kind, id } = record
  const kept = { ...fields, updated_at: updatedAt, is_undone: isUndone }
  return { kind, id, updatedAt, deleted: true, fields: kept, claims: {} }
}

/** Returns what closed a day or week at `closed_at`; records of older schemas only say what stored the figures. */
export function firstClosedBy({ first_closed_by, closed_by }: ClosedDay | ClosedWeek): ClosedBy {
  return first_closed_by ?? closed_by
}

/** Builds the next state of a closed day. A day that is recomputed keeps `closed_at`. */
function buildClosedDay(
  stored: StoredRecord | undefined,
  figures: DayFigures,
  by: ClosedBy,
  { user, nowMs }: AccountContext,
): RecordToStore {
  const updatedAt = nextUpdatedAt(stored, nowMs)
  const closed = liveFieldsOf<ClosedDay>(stored)
  return buildClosedRecord(dayKey(user, figures.date), updatedAt, {
    ...figures,
    closed_at: closed?.closed_at ?? updatedAt,
    closed_by: by,
    first_closed_by: closed ? firstClosedBy(closed) : by,
    revision: 1 + (stored ? fieldsOf<ClosedDay>(stored).revision : 0),
  })
}

/** Builds the next state of a closed week, with a line in its history. A week that is recomputed keeps `closed_at`. */
function buildClosedWeek(
  stored: StoredRecord | undefined,
  week: IsoWeek,
  figures: WeekFigures,
  cause: Cause,
  by: ClosedBy,
  { user, nowMs }: AccountContext,
): RecordToStore {
  const before = stored && fieldsOf<ClosedWeek>(stored)
  const closed = liveFieldsOf<ClosedWeek>(stored)
  const updatedAt = nextUpdatedAt(stored, nowMs)
  const revision = 1 + (before?.revision ?? 0)
  const revisions = [...(before?.revisions ?? []), { revision, at: updatedAt, delta_ms: figures.delta_ms, cause }]
  return buildClosedRecord(weekKey(user, week), updatedAt, {
    week,
    start_date: mondayOf(week),
    end_date: addDays(mondayOf(week), 6),
    ...figures,
    closed_at: closed?.closed_at ?? updatedAt,
    closed_by: by,
    first_closed_by: closed ? firstClosedBy(closed) : by,
    revision,
    previous_delta_ms: before?.delta_ms ?? null,
    revisions: revisions.slice(-KEPT_REVISIONS),
  })
}

function buildClosedRecord({ kind, id }: RecordKey, updatedAt: Instant, fields: object): RecordToStore {
  const record = { id, ...fields, updated_at: updatedAt } as JsonObject
  return { kind, id, updatedAt, deleted: false, fields: record, claims: {} }
}
