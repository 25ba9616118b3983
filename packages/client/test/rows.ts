import { randomUUID } from 'node:crypto'
import type { JsonObject, Problem } from '@saldo/core'
import type { Held } from '../src/engine/base-record.ts'
import type { Edit, Pending } from '../src/engine/outbox.ts'
import { editKey, type LocalStore, type Overridden, type Owner, type Refused, recordKey } from '../src/store/store.ts'

export const owner: Owner = { user: 1_000_001, random: { uuid: () => randomUUID(), token: () => randomUUID() } }

export const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const at = '2026-11-21T08:30:00.000Z'

function edit(number: number, content: JsonObject | null = { note: `edit ${number}` }): Edit {
  return { kind: 'entries', id: id(number), content, updatedAt: at, seq: number }
}

export function pending(number: number, content?: JsonObject | null): Pending {
  return { ...edit(number, content), place: number, attempts: 0, queuedAtMs: 4, sender: null }
}

export function held(number: number, record: JsonObject | null = { note: 'held' }): Held {
  return { kind: 'entries', id: id(number), version: number, updatedAt: at, record, unconfirmed: false }
}

const problem = { type: 'about:blank', title: 'No', status: 422, detail: 'No.', code: 'invalid_record' } as Problem
export const refused = (number: number): Refused => ({ edit: edit(number), problem, refusedAtMs: 5 })
export const overridden = (number: number): Overridden => ({
  mine: edit(number),
  theirs: held(number),
  overriddenAtMs: 6,
})

/** Everything that a store has, in the order of the keys. */
export async function contents(store: LocalStore) {
  const byKey = <Row>(rows: Row[], keyOf: (row: Row) => string) =>
    rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  return store.read(async (tables) => ({
    held: byKey(await tables.held.all(), recordKey),
    outbox: byKey(await tables.outbox.all(), recordKey),
    refused: byKey(await tables.refused.all(), (row) => editKey(row.edit)),
    overridden: byKey(await tables.overridden.all(), (row) => editKey(row.mine)),
    meta: await tables.meta(),
  }))
}
