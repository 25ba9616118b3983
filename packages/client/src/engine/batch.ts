import { wireLimits } from '@saldo/core'

/** The changes that the next push may carry, and how often the service failed at a push of that size in a row. */
export interface BatchLimit {
  maxChanges: number
  failures: number
}

export const FULL_BATCH: BatchLimit = { maxChanges: wireLimits.push_changes, failures: 0 }
const MAX_FAILURES = 3

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
  return { outcome: 'retry', limit: { maxChanges: Math.ceil(count / 2), failures: 0 } }
}

/** Returns the first items that fit into one push: up to `maxItems`, together up to `maxBytes`, and at least one. */
export function firstBatch<T>(
  items: readonly T[],
  sizeBytesOf: (item: T) => number,
  maxItems: number,
  maxBytes: number,
): T[] {
  const batch: T[] = []
  let bytes = 0
  for (const item of items) {
    bytes += sizeBytesOf(item)
    if (batch.length > 0 && (batch.length === maxItems || bytes > maxBytes)) break
    batch.push(item)
  }
  return batch
}
