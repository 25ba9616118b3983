import { MINUTE_MS } from '@saldo/core'

/** The first wait at most, in milliseconds. */
const FIRST_MS = 1_000
/** The longest wait, in milliseconds. */
const LONGEST_MS = 5 * MINUTE_MS

/**
 * How long to wait after `failures` failed attempts in a row (1 or more), in milliseconds: exponential with full jitter,
 * so that devices that failed together do not come back together. `chance` is in [0, 1). What the service asks for in
 * `Retry-After` is the least.
 */
export function backoffMs(failures: number, chance: number, retryAfterMs = 0): number {
  const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 30))
  return Math.max(retryAfterMs, Math.ceil(chance * most))
}
