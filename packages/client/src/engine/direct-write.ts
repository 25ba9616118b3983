import { jsonOf, matches, RecordStamp, type WritableKind } from '@saldo/core'
import type { ServiceRequest, ServiceResponse } from '../host/transport.ts'
import type { QueuedChange } from '../store/rows.ts'
import { toBaseRecord } from './base-record.ts'
import type { ChangeOutcome } from './settle.ts'

const paths: Record<WritableKind, string> = {
  entries: '/api/entries',
  settings_history: '/api/settings',
  balance_adjustments: '/api/balance/adjustments',
}

/** Returns the request that carries one change alone (R5.1). */
export function directRequest({ kind, id, content, updatedAt, seq }: QueuedChange, device: string): ServiceRequest {
  const query = new URLSearchParams({ updated_at: updatedAt, device, seq: String(seq) })
  const path = `${paths[kind]}/${id}?${query}`
  return content === null ? { method: 'DELETE', path } : { method: 'PUT', path, body: content }
}

/** Returns the outcome of a change from the response to its direct request; `undefined` if the change has to wait. */
export function readDirectResponse(change: QueuedChange, response: ServiceResponse): ChangeOutcome | undefined {
  if (response.outcome === 'ok') {
    if (change.content === null && response.status === 204) return deletedOutcome(change, response.headers)
    const stored = response.body
    if (!matches(RecordStamp, stored) || stored.id !== change.id) return undefined
    return { outcome: 'perhapsSuperseded', current: toBaseRecord(change.kind, stored, jsonOf(stored)) }
  }
  if (response.outcome !== 'rejected') return undefined
  return response.status === 404
    ? deletedOutcome(change, response.headers)
    : { outcome: 'rejected', problem: response.problem }
}

/** The record is deleted, by this change or by another. */
function deletedOutcome({ kind, id }: QueuedChange, headers: Headers): ChangeOutcome | undefined {
  const tombstone = {
    id,
    version: Number(headers.get('saldo-version') ?? Number.NaN),
    updated_at: headers.get('saldo-updated-at'),
  }
  if (!matches(RecordStamp, tombstone)) return undefined
  return { outcome: 'perhapsSuperseded', current: toBaseRecord(kind, tombstone, null) }
}
