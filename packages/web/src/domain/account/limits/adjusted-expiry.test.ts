import { type AdjustmentContent, HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { adjustedExpiry } from './adjusted-expiry.ts'

test('an adjusted expiry deducts the present excess, and is deleted without one', () => {
  const before: AdjustmentContent = {
    kind: 'expiry',
    effective_date: '2026-12-31',
    delta_ms: -5 * HOUR_MS,
    reason: 'limit',
  }
  expect(adjustedExpiry(before, 3 * HOUR_MS)).toEqual({ ...before, delta_ms: -3 * HOUR_MS })
  expect(adjustedExpiry(before, 0)).toBeUndefined()
})
