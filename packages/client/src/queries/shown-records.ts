import {
  DAY_MS,
  type DateRange,
  FIRST_DATE,
  isWritableKind,
  type JsonObject,
  LAST_DATE,
  type RecordKind,
  utcDate,
  utcMidnight,
} from '@saldo/core'
import type { Held } from '../engine/base-record.ts'
import type { Pending } from '../engine/outbox.ts'
import { type ReadTables, recordKey } from '../store/store.ts'

/** A record as a user sees it: what the service has, with what is pending laid over. */
export interface Shown {
  id: string
  record: JsonObject
  pending: boolean
}

/** What is shown of a record; nothing where it is deleted, cannot be read, or was never there. */
export function show(held: Held | undefined, pending: Pending | undefined): Shown | undefined {
  if (!pending) {
    if (!held?.record || held.isUnreadable) return undefined
    // The answer to a write does not say when a record was created; a pull will.
    const record = isWritableKind(held.kind) ? { created_at: held.updatedAt, ...held.record } : held.record
    return { id: held.id, record, pending: false }
  }
  if (pending.content === null) return undefined
  const { id, content, updatedAt } = pending
  // The service says when it was created; until then it is when it was made here.
  const created_at = held?.record?.created_at ?? updatedAt
  const kept = held?.record ? { created_at, version: held.version } : { created_at }
  return { id, record: { id, ...content, ...kept, updated_at: updatedAt }, pending: true }
}

/** All records of a kind that are shown. */
export async function showAll(tables: ReadTables, kind: RecordKind): Promise<Shown[]> {
  return showOver(tables, kind, tables.held.ofKind(kind))
}

/** How far a day's window can lie from its date in UTC, in days. */
const WINDOW_DAYS = 3

/** The entries that are shown, those that can touch a range of the account's dates at least. */
export async function showEntriesNear(tables: ReadTables, range: DateRange): Promise<Shown[]> {
  if (range.from > range.to) return []
  return showOver(tables, 'entries', tables.held.entriesIn(widened(range)))
}

function widened({ from, to }: DateRange): DateRange {
  const earliest = Math.max(utcMidnight(FIRST_DATE), utcMidnight(from) - WINDOW_DAYS * DAY_MS)
  const latest = Math.min(utcMidnight(LAST_DATE), utcMidnight(to) + WINDOW_DAYS * DAY_MS)
  return { from: utcDate(earliest), to: utcDate(latest) }
}

/** Records with what is pending of their kind. */
async function showOver(tables: ReadTables, kind: RecordKind, found: Promise<readonly Held[]>): Promise<Shown[]> {
  const [rows, outbox] = await Promise.all([found, tables.outbox.all()])
  const ofKind = outbox.filter((row) => row.kind === kind)
  if (ofKind.length === 0) return rows.flatMap((row) => show(row, undefined) ?? [])
  const held = new Map<string, Held | undefined>(rows.map((row) => [recordKey(row), row]))
  const pending = new Map(ofKind.map((row) => [recordKey(row), row]))
  const others = [...pending.keys()].filter((key) => !held.has(key))
  await Promise.all(others.map(async (key) => held.set(key, await tables.held.get(key))))
  return [...held].flatMap(([key, row]) => show(row, pending.get(key)) ?? [])
}
