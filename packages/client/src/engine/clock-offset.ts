import type { EpochMs, Instant } from '@saldo/core'

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
