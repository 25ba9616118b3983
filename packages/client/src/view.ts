import type { JsonObject, RecordKind } from '@saldo/core'
import type { Held } from './held.ts'
import type { Pending } from './pending.ts'
import { recordKey, type Tables } from './store/store.ts'

/** A record as a user sees it: what the service has, with what is pending laid over. */
export interface Shown {
  id: string
  record: JsonObject
  pending: boolean
}

/** What is shown of a record; nothing where it is deleted, or was never there. */
export function show(held: Held | undefined, pending: Pending | undefined): Shown | undefined {
  if (!pending) return held?.record ? { id: held.id, record: held.record, pending: false } : undefined
  if (pending.content === null) return undefined
  const { id, content, updatedAt } = pending
  const kept = held?.record ? { created_at: held.record.created_at ?? updatedAt, version: held.version } : {}
  return { id, record: { id, ...content, ...kept, updated_at: updatedAt }, pending: true }
}

/** All records of a kind that are shown. */
export async function showAll(tables: Tables, kind: RecordKind): Promise<Shown[]> {
  const held = new Map((await tables.held.ofKind(kind)).map((row) => [recordKey(row), row]))
  const ofKind = (await tables.outbox.all()).filter((row) => row.kind === kind)
  const pending = new Map(ofKind.map((row) => [recordKey(row), row]))
  const keys = new Set([...held.keys(), ...pending.keys()])
  return [...keys].flatMap((key) => show(held.get(key), pending.get(key)) ?? [])
}
