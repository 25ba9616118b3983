import { expect, test } from 'vitest'
import { daysAround, daysBackFrom, widened } from './date-ranges.ts'

test('ranges end on their date, have more days on both sides, or the days around a date', () => {
  expect(daysBackFrom('2026-11-20', 21)).toEqual({ from: '2026-10-30', to: '2026-11-20' })
  const november = { from: '2026-11-01', to: '2026-11-30' } as const
  expect(widened(november, 2)).toEqual({ from: '2026-10-30', to: '2026-12-02' })
  expect(daysAround('2026-12-31')).toEqual({ from: '2026-12-30', to: '2027-01-01' })
})
