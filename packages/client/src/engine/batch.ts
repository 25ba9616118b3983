import { limits } from '@saldo/core'

/** The parts of a batch that the service rejected as a whole (D7.18). */
export type SplitBatch<T> =
  /** The culprit is in one of these halves: push them one after the other. */
  { outcome: 'halved'; halves: readonly [readonly T[], readonly T[]] } | { outcome: 'found'; culprit: T }

/** Splits a rejected batch in half until the change that it is rejected for is alone. */
export function splitRejected<T>(batch: readonly T[]): SplitBatch<T> {
  const [first, ...others] = batch
  if (first === undefined) throw new RangeError('an empty batch cannot be rejected')
  if (others.length === 0) return { outcome: 'found', culprit: first }
  const middle = Math.ceil(batch.length / 2)
  return { outcome: 'halved', halves: [batch.slice(0, middle), batch.slice(middle)] }
}

/** The changes that the next push may carry, and how often the service failed at a push of that size in a row. */
export interface BatchLimit {
  maxChanges: number
  failures: number
}

export const FULL_BATCH: BatchLimit = { maxChanges: limits.push_changes, failures: 0 }
const MAX_FAILURES = 3

export type NextBatch = { outcome: 'retry'; limit: BatchLimit } | { outcome: 'culpritFound' }

/**
 * Returns the limit after the service answered 500 to a push of `count` changes. At the third failure one of them is
 * suspected: the next batch is half as large, until the culprit is alone (D7.19).
 */
export function shrinkAfterFailure({ maxChanges, failures }: BatchLimit, count: number): NextBatch {
  if (failures + 1 < MAX_FAILURES) return { outcome: 'retry', limit: { maxChanges, failures: failures + 1 } }
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
