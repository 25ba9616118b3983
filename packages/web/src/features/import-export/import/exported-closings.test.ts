import { expect, test } from 'vitest'
import { closingOffer } from './exported-closings.ts'

test('closings of an export are offered by weeks, or by days if only days were closed', () => {
  const [week, ...days] = ['2026-W01', '2025-12-29', '2025-12-30'] as const
  const key = 'importExport.close.why'
  expect(closingOffer({ closedWeeks: [week], closedDays: days })).toEqual({ key, count: 1 })
  expect(closingOffer({ closedWeeks: [week], closedDays: [] })).toEqual({ key, count: 1 })
  expect(closingOffer({ closedWeeks: [], closedDays: days })).toEqual({ key: `${key}Days`, count: 2 })
  expect(closingOffer({ closedWeeks: [], closedDays: [] })).toBeUndefined()
})
