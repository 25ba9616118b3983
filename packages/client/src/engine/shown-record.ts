import { isWritableKind, type JsonObject } from '@saldo/core'
import { type BaseRecord, type OutboxRow, readingOf } from '../store/rows.ts'

/** A record as a user sees it: the base record with the unsent change on top. */
export interface ShownRecord<T = JsonObject> {
  record: T
  /** True if a change of it is unsent. */
  pending: boolean
}

/** Returns a record as it is shown; `undefined` if it is deleted, unreadable or does not exist. */
export function showRecord(base: BaseRecord | undefined, row?: OutboxRow): ShownRecord | undefined {
  if (!row) {
    const reading = base && readingOf(base)
    if (!reading) return undefined
    // The result of a write does not contain `created_at`; a pull will.
    const record = isWritableKind(base.kind) ? { created_at: base.updatedAt, ...reading } : reading
    return { record, pending: false }
  }
  if (row.content === null || row.isUnreadable) return undefined
  const { id, content, updatedAt } = row
  // The service sets `created_at`; until it does, the time of the change stands in.
  const created_at = base?.record?.created_at ?? updatedAt
  const serviceFields = base?.record ? { created_at, version: base.version } : { created_at }
  return { record: { id, ...content, ...serviceFields, updated_at: updatedAt }, pending: true }
}
