import { randomUUID } from 'node:crypto'
import type { JsonObject, Problem, UserNumber } from '@saldo/core'
import {
  type BaseRecord,
  type Conflict,
  changeKey,
  type OutboxRow,
  type QueuedChange,
  type RejectedChange,
  recordKey,
} from '../src/store/rows.ts'
import type { LocalStore, Owner } from '../src/store/store.ts'

export const owner: Owner = {
  user: 1_000_001 as UserNumber,
  random: { uuid: () => randomUUID(), token: () => randomUUID() },
}

export const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}` as const
const at = '2026-11-21T08:30:00.000Z'

function change(number: number, content: JsonObject | null = { note: `edit ${number}` }): QueuedChange {
  return { kind: 'entries', id: id(number), content, updatedAt: at, seq: number }
}

export function outboxRow(number: number, content?: JsonObject | null): OutboxRow {
  return { ...change(number, content), place: number, generation: 0, queuedAtMs: 4, sender: null }
}

export function baseRecord(number: number, record: JsonObject | null = { note: 'baseRecords' }): BaseRecord {
  return { kind: 'entries', id: id(number), version: number, updatedAt: at, record, unconfirmed: false }
}

const problem = { type: 'about:blank', title: 'No', status: 422, detail: 'No.', code: 'invalid_record' } as Problem
export const rejectedChange = (number: number): RejectedChange => ({ change: change(number), problem, rejectedAtMs: 5 })
export const conflict = (number: number): Conflict => ({
  mine: change(number),
  theirs: baseRecord(number),
  detectedAtMs: 6,
})

/** Everything that a store has, in the order of the keys. */
export async function contents(store: LocalStore) {
  const byKey = <Row>(rows: Row[], keyOf: (row: Row) => string) =>
    rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  return store.read(async (tables) => ({
    baseRecords: byKey(await tables.baseRecords.all(), recordKey),
    outbox: byKey(await tables.outbox.all(), recordKey),
    rejectedChanges: byKey(await tables.rejectedChanges.all(), (row) => changeKey(row.change)),
    conflicts: byKey(await tables.conflicts.all(), (row) => changeKey(row.mine)),
    meta: await tables.meta(),
  }))
}
