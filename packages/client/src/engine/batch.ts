import { limits } from '@saldo/core'

/** What is to be done with a batch that the service refused whole (D7). */
export type Halving<T> =
  /** Send these, one after the other: the culprit is in one of them. */
  | { batches: readonly [first: readonly T[], second: readonly T[]] }
  /** It was alone. */
  | { culprit: T }

/** Halves a refused batch, of one change at least, until the change that it is refused for is alone. */
export function halve<T>(batch: readonly T[]): Halving<T> {
  const [first, ...others] = batch
  if (first === undefined) throw new RangeError('an empty batch is not refused')
  if (others.length === 0) return { culprit: first }
  const middle = Math.ceil(batch.length / 2)
  return { batches: [batch.slice(0, middle), batch.slice(middle)] }
}

/** How many changes the next push may carry, and how often the service failed at one of that size since it last did not. */
export interface Doubt {
  most: number
  defects: number
}

/** No change is suspected. */
export const NO_DOUBT: Doubt = { most: limits.push_changes, defects: 0 }
const MOST_DEFECTS = 3

/**
 * What is suspected when the service failed with 500 at a batch of so many changes: at the third time one of them, so that
 * the next batch is half as large (D7). `found` where it was alone.
 */
export function doubtAfterDefect({ most, defects }: Doubt, count: number): Doubt | 'found' {
  if (defects + 1 < MOST_DEFECTS) return { most, defects: defects + 1 }
  return count === 1 ? 'found' : { most: Math.ceil(count / 2), defects: 0 }
}

/** The first of the items that fit into one push: at most `most` of them, at most `mostBytes` together; one at least. */
export function firstBatch<T>(items: readonly T[], bytesOf: (item: T) => number, most: number, mostBytes: number): T[] {
  const batch: T[] = []
  let bytes = 0
  for (const item of items) {
    bytes += bytesOf(item)
    if (batch.length > 0 && (batch.length === most || bytes > mostBytes)) break
    batch.push(item)
  }
  return batch
}
