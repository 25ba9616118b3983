import {
  DAY_MS,
  type DateRange,
  FIRST_DATE,
  isWritableKind,
  type JsonObject,
  LAST_DATE,
  type RecordId,
  type RecordKind,
  utcDate,
  utcMidnight,
} from '@saldo/core'
import { type BaseRecord, type OutboxRow, recordKey } from '../store/rows.ts'
import type { ReadTables } from '../store/store.ts'

/** A record as a user sees it: the base record with the unsent change on top. */
export interface ShownRecord {
  id: RecordId
  record: JsonObject
  /** True if a change of it is unsent. */
  pending: boolean
}

/** Returns a record as it is shown; `undefined` if it is deleted, unreadable or does not exist. */
export function showRecord(base: BaseRecord | undefined, row: OutboxRow | undefined): ShownRecord | undefined {
  if (!row) {
    if (!base?.record || base.isUnreadable) return undefined
    // The result of a write does not contain `created_at`; a pull will.
    const record = isWritableKind(base.kind) ? { created_at: base.updatedAt, ...base.record } : base.record
    return { id: base.id, record, pending: false }
  }
  if (row.content === null) return undefined
  const { id, content, updatedAt } = row
  // The service sets `created_at`; until it does, the time of the change stands in.
  const created_at = base?.record?.created_at ?? updatedAt
  const serviceFields = base?.record ? { created_at, version: base.version } : { created_at }
  return { id, record: { id, ...content, ...serviceFields, updated_at: updatedAt }, pending: true }
}

/** Returns all shown records of a kind. */
export async function showAll(tables: ReadTables, kind: RecordKind): Promise<ShownRecord[]> {
  return applyOutbox(tables, kind, await tables.baseRecords.ofKind(kind))
}

/** The distance that the window of a date may have from that date in UTC. */
const WINDOW_DAYS = 3

/** Returns the shown entries that can touch a range of the account's dates, and maybe some around it. */
export async function showEntriesNear(tables: ReadTables, range: DateRange): Promise<ShownRecord[]> {
  if (range.from > range.to) return []
  return applyOutbox(tables, 'entries', await tables.baseRecords.entriesIn(widen(range)))
}

function widen({ from, to }: DateRange): DateRange {
  const earliest = Math.max(utcMidnight(FIRST_DATE), utcMidnight(from) - WINDOW_DAYS * DAY_MS)
  const latest = Math.min(utcMidnight(LAST_DATE), utcMidnight(to) + WINDOW_DAYS * DAY_MS)
  return { from: utcDate(earliest), to: utcDate(latest) }
}

/**
 * Applies the unsent changes of a kind to some of its base records; records with an unsent change are always
 * included.
 */
async function applyOutbox(tables: ReadTables, kind: RecordKind, bases: readonly BaseRecord[]): Promise<ShownRecord[]> {
  const rows = (await tables.outbox.all()).filter((row) => row.kind === kind)
  if (rows.length === 0) return bases.flatMap((base) => showRecord(base, undefined) ?? [])
  const basesByKey = new Map<string, BaseRecord | undefined>(bases.map((base) => [recordKey(base), base]))
  const rowsByKey = new Map(rows.map((row) => [recordKey(row), row]))
  for (const key of rowsByKey.keys()) {
    if (!basesByKey.has(key)) basesByKey.set(key, await tables.baseRecords.get(key))
  }
  return [...basesByKey].flatMap(([key, base]) => showRecord(base, rowsByKey.get(key)) ?? [])
}
