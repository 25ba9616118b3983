import { type BalanceLimits, HOUR_MS } from '@saldo/core'

export const usualLimits: BalanceLimits = {
  green_ms: 20 * HOUR_MS,
  yellow_ms: 40 * HOUR_MS,
  period_ends: [],
  keep_at_most_ms: null,
}

/** Returns limits with an expiry at the end of the year of what is beyond the yellow range, or without an expiry. */
export function withExpiry(limits: BalanceLimits, isOn: boolean): BalanceLimits {
  return { ...limits, period_ends: isOn ? ['12-31'] : [], keep_at_most_ms: isOn ? limits.yellow_ms : null }
}
