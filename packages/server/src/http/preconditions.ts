import type { IncomingHttpHeaders } from 'node:http'
import { epochMs } from '@saldo/core'
import type { StoredRecord } from '../store/store.ts'
import { ProblemError } from './problem.ts'

/** Returns the entity tag of a record: version and time, so that it differs in a restored database. */
export function etagOf({ version, updatedAt }: Pick<StoredRecord, 'version' | 'updatedAt'>): string {
  return `"${version}-${epochMs(updatedAt).toString(36)}"`
}

/** True if a list of entity tags (RFC 9110 §13.1) or `*` matches a tag; weak tags match only if `allowWeak` is set. */
function matches(list: string, etag: string, allowWeak: boolean): boolean {
  return list
    .split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || tag === etag || (allowWeak && tag === `W/${etag}`))
}

/** True if the client already has this version (`If-None-Match`). */
export function isFresh(headers: IncomingHttpHeaders, etag: string): boolean {
  const list = headers['if-none-match']
  return list !== undefined && matches(list, etag, true)
}

/** Throws 412 unless the stored record satisfies `If-Match` and `If-None-Match`. */
export function requireMatch(headers: IncomingHttpHeaders, stored: StoredRecord | undefined): void {
  const { 'if-match': ifMatch } = headers
  const etag = stored?.deleted === false ? etagOf(stored) : undefined
  const isMatch = ifMatch === undefined || (etag && matches(ifMatch, etag, false))
  if (!isMatch || (etag && isFresh(headers, etag))) {
    throw new ProblemError('precondition_failed', 'The record has changed. Read it again, then repeat the change.')
  }
}

/** True if a tag satisfies `If-Match`, or the header is missing. */
export function isExpected(headers: IncomingHttpHeaders, etag: string): boolean {
  const list = headers['if-match']
  return list === undefined || matches(list, etag, false)
}
