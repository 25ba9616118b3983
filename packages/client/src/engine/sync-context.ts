import type { EpochMs } from '@saldo/core'
import type { Reply, Transport } from '../host/transport.ts'
import type { LocalStore } from '../store/store.ts'

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
