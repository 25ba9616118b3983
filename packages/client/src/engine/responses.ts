import {
  check,
  ReceivedDigest,
  ReceivedPull,
  ReceivedPush,
  type ReceivedPushResult,
  type RecordStamp,
} from '@saldo/core'
import type { QueuedChange } from '../store/rows.ts'

/** A record or tombstone as the service sent it, readable by this program or not. */
export type ReceivedRecord = RecordStamp

/**
 * Returns a page of a pull; `undefined` if the body is none. A page after the version `since` that announces more must
 * have a higher version, or pulling would never end.
 */
export function parsePullResponse(body: unknown, since = -1): ReceivedPull | undefined {
  const page = check(ReceivedPull, body)
  return page.ok && (!page.value.has_more || page.value.version > since) ? page.value : undefined
}

/** Returns the reply to a push of `batch`; `undefined` unless it has one result for each change, in order. */
export function parsePushResponse(body: unknown, batch: readonly QueuedChange[]): ReceivedPush | undefined {
  const reply = check(ReceivedPush, body)
  if (!reply.ok || reply.value.results.length !== batch.length) return undefined
  const isOf = (result: ReceivedPushResult, change: QueuedChange | undefined) =>
    result.status === 'skipped' || result.status === 'rejected' || result.id === change?.id
  return reply.value.results.every((result, index) => isOf(result, batch[index])) ? reply.value : undefined
}

/** Returns the digests in a reply; `undefined` if it has none. */
export function parseDigestResponse(body: unknown): ReceivedDigest | undefined {
  const reply = check(ReceivedDigest, body)
  return reply.ok ? reply.value : undefined
}
