import { MINUTE_MS } from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wholeMinutes } from './whole-minutes.ts'

test('rounded durations add up to the rounded sum, and each is less than a minute off', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 }), { maxLength: 30 }), (durations) => {
      const rounded = wholeMinutes(durations)
      const sum = (all: readonly number[]) => all.reduce((total, ms) => total + ms, 0)
      expect(sum(rounded)).toBe(Math.floor(sum(durations) / MINUTE_MS) * MINUTE_MS)
      for (const [index, ms] of durations.entries()) {
        expect(Math.abs((rounded[index] as number) - ms)).toBeLessThan(MINUTE_MS)
        expect((rounded[index] as number) % MINUTE_MS).toBeCloseTo(0)
      }
    }),
  )
})

test('the duration that loses the most gets the minute', () => {
  expect(wholeMinutes([90_000, 100_000, 50_000]).map((ms) => ms / MINUTE_MS)).toEqual([1, 2, 1])
})
