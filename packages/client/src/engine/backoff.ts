import { MINUTE_MS } from '@saldo/core'

/** The longest first delay. */
const FIRST_MS = 1_000
const LONGEST_MS = 5 * MINUTE_MS

/**
 * Returns the delay after `failures` failed attempts in a row (1 or more), in milliseconds: exponential with full
 * jitter, so that devices that failed together do not return together. `fraction` is a random number in [0, 1).
 * `retryAfterMs` is the shortest delay, as the service asked for it.
 */
export function backoffMs(failures: number, fraction: number, retryAfterMs = 0): number {
  const limitMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 30))
  return Math.max(retryAfterMs, Math.ceil(fraction * limitMs))
}
