import type { EpochMs, UserNumber } from '@saldo/core'
import type { StoredRecord } from '../store/store.ts'

/** The user whose account changes, and the service's time. */
export interface AccountContext {
  user: UserNumber
  nowMs: EpochMs
}

/** A record that a transaction changed: as it was stored before and after. */
export interface ReplacedRecord {
  before: StoredRecord | undefined
  after: StoredRecord
}
