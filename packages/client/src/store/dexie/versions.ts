import {
  contentOf,
  epochMs,
  type Instant,
  type JsonObject,
  matches,
  nextUpdatedAt,
  type RecordId,
  type RecordKind,
  RecordStamp,
  recordKinds,
  settingsIdOf,
  type UserNumber,
  type WritableKind,
} from '@saldo/core'
import type { Dexie } from 'dexie'
import { type BaseRecord, newMeta, type OutboxRow, recordKey } from '../rows.ts'
import type { Owner } from '../store.ts'
import { schema, tablesOf } from './tables.ts'

/**
 * Defines the versions of the local database (R6.3): version 2 adds balance adjustments, version 3 changes settings
 * ids to UUIDs, version 4 stores base records and unsent changes in tables of their own.
 */
export function defineVersions(database: Dexie, { user, random }: Owner): void {
  database.version(1).stores({
    entries: 'id',
    closed_days: 'id',
    closed_weeks: 'id',
    settings_history: 'id',
    outbox: '++seq',
    meta: 'key',
  })
  database.version(2).stores({ balance_adjustments: 'id' })
  database.version(3).upgrade(async (transaction) => {
    await transaction.table('settings_history').clear()
    await transaction.table('meta').delete('last_version')
    const outbox = transaction.table<OldOutboxRow>('outbox')
    await outbox.bulkPut(withSettingsUuids(await outbox.toArray(), user, () => random.uuid()))
  })
  database
    .version(4)
    .stores({ ...Object.fromEntries(recordKinds.map((name) => [name, null])), outbox: null, ...schema })
    .upgrade(async (transaction) => {
      const tables = tablesOf(transaction)
      const outbox = toOutboxRows(await transaction.table<OldOutboxRow & { id: RecordId }>('outbox').toArray())
      await tables.outbox.put(outbox)
      for (const kind of recordKinds) {
        await tables.baseRecords.put(toBaseRecords(kind, await transaction.table<JsonObject>(kind).toArray(), outbox))
      }
      await transaction.table('meta').clear()
      await tables.setMeta({ ...newMeta(random), seq: outbox.reduce((last, { seq }) => Math.max(last, seq), 0) })
    })
  database.on('populate', (transaction) => tablesOf(transaction).setMeta(newMeta(random)))
}

/**
 * A row of the outbox of versions 1 to 3, which had one row for each change. Their tables of records, one for each
 * kind, contained unsent changes. In versions 1 and 2 settings have integer ids, negative if they were created
 * offline.
 */
export interface OldOutboxRow {
  /** Changes are sent in this order. */
  seq: number
  kind: WritableKind
  op: 'upsert' | 'delete'
  id: RecordId | number
  updated_at: Instant
  /** The whole record, for an upsert. */
  record?: JsonObject
}

/**
 * Returns the outbox with UUIDs as settings ids (R5.7): the same that the service's migration derives, so that a
 * change finds its record. A row that was created offline gets a random one, because other devices use the same
 * numbers.
 */
function withSettingsUuids(
  rows: readonly OldOutboxRow[],
  userId: UserNumber,
  newId: () => RecordId,
): (OldOutboxRow & { id: RecordId })[] {
  const uuidsById = new Map<number, RecordId>()
  const uuidOf = (id: number): RecordId => {
    const uuid = uuidsById.get(id) ?? (id > 0 ? settingsIdOf(userId, id) : newId())
    uuidsById.set(id, uuid)
    return uuid
  }
  return rows.map((row) => ({ ...row, id: typeof row.id === 'number' ? uuidOf(row.id) : row.id }))
}

/**
 * Returns the outbox of version 4: one row for each record, with its latest change, in the order in which the records
 * were first queued. Each change may have reached the service, so a later one gets a later time.
 */
export function toOutboxRows(rows: readonly (OldOutboxRow & { id: RecordId })[]): OutboxRow[] {
  const rowsByKey = new Map<string, OutboxRow>()
  const inOrder = rows.toSorted((a, b) => a.seq - b.seq)
  for (const [index, { kind, op, id, updated_at, record = {} }] of inOrder.entries()) {
    const key = recordKey({ kind, id })
    const before = rowsByKey.get(key)
    const seq = index + 1
    rowsByKey.set(key, {
      kind,
      id,
      content: op === 'upsert' ? contentOf(record) : null,
      updatedAt: nextUpdatedAt(before, epochMs(updated_at)),
      seq,
      place: before?.place ?? seq,
      generation: 1,
      queuedAtMs: before?.queuedAtMs ?? epochMs(updated_at),
      sender: null,
    })
  }
  return [...rowsByKey.values()]
}

/** Returns the base records of a kind. Records with an unsent change or without a time have none. */
function toBaseRecords(kind: RecordKind, records: readonly JsonObject[], outbox: readonly OutboxRow[]): BaseRecord[] {
  const unsentKeys = new Set(outbox.map(recordKey))
  return records.flatMap((record) => {
    const stamped = { version: 0, ...record }
    if (!matches(RecordStamp, stamped)) return []
    const { id, version, updated_at: updatedAt } = stamped
    return unsentKeys.has(recordKey({ kind, id })) ? [] : [{ kind, id, version, updatedAt, record, unconfirmed: false }]
  })
}
