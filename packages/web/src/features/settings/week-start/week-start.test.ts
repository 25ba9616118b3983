import type { LocalDate, RecordId } from '@saldo/core'
import { expect, test } from 'vitest'
import { rowsFrom, weekStartChanges } from './week-start.ts'

const row = (effective_from: LocalDate) => ({ effective_from })

test('a new first day of the week applies to the current settings row and all later rows', () => {
  const rows = (['2026-06-01', '2025-01-01', '2027-01-01'] as const).map(row)
  expect(rowsFrom(rows, '2026-11-20')).toEqual([row('2026-06-01'), row('2027-01-01')])
  expect(rowsFrom(rows, '2026-06-01')).toEqual([row('2026-06-01'), row('2027-01-01')])
  expect(rowsFrom(rows.toReversed(), '2026-11-20')).toEqual([row('2027-01-01'), row('2026-06-01')])
  expect(rowsFrom(rows, '2024-01-01')).toEqual(rows)
  expect(rowsFrom([], '2024-01-01')).toEqual([])
})

test('the first day of the week changes in each of these rows', () => {
  const rows = (['2025-01-01', '2026-06-01', '2027-01-01'] as const).map((effective_from) => {
    return { id: `id of ${effective_from}` as RecordId, effective_from }
  })
  expect(weekStartChanges(rows, '2026-11-20', 7)).toEqual([
    { id: 'id of 2026-06-01', patch: { week_starts_on: 7 } },
    { id: 'id of 2027-01-01', patch: { week_starts_on: 7 } },
  ])
})
