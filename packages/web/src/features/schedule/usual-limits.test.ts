import { HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { usualLimits, withExpiry } from './usual-limits.ts'

test('an expiry keeps what the yellow range allows at the end of the year, and goes without a trace', () => {
  const limits = { ...usualLimits, yellow_ms: 50 * HOUR_MS }
  const expiring = { ...limits, period_ends: ['12-31'], keep_at_most_ms: 50 * HOUR_MS }
  expect(withExpiry(limits, true)).toEqual(expiring)
  expect(withExpiry(expiring, false)).toEqual(limits)
})

test('limits begin without an expiry, with the green range within the yellow one', () => {
  expect(usualLimits).toEqual({
    green_ms: 20 * HOUR_MS,
    yellow_ms: 40 * HOUR_MS,
    period_ends: [],
    keep_at_most_ms: null,
  })
})
