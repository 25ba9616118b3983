import { MINUTE_MS } from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backoffMs } from './backoff.ts'

test('[D7.24] retries back off with jitter, five minutes at most, and honour Retry-After', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      fc.integer({ min: 0, max: 1_000_000 }),
      (failures, chance, askedMs) => {
        const waitMs = backoffMs(failures, chance, askedMs)
        expect(waitMs).toBeGreaterThanOrEqual(askedMs)
        expect(waitMs).toBeLessThanOrEqual(Math.max(askedMs, 5 * MINUTE_MS))
        expect(backoffMs(failures + 1, chance)).toBeGreaterThanOrEqual(backoffMs(failures, chance))
      },
    ),
  )
  expect(backoffMs(1, 0.5)).toBe(500)
  expect(backoffMs(4, 0.5)).toBe(4_000)
  expect([9, 10, 1_000].map((failures) => backoffMs(failures, 0.5))).toEqual([128_000, 150_000, 150_000])
  expect([backoffMs(1, 0), backoffMs(1, 0.0001), backoffMs(1, 0.5, 700)]).toEqual([0, 1, 700])
})
