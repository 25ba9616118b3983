import type { EpochMs, Instant, JsonObject, RecordKind } from '@saldo/core'
import type { Reply, Transport } from '../host/transport.ts'
import type { BaseRecord } from '../store/rows.ts'
import type { LocalStore } from '../store/store.ts'
import { checkReadability } from './base-record.ts'
import type { ReceivedRecord } from './responses.ts'

/** The dependencies of a step of the sync. */
export interface SyncContext {
  store: LocalStore
  transport: Transport
  now: () => EpochMs
  /** Returns the names of the tabs that are alive. */
  livingTabs: () => Promise<ReadonlySet<string>>
}

/** A reply that does not answer the request. */
export type Failure = Exclude<Reply, { outcome: 'answered' }>

/** Returns the base record that the service told. */
export function toBaseRecord(
  kind: RecordKind,
  { id, version, updated_at: updatedAt }: ReceivedRecord,
  record: JsonObject | null,
): BaseRecord {
  return { kind, id, version, updatedAt, record, unconfirmed: false }
}

/** Returns the base record that the result of a write told. */
export function toUnconfirmed(kind: RecordKind, stored: ReceivedRecord, record: JsonObject | null): BaseRecord {
  return checkReadability({ ...toBaseRecord(kind, stored, record), unconfirmed: true })
}

/**
 * A request that took longer says nothing about clocks: this device may have slept, or its clock may have been set.
 */
const MAX_MEASURED_MS = 60_000

/**
 * Returns by how many milliseconds the clock of the service is ahead, if it told its time between two moments of this
 * device's clock; `undefined` if that cannot be told.
 */
export function clockOffsetMs(serverTime: Instant, requestedMs: EpochMs, repliedMs: EpochMs): number | undefined {
  const tookMs = repliedMs - requestedMs
  if (tookMs < 0 || tookMs > MAX_MEASURED_MS) return undefined
  return Math.round(Date.parse(serverTime) - (requestedMs + repliedMs) / 2)
}
