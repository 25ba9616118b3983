import { type EpochMs, type Instant, type JsonObject, nextUpdatedAt, type WritableKind } from '@saldo/core'

/** A state that a user gave a record; null content deletes it. */
export interface Edit {
  kind: WritableKind
  id: string
  content: JsonObject | null
  /** Fixed before the first attempt, and the same in every retry (D7). */
  updatedAt: Instant
  /** The device's number of this edit, above all before it; the same in every retry (D6). */
  seq: number
}

/** An edit that the service has not answered: a row of the outbox, which has one for each record, its latest state. */
export interface Pending extends Edit {
  /** The number of the edit that first queued the record: the outbox is sent in this order. */
  place: number
  /** How many requests have carried a state of this row, so that any of them may have reached the service. */
  attempts: number
  /** When the record was first queued, by this device's clock in milliseconds since 1970. */
  queuedAtMs: EpochMs
  /** The tab whose request carries the row now. */
  sender: string | null
}

/** What the time of an edit depends on. */
export interface EditTime {
  /** This device's clock, in milliseconds since 1970. */
  nowMs: number
  /** How far the service's clock is ahead of it, in milliseconds. */
  offsetMs: number
}

/** The time of an edit (D7): the service's, as far as it is known, but always after the state that is edited. */
export function editTime(edited: { updatedAt: Instant } | undefined, { nowMs, offsetMs }: EditTime): Instant {
  return nextUpdatedAt(edited, nowMs + offsetMs)
}

/**
 * The row after an edit. `known` is whether the service is known to have the record. Nothing is left to be said where a
 * record is deleted that no request has ever carried.
 */
export function queue(before: Pending | undefined, edit: Edit, known: boolean, nowMs: EpochMs): Pending | undefined {
  if (edit.content === null && before?.attempts === 0 && !known) return undefined
  return {
    ...edit,
    place: before?.place ?? edit.seq,
    attempts: before?.attempts ?? 0,
    queuedAtMs: before?.queuedAtMs ?? nowMs,
    sender: before?.sender ?? null,
  }
}

/** The row when a request of `tab` leaves with it: from now on it may have reached the service. */
export function send(row: Pending, tab: string): Pending {
  return { ...row, attempts: row.attempts + 1, sender: tab }
}

/** The row when its request ended without an answer, or its tab is gone: it waits again. */
export function release(row: Pending): Pending {
  return { ...row, sender: null }
}

/** The row when the answer to a request that carries it must not count any more. */
export function disown(row: Pending): Pending {
  return { ...row, attempts: row.attempts + 1, sender: null }
}

/** The rows that can be sent now, in the order in which they are: those that no living tab is sending. */
export function sendable(rows: readonly Pending[], alive: ReadonlySet<string>): Pending[] {
  const isFree = ({ sender }: Pending) => sender === null || !alive.has(sender)
  return rows.filter(isFree).toSorted((a, b) => a.place - b.place)
}
