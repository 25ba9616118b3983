import { epochMs } from '@saldo/core'
import type { StoredRecord } from '../store/store.ts'
import { ProblemError } from './problem.ts'
import type { RequestHeaders } from './request-headers.ts'

/** The entity tag of a record: version and time, so that it is another one in another history. */
export function etagOf({ version, updatedAt }: Pick<StoredRecord, 'version' | 'updatedAt'>): string {
  return `"${version}-${epochMs(updatedAt).toString(36)}"`
}

/** Whether a list of entity tags (RFC 9110 §13.1) names one; `*` names any. Weak tags count where `weak` is set. */
function names(list: string, etag: string, weak: boolean): boolean {
  return list
    .split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || tag === etag || (weak && tag === `W/${etag}`))
}

/** Whether the client already has what this entity tag names (`If-None-Match`). */
export function isFresh(headers: RequestHeaders, etag: string): boolean {
  const list = headers['if-none-match']
  return list !== undefined && names(list, etag, true)
}

/** Ends the request with 412 unless what stands is what `If-Match` names, and not what `If-None-Match` names. */
export function requireMatch(headers: RequestHeaders, standing: StoredRecord | undefined): void {
  const { 'if-match': wanted, 'if-none-match': unwanted } = headers
  const etag = standing?.deleted === false ? etagOf(standing) : undefined
  const isWanted = wanted === undefined || (etag && names(wanted, etag, false))
  const isUnwanted = unwanted !== undefined && etag && names(unwanted, etag, true)
  if (!isWanted || isUnwanted) {
    throw new ProblemError('precondition_failed', 'The record has changed since it was read.')
  }
}
