import type { AdjustmentContent, DurationMs } from '@saldo/core'

/** Returns an expiry of another excess; `undefined` if there is no excess any more, so that it is deleted. */
export function adjustedExpiry(before: AdjustmentContent, excessMs: DurationMs): AdjustmentContent | undefined {
  return excessMs === 0 ? undefined : { ...before, delta_ms: 0 - excessMs }
}
