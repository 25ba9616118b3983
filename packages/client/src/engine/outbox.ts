import { type EpochMs, type Instant, nextUpdatedAt } from '@saldo/core'
import type { OutboxRow, QueuedChange } from '../store/rows.ts'

/**
 * Returns the `updated_at` of a change (D7): the time of the service as far as this device knows it, and always after
 * the state that is changed. `offsetMs` is what the service's clock is ahead of this device's.
 */
export function changeTime(
  changed: { updatedAt: Instant } | undefined,
  { nowMs, offsetMs }: { nowMs: EpochMs; offsetMs: number },
): Instant {
  return nextUpdatedAt(changed, nowMs + offsetMs)
}

/**
 * Returns the outbox row of a record after a change. Returns `undefined` if nothing is left to send: the change
 * deletes a record that the service does not know (`hasBase` is false) and that no request has carried.
 */
export function enqueue(
  before: OutboxRow | undefined,
  change: QueuedChange,
  hasBase: boolean,
  nowMs: EpochMs,
): OutboxRow | undefined {
  if (change.content === null && before && !mayHaveArrived(before) && !hasBase) return undefined
  return {
    ...change,
    place: before?.place ?? change.seq,
    generation: before?.generation ?? 0,
    queuedAtMs: before?.queuedAtMs ?? nowMs,
    sender: before?.sender ?? null,
  }
}

/** True if a request has carried a state of the row, so that the service may know it. */
export function mayHaveArrived({ generation }: OutboxRow): boolean {
  return generation > 0
}

/** Returns the row while a request of `tab` carries it: from now on it may have reached the service. */
export function startSending(row: OutboxRow, tab: string): OutboxRow {
  return { ...row, generation: row.generation + 1, sender: tab }
}

/** Returns the row when its request ended without a result: it waits again. */
export function stopSending(row: OutboxRow): OutboxRow {
  return { ...row, sender: null }
}

/** Returns the row so that results of requests that carry it now no longer count. */
export function invalidateRequests(row: OutboxRow): OutboxRow {
  return { ...row, generation: row.generation + 1, sender: null }
}

/** Returns the rows that no living tab is sending, in the order in which they are sent. */
export function sendableRows(rows: readonly OutboxRow[], livingTabs: ReadonlySet<string>): OutboxRow[] {
  const isFree = ({ sender }: OutboxRow) => sender === null || !livingTabs.has(sender)
  return rows.filter(isFree).toSorted((a, b) => a.place - b.place)
}
