import { type JsonObject, matches, RecordStamp, type WritableKind } from '@saldo/core'
import type { Reply, Request } from '../host/transport.ts'
import type { QueuedChange } from '../store/rows.ts'
import { toBaseRecord } from './base-record.ts'
import { type ChangeOutcome, hasContent } from './settle.ts'

const paths: Record<WritableKind, string> = {
  entries: '/api/entries',
  settings_history: '/api/settings',
  balance_adjustments: '/api/balance/adjustments',
}

/** Returns the request that carries one change alone (R5.1). */
export function directRequest({ kind, id, content, updatedAt, seq }: QueuedChange, device: string): Request {
  const query = new URLSearchParams({ updated_at: updatedAt, device, seq: String(seq) })
  const path = `${paths[kind]}/${id}?${query}`
  return content === null ? { method: 'DELETE', path } : { method: 'PUT', path, body: content }
}

/** Returns the outcome of a change from the reply to its direct request; `undefined` if the change has to wait. */
export function readDirectReply(change: QueuedChange, reply: Reply): ChangeOutcome | undefined {
  if (reply.outcome === 'answered') {
    if (change.content === null && reply.status === 204) return deletedOutcome(change, reply.headers)
    return matches(RecordStamp, reply.body) && reply.body.id === change.id
      ? storedOutcome(change, reply.body)
      : undefined
  }
  if (reply.outcome !== 'rejected') return undefined
  return reply.status === 404 ? deletedOutcome(change, reply.headers) : { outcome: 'rejected', problem: reply.problem }
}

/** The record is deleted, by this change or by another. */
function deletedOutcome({ kind, id, content }: QueuedChange, headers: Headers): ChangeOutcome | undefined {
  const tombstone = {
    id,
    version: Number(headers.get('saldo-version') ?? Number.NaN),
    updated_at: headers.get('saldo-updated-at'),
  }
  if (!matches(RecordStamp, tombstone)) return undefined
  const current = toBaseRecord(kind, tombstone, null, 0)
  return { outcome: content === null ? 'accepted' : 'superseded', current }
}

/** The record that is stored has a later time than the change if another one won; a claim an earlier one (D6.13). */
function storedOutcome({ kind, content, updatedAt }: QueuedChange, stored: RecordStamp): ChangeOutcome {
  const record = stored as unknown as JsonObject
  const isOwn = content !== null && stored.updated_at <= updatedAt && hasContent(record, content)
  return { outcome: isOwn ? 'accepted' : 'superseded', current: toBaseRecord(kind, stored, record, 0) }
}
