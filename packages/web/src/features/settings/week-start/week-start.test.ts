import type { LocalDate } from '@saldo/core'
import { expect, test } from 'vitest'
import { rowsFrom } from './week-start.ts'

const row = (effective_from: LocalDate) => ({ effective_from })

test('a new first day of the week applies to the current settings row and all later rows', () => {
  const rows = (['2026-06-01', '2025-01-01', '2027-01-01'] as const).map(row)
  expect(rowsFrom(rows, '2026-11-20')).toEqual([row('2026-06-01'), row('2027-01-01')])
  expect(rowsFrom(rows, '2026-06-01')).toEqual([row('2026-06-01'), row('2027-01-01')])
  expect(rowsFrom(rows.toReversed(), '2026-11-20')).toEqual([row('2027-01-01'), row('2026-06-01')])
  expect(rowsFrom(rows, '2024-01-01')).toEqual(rows)
  expect(rowsFrom([], '2024-01-01')).toEqual([])
})
