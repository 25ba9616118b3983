import { type DurationMs, wireLimits } from '@saldo/core'

/** The limits of the next push, and the failures of the service at a push of that size in a row. */
export interface BatchLimit {
  maxChanges: number
  maxBytes: number
  failures: number
}

/** A network of 30 kbit/s carries it before the timeout, and the largest change is smaller. */
const FIRST_BYTES = 100_000
/** Large enough for the reads and writes of a device around a push to weigh little beside it. */
const MOST_BYTES = 1_000_000
const FAST_MS = 2_000

/** The limit of the first push of a sync, and of the first after a culprit was found. */
export const FULL_BATCH: BatchLimit = { maxChanges: wireLimits.push_changes, maxBytes: FIRST_BYTES, failures: 0 }
const MAX_FAILURES = 3

/** Returns the limit after a push was sent: twice as large where it was fast. */
export function widenBatch(limit: BatchLimit, tookMs: DurationMs): BatchLimit {
  const maxBytes = tookMs < FAST_MS ? Math.min(2 * limit.maxBytes, MOST_BYTES) : FIRST_BYTES
  return { ...limit, maxBytes, failures: 0 }
}

/** The consequence of a push that failed as a whole: another attempt, or its only change is the one to give up. */
export type NextBatch = { outcome: 'retry'; limit: BatchLimit } | { outcome: 'culpritFound' }

/**
 * Returns the limit after the service rejected a push of `count` changes as a whole, or failed at it with 500. After a
 * rejection (D7.18) or the third failure (D7.19) one of the changes is suspected: the next batch is half as large,
 * until the culprit is alone.
 */
export function narrowBatch(limit: BatchLimit, count: number, isRejected: boolean): NextBatch {
  const failures = limit.failures + 1
  if (!isRejected && failures < MAX_FAILURES) return { outcome: 'retry', limit: { ...limit, failures } }
  if (count === 1) return { outcome: 'culpritFound' }
  return { outcome: 'retry', limit: { ...limit, maxChanges: Math.ceil(count / 2), failures: 0 } }
}

/** Returns the first items that fit into one push, at least one. */
export function firstBatch<T>(
  items: readonly T[],
  sizeBytesOf: (item: T) => number,
  { maxChanges, maxBytes }: Omit<BatchLimit, 'failures'>,
): T[] {
  const batch: T[] = []
  let bytes = 0
  for (const item of items) {
    bytes += sizeBytesOf(item)
    if (batch.length > 0 && (batch.length === maxChanges || bytes > maxBytes)) break
    batch.push(item)
  }
  return batch
}
