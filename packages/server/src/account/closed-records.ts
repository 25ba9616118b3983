import {
  addDays,
  type Cause,
  type ClosedDay,
  type ClosedWeek,
  closingId,
  type DateRange,
  type DayFigures,
  datesOfWeek,
  daysBetween,
  type EpochMs,
  figureNames,
  type Instant,
  type IsoWeek,
  type LocalDate,
  mondayOf,
  monthOf,
  nextUpdatedAt,
  type PeriodFigures,
  sumFigures,
  type UserNumber,
  weekOf,
} from '@saldo/core'
import type { RecordKey, RecordToStore, StoredRecord, UserReader } from '../store/store.ts'
import { isLive, liveFieldsOf, RecordMap } from '../store/stored-records.ts'
import { computeFigures } from './account-reads.ts'
import type { AccountContext, ClosingTransaction } from './context.ts'

/** The number of revisions that a closed week keeps (D2.24). */
const KEPT_REVISIONS = 50

/** The cause of a closing or of its present figures: auto-close, a user or a recomputation. */
export type ClosedBy = ClosedDay['closed_by']

const dayFigureNames = [...figureNames, 'settings_id', 'time_zone'] as const

/** Returns the key of the closed day of a date, closed or not. */
export function dayKey(user: UserNumber, date: LocalDate): RecordKey<'closed_days'> {
  return { kind: 'closed_days', id: closingId(user, date) }
}

/** Returns the key of a closed week, closed or not. */
export function weekKey(user: UserNumber, week: IsoWeek): RecordKey<'closed_weeks'> {
  return { kind: 'closed_weeks', id: closingId(user, week) }
}

type StoredDay = StoredRecord<'closed_days'>
type StoredWeek = StoredRecord<'closed_weeks'>

/** Finds the records of dates, reopened ones included. */
async function findDays(
  { writer, user }: ClosingTransaction,
  dates: readonly LocalDate[],
): Promise<Map<LocalDate, StoredDay>> {
  const byKey = new RecordMap(await writer.find(dates.map((date) => dayKey(user, date))))
  return new Map(
    dates.flatMap((date) => {
      const record = byKey.get(dayKey(user, date))
      return record ? [[date, record]] : []
    }),
  )
}

/** Finds the record of a week, a reopened one included. */
export async function findWeek(
  { writer, user }: Pick<ClosingTransaction, 'writer' | 'user'>,
  week: IsoWeek,
): Promise<StoredWeek | undefined> {
  const [stored] = await writer.find([weekKey(user, week)])
  return stored
}

/** Closes those of the dates, which are in order, that are not closed. Returns the dates closed. */
export async function closeDays(
  transaction: ClosingTransaction,
  dates: readonly LocalDate[],
  { by, skipReopened = false }: { by: ClosedBy; skipReopened?: boolean },
): Promise<LocalDate[]> {
  const stored = await findDays(transaction, dates)
  const open = dates.filter((date) => {
    const record = stored.get(date)
    return !isLive(record) && !(skipReopened && record && isReopenedByUser(record))
  })
  return storeChangedDays(transaction, open, stored, by)
}

/** Computes closed days, which are in order, anew. Returns the dates whose figures changed. */
export async function recomputeDays(
  transaction: ClosingTransaction,
  dates: readonly LocalDate[],
): Promise<LocalDate[]> {
  return storeChangedDays(transaction, dates, await findDays(transaction, dates), 'recompute')
}

/** Stores the figures of dates that differ from what is stored (D3.30). Returns the dates stored. */
async function storeChangedDays(
  transaction: ClosingTransaction,
  dates: readonly LocalDate[],
  stored: ReadonlyMap<LocalDate, StoredDay>,
  by: ClosedBy,
): Promise<LocalDate[]> {
  const { writer, timeline } = transaction
  const unlocked = await withoutLocked(writer, dates)
  const requested = new Set(unlocked)
  const changed: DayFigures[] = []
  for (const range of runsOf(unlocked)) {
    for (const figures of await computeFigures(writer, timeline, range)) {
      if (!requested.has(figures.date)) continue
      const before = liveFieldsOf(stored.get(figures.date))
      if (!before || dayFigureNames.some((name) => before[name] !== figures[name])) changed.push(figures)
    }
  }
  await writer.put(changed.map((figures) => buildClosedDay(transaction, stored.get(figures.date), figures, by)))
  return changed.map(({ date }) => date)
}

/** Returns dates without those of locked months, which no job and no closing changes (D27.7). */
async function withoutLocked(reader: UserReader, dates: readonly LocalDate[]): Promise<readonly LocalDate[]> {
  const locked = new Set((await reader.memberMonths())?.locked)
  return locked.size === 0 ? dates : dates.filter((date) => !locked.has(monthOf(date)))
}

/** Splits dates, which are in order, where a week or more lies between two, so that nothing in between is read. */
function runsOf(dates: readonly LocalDate[]): DateRange[] {
  const runs: DateRange[] = []
  for (const date of dates) {
    const run = runs.at(-1)
    if (run && daysBetween(run.to, date) < 7) run.to = date
    else runs.push({ from: date, to: date })
  }
  return runs
}

/** Computes the figures of a week from its closed days and stores them if they differ from what is stored (D3.19). */
export async function storeClosedWeek(
  transaction: ClosingTransaction,
  week: IsoWeek,
  causes: Cause[],
  by: ClosedBy,
): Promise<void> {
  const stored = await findWeek(transaction, week)
  const days = await findDays(transaction, datesOfWeek(week))
  const figures = sumFigures([...days.values()].filter(isLive).map(({ fields }) => fields))
  const before = liveFieldsOf(stored)
  if (before && figureNames.every((name) => before[name] === figures[name])) return
  await transaction.writer.put([buildClosedWeek(transaction, week, stored, { figures, causes, by })])
}

/** Updates the closed weeks of dates whose days changed, each with the causes of its changed dates (D3.31). */
export async function updateClosedWeeks(
  transaction: ClosingTransaction,
  changed: readonly LocalDate[],
  causesOf: (dates: readonly LocalDate[]) => Cause[],
): Promise<void> {
  for (const [week, dates] of Map.groupBy(changed.toSorted(), weekOf)) {
    if (!isLive(await findWeek(transaction, week))) continue
    await storeClosedWeek(transaction, week, causesOf(dates), 'recompute')
  }
}

/** True if auto-close must leave a day or week alone (D3.39). */
export function isReopenedByUser(record: StoredDay | StoredWeek): boolean {
  return record.deleted && record.fields.is_undone !== true
}

/** Builds a tombstone that keeps the figures and revisions. Auto-close may close it again if `isUndone` is set. */
export function buildReopened(record: StoredDay | StoredWeek, nowMs: EpochMs, isUndone = false): RecordToStore {
  const { version: _version, ...fields } = record.fields
  const updatedAt = nextUpdatedAt(record, nowMs)
  const { kind, id } = record
  const kept = { ...fields, updated_at: updatedAt, is_undone: isUndone }
  return { kind, id, updatedAt, deleted: true, fields: kept, claims: {} }
}

/** Returns what closed a day or week at `closed_at`; records of older schemas only say what stored the figures. */
export function firstClosedBy({ first_closed_by, closed_by }: ClosedDay | ClosedWeek): ClosedBy {
  return first_closed_by ?? closed_by
}

/** Returns when and by what a day or week was closed: one that is recomputed keeps `closed_at`. */
function closingFieldsOf(stored: StoredDay | StoredWeek | undefined, by: ClosedBy, updatedAt: Instant) {
  const closed = liveFieldsOf<'closed_days' | 'closed_weeks'>(stored)
  return {
    closed_at: closed?.closed_at ?? updatedAt,
    closed_by: by,
    first_closed_by: closed ? firstClosedBy(closed) : by,
    revision: 1 + (stored?.fields.revision ?? 0),
  }
}

/** Builds the next state of a closed day. */
function buildClosedDay(
  { user, nowMs }: AccountContext,
  stored: StoredDay | undefined,
  figures: DayFigures,
  by: ClosedBy,
): RecordToStore {
  const updatedAt = nextUpdatedAt(stored, nowMs)
  const fields = { ...figures, ...closingFieldsOf(stored, by, updatedAt) }
  return buildClosedRecord(dayKey(user, figures.date), updatedAt, fields)
}

/** Builds the next state of a closed week, with a revision. */
function buildClosedWeek(
  { user, nowMs }: AccountContext,
  week: IsoWeek,
  stored: StoredWeek | undefined,
  { figures, causes, by }: { figures: PeriodFigures; causes: Cause[]; by: ClosedBy },
): RecordToStore {
  const before = stored?.fields
  const updatedAt = nextUpdatedAt(stored, nowMs)
  const closing = closingFieldsOf(stored, by, updatedAt)
  const { revision } = closing
  const revisions = [...(before?.revisions ?? []), { revision, at: updatedAt, delta_ms: figures.delta_ms, causes }]
  return buildClosedRecord(weekKey(user, week), updatedAt, {
    week,
    start_date: mondayOf(week),
    end_date: addDays(mondayOf(week), 6),
    ...figures,
    ...closing,
    previous_delta_ms: before?.delta_ms ?? null,
    revisions: revisions.slice(-KEPT_REVISIONS),
  })
}

function buildClosedRecord({ kind, id }: RecordKey, updatedAt: Instant, fields: object): RecordToStore {
  return { kind, id, updatedAt, deleted: false, fields: { id, ...fields, updated_at: updatedAt }, claims: {} }
}
