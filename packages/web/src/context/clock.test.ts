import { DAY_MS, MINUTE_MS, SECOND_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { correctionFor } from './clock.ts'

test.each([
  [0, 0],
  [5 * MINUTE_MS - 1, 0],
  [SECOND_MS - 5 * MINUTE_MS, 0],
  [5 * MINUTE_MS, 5 * MINUTE_MS],
  [-3 * DAY_MS, -3 * DAY_MS],
])('a clock that is %i ms behind the service is corrected by %i ms', (offsetMs, correctionMs) => {
  expect(correctionFor(offsetMs)).toBe(correctionMs)
})
