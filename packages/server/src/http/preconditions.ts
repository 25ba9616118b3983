import { epochMs } from '@saldo/core'
import type { StoredRecord } from '../store/store.ts'
import { ProblemError } from './problem.ts'
import type { RequestHeaders } from './route.ts'

/** What an entity tag is made of. */
type Tagged = Pick<StoredRecord, 'version' | 'updatedAt'>

/** The entity tag of a record: version and time, so that it is another one in another history. */
export function etagOf({ version, updatedAt }: Tagged): string {
  return `"${version}-${epochMs(updatedAt).toString(36)}"`
}

/** Whether a list of entity tags (RFC 9110 §13.1) names a record; `*` names any. Weak tags count where `weak` is set. */
function names(list: string, record: Tagged, weak: boolean): boolean {
  const etag = etagOf(record)
  return list
    .split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || tag === etag || (weak && tag === `W/${etag}`))
}

/** Whether the client already has this state (`If-None-Match`). */
export function isFresh(headers: RequestHeaders, record: Tagged): boolean {
  const list = headers['if-none-match']
  return list !== undefined && names(list, record, true)
}

/** Ends the request with 412 unless what stands is what `If-Match` names, and not what `If-None-Match` names. */
export function requireMatch(headers: RequestHeaders, standing: StoredRecord | undefined): void {
  const { 'if-match': wanted, 'if-none-match': unwanted } = headers
  const live = standing?.deleted === false ? standing : undefined
  const isWanted = wanted === undefined || (live && names(wanted, live, false))
  const isUnwanted = unwanted !== undefined && live && names(unwanted, live, true)
  if (!isWanted || isUnwanted) {
    throw new ProblemError('precondition_failed', 'The record has changed since it was read.')
  }
}
