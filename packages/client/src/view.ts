import type { JsonObject } from '@saldo/core'
import type { Held } from './held.ts'
import type { Pending } from './pending.ts'

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
