import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { correctionFor, saidOffsetMs } from './clock.ts'

test.each([
  [0, 0],
  [5 * MINUTE_MS - 1, 0],
  [SECOND_MS - 5 * MINUTE_MS, 0],
  [5 * MINUTE_MS, 5 * MINUTE_MS],
  [-3 * DAY_MS, -3 * DAY_MS],
])('a clock that is %i ms behind the service is corrected by %i ms', (offsetMs, correctionMs) => {
  expect(correctionFor(offsetMs)).toBe(correctionMs)
})

test.each([
  [6 * MINUTE_MS - SECOND_MS, 6 * MINUTE_MS],
  [HOUR_MS - SECOND_MS, HOUR_MS],
  [SECOND_MS - 3 * HOUR_MS, 3 * HOUR_MS],
  [80 * MINUTE_MS, HOUR_MS],
  [30 * HOUR_MS, 30 * HOUR_MS],
  [2 * DAY_MS - SECOND_MS, 2 * DAY_MS],
  [3 * DAY_MS - SECOND_MS, 3 * DAY_MS],
])('a clock that is off by %i ms is said to be off by %i ms', (offsetMs, saidMs) => {
  expect(saidOffsetMs(offsetMs)).toBe(saidMs)
})
