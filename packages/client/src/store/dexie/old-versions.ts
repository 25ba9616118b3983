import {
  contentOf,
  epochMs,
  type Instant,
  type JsonObject,
  nextUpdatedAt,
  type RecordKind,
  recordKinds,
  settingsIdOf,
  type WritableKind,
} from '@saldo/core'
import type { Held } from '../../engine/base-record.ts'
import type { Pending } from '../../engine/outbox.ts'
import { recordKey } from '../store.ts'

/**
 * What the local database was before version 4: a table for each kind, which showed pending changes as if the service
 * had them, and an outbox with a row for each change. Until version 3, settings had integer ids; one that was created
 * offline had a negative one.
 */
export interface OldOutboxRow {
  /** Counts up: changes were sent in this order. */
  seq: number
  kind: WritableKind
  op: 'upsert' | 'delete'
  id: string | number
  updated_at: Instant
  /** The whole record, of an upsert. */
  record?: JsonObject
}

/**
 * The outbox with settings ids as UUIDs (R5.7): those that the service's migration derives too, so that an edit finds
 * its record; a row that the service has never numbered gets a random one, since another device's has the same number.
 */
export function withSettingsUuids(
  rows: readonly OldOutboxRow[],
  userId: number,
  newId: () => string,
): (OldOutboxRow & { id: string })[] {
  const made = new Map<number, string>()
  const uuidOf = (id: number): string => {
    const uuid = made.get(id) ?? (id > 0 ? settingsIdOf(userId, id) : newId())
    made.set(id, uuid)
    return uuid
  }
  return rows.map((row) => ({ ...row, id: typeof row.id === 'number' ? uuidOf(row.id) : row.id }))
}

/**
 * The outbox as it is now: one row for each record, with its latest state, in the order in which the records were first
 * queued. Any of the changes may have reached the service, so an edit of one is later than it.
 */
export function pendingOf(rows: readonly OldOutboxRow[]): Pending[] {
  const byRecord = new Map<string, Pending>()
  const inOrder = rows.toSorted((a, b) => a.seq - b.seq)
  for (const [index, { kind, op, id, updated_at, record = {} }] of inOrder.entries()) {
    const key = recordKey({ kind, id: String(id) })
    const before = byRecord.get(key)
    const seq = index + 1
    byRecord.set(key, {
      kind,
      id: String(id),
      content: op === 'upsert' ? contentOf(record) : null,
      updatedAt: nextUpdatedAt(before, epochMs(updated_at)),
      seq,
      place: before?.place ?? seq,
      attempts: 1,
      queuedAtMs: before?.queuedAtMs ?? epochMs(updated_at),
      sender: null,
    })
  }
  return [...byRecord.values()]
}

/** What the service had of a record, as far as that can be told: not of one that is pending, nor without a time. */
export function heldOf(kind: RecordKind, records: readonly JsonObject[], pending: readonly Pending[]): Held[] {
  const isPending = new Set(pending.map(recordKey))
  return records.flatMap((record) => {
    const { id, updated_at: updatedAt, version = 0 } = record
    if (typeof id !== 'string' || typeof updatedAt !== 'string' || typeof version !== 'number') return []
    return isPending.has(recordKey({ kind, id })) ? [] : [{ kind, id, version, updatedAt, record, unconfirmed: false }]
  })
}

/** The tables of records, each named after its kind. */
export const oldRecordTables = recordKinds
