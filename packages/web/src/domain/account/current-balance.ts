import type { DurationMs } from '@saldo/core'

/** Returns the part of a forecast balance that counts today: without adjustments that are dated later. */
export function currentBalanceMs(balance: { forecast_ms: DurationMs; future_adjustments_ms: DurationMs }): DurationMs {
  return balance.forecast_ms - balance.future_adjustments_ms
}
