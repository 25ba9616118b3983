import { formatDelta, HOUR_MS, MINUTE_MS } from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { durationOfNumber, readDuration } from './durations.ts'

test('[D11.15] a number has one decimal sign, whatever other cells have; three digits of minutes are thousands', () => {
  const hours = (text: string) => (durationOfNumber(text, 'hours') ?? Number.NaN) / HOUR_MS
  for (const text of ['7,5', '7.5', '7,50', '7.500']) expect(hours(text), text).toBe(7.5)
  expect(['0,25', '1.250,5', '1,250.5', "1'250.5", '2.000.000'].map(hours)).toEqual([0.25, 1250.5, 1250.5, 1250.5, 2e6])
  expect(durationOfNumber('1,500', 'minutes')).toBe(1_500 * MINUTE_MS)
  expect(durationOfNumber('3.600', 'seconds')).toBe(HOUR_MS)
  expect(durationOfNumber('7.30', 'clock')).toBe(7.5 * HOUR_MS)
  expect(durationOfNumber('8', 'clock')).toBe(8 * HOUR_MS)
})

test('[D32.6] a delta as the account writes it is read back as the same', () => {
  fc.assert(
    fc.property(fc.integer({ min: -4_000_000_000, max: 4_000_000_000 }), (ms) => {
      const text = formatDelta(ms)
      expect([text, readDuration(text, 'hours')]).toEqual([text, { kind: 'certain', value: ms }])
    }),
  )
})
