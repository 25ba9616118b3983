import { HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { hoursOfWeek } from './defaults.ts'

test('the hours of a week are the mean of its rotation', () => {
  const full = [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * HOUR_MS)
  const half = [8, 8, 4, 0, 0, 0, 0].map((hours) => hours * HOUR_MS)
  expect(hoursOfWeek(full)).toEqual({ weeklyMs: 40 * HOUR_MS, days: 5 })
  expect(hoursOfWeek([...full, ...half])).toEqual({ weeklyMs: 30 * HOUR_MS, days: 5 })
})
