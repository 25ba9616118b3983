import { expect, test } from 'vitest'
import { currentBalanceMs } from './current-balance.ts'

test('adjustments that are dated after today do not count yet, whether they add or deduct', () => {
  expect(currentBalanceMs({ forecast_ms: 10, future_adjustments_ms: 4 })).toBe(6)
  expect(currentBalanceMs({ forecast_ms: 10, future_adjustments_ms: -4 })).toBe(14)
})
