import type { EpochMs } from '@saldo/core'

/** A clock with timers. */
export interface DeviceClock {
  now(): EpochMs
  /** Calls `work` once after `ms` milliseconds. Returns a function that cancels the call. */
  after(ms: number, work: () => void): () => void
}
