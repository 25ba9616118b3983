import { HOUR_MS, MINUTE_MS } from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { breakPlace } from './break-place.ts'

const NOON = 12 * HOUR_MS

test('a break has its length and lies inside the work, with at least a moment of work on both sides', () => {
  const minutes = fc.integer({ min: 0, max: 24 * 60 })
  fc.assert(
    fc.property(minutes, minutes, minutes, (start, workMinutes, breakMinutes) => {
      const work = { start: start * MINUTE_MS, end: (start + workMinutes) * MINUTE_MS }
      const place = breakPlace(work, breakMinutes * MINUTE_MS, NOON)
      expect(place !== undefined).toBe(workMinutes > breakMinutes + 1)
      if (!place) return
      expect(place.end - place.start).toBe(breakMinutes * MINUTE_MS)
      expect(place.start).toBeGreaterThan(work.start)
      expect(place.end).toBeLessThan(work.end)
    }),
  )
})

test('a break is at noon; where that is not inside the work, it is in the middle, in steps of five minutes', () => {
  const place = (start: number, end: number, length: number) =>
    breakPlace({ start: start * MINUTE_MS, end: end * MINUTE_MS }, length * MINUTE_MS, NOON)?.start
  expect(place(8 * 60, 17 * 60, 30)).toBe(NOON)
  // Noon is not inside work that begins at noon, or in which a break from noon would be at the end.
  expect(place(12 * 60, 14 * 60, 30)).toBe(NOON + 45 * MINUTE_MS)
  expect(place(8 * 60, 12 * 60 + 30, 30)).toBe(10 * HOUR_MS)
  expect(place(0, 127, 60)).toBe(30 * MINUTE_MS)
  expect(place(0, 63, 60)).toBe(MINUTE_MS)
  expect(place(0, 61, 60)).toBeUndefined()
})
