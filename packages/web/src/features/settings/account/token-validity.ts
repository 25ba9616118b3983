import { DAY_MS, type EpochMs, epochMs, type Instant, instantOf } from '@saldo/core'

/** The validities of a token to choose from, in days. */
export const validities = [30, 90, 365, 'never'] as const
export type Validity = (typeof validities)[number]

/** Returns when a token of a validity expires; null for never. */
export function expiryOf(validity: Validity, nowMs: EpochMs): Instant | null {
  return validity === 'never' ? null : instantOf(nowMs + validity * DAY_MS)
}

/** Returns which text tells the expiry of a token. */
export function expiryKeyOf(expiresAt: Instant, nowMs: EpochMs): 'expires' | 'expired' {
  return epochMs(expiresAt) > nowMs ? 'expires' : 'expired'
}
