import { addDays, type LocalDate } from '@saldo/core'
import { expect, test } from 'vitest'
import { monthTicks } from './month-ticks.ts'

const days = (from: LocalDate, count: number, step = 1) =>
  Array.from({ length: count }, (_, index) => ({ date: addDays(from, index * step), balanceMs: 0 }))

test('puts ticks at the beginnings of months, at regular distances', () => {
  expect(monthTicks(days('2025-11-20', 366), 6)).toEqual([
    '2026-01-01',
    '2026-03-01',
    '2026-05-01',
    '2026-07-01',
    '2026-09-01',
    '2026-11-01',
  ])
  const years = monthTicks(days('2017-03-01', 500, 7), 6) ?? []
  expect(years.map((date) => date.slice(0, 7))).toEqual(['2018-01', '2020-01', '2022-01', '2024-01', '2026-01'])
  expect(monthTicks(days('2026-11-01', 60), 6)).toBeUndefined()
})
