import type { EpochMs } from '@saldo/core'

/** A clock that can also wait. */
export interface DeviceClock {
  now(): EpochMs
  /** Calls `work` once after `ms` milliseconds. Returns what prevents that. */
  after(ms: number, work: () => void): () => void
}
