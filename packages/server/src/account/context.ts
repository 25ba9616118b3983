import type { EpochMs, RecordKind, Timeline, UserNumber } from '@saldo/core'
import type { StoredRecord, UserWriter } from '../store/store.ts'

/** The user whose account changes, and the service's time. */
export interface AccountContext {
  user: UserNumber
  nowMs: EpochMs
}

/** A transaction that closes, reopens or recomputes days and weeks by the user's settings. */
export interface ClosingTransaction extends AccountContext {
  writer: UserWriter
  timeline: Timeline
}

/** A record that a transaction changed: as it was stored before and after. */
export interface ReplacedRecord<K extends RecordKind = RecordKind> {
  before: StoredRecord<K> | undefined
  after: StoredRecord<K>
}

/** Returns a guard for replaced records of a kind. */
export function isOf<K extends RecordKind>(kind: K): (replaced: ReplacedRecord) => replaced is ReplacedRecord<K> {
  return (replaced): replaced is ReplacedRecord<K> => replaced.after.kind === kind
}
