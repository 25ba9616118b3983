import { FIRST_DATE, LAST_DATE, type LocalDate } from '@saldo/core'
import { describe, expect, test } from 'vitest'
import { exportedRange, rangeSuffix } from './export-range.ts'

const open = { from: '', to: '' } as const

describe('ranges of an export', () => {
  test.each([
    ['thisMonth', '2026-01-15', '2026-01-01', '2026-01-15'],
    ['lastMonth', '2026-01-15', '2025-12-01', '2025-12-31'],
    ['lastMonth', '2024-03-31', '2024-02-01', '2024-02-29'],
    ['thisYear', '2026-11-23', '2026-01-01', '2026-11-23'],
    ['lastYear', '2026-11-23', '2025-01-01', '2025-12-31'],
  ] as const)('%s on %s is from %s to %s', (name, today, from, to) => {
    expect(exportedRange(name, today, open)).toEqual({ from, to })
  })

  test('the name of a file has its range, or the date for everything', () => {
    expect(rangeSuffix(exportedRange('all', '2026-11-23', open), '2026-11-23')).toBe('2026-11-23')
    expect(rangeSuffix(exportedRange('lastYear', '2026-11-23', open), '2026-11-23')).toBe('2025-01-01-2025-12-31')
  })
})

test('another range has the chosen dates, and an open end where there is none', () => {
  const otherRange = (from: LocalDate | '', to: LocalDate | '') => exportedRange('other', '2026-11-23', { from, to })
  expect(otherRange('2026-01-02', '2026-01-03')).toEqual({ from: '2026-01-02', to: '2026-01-03' })
  expect(otherRange('', '2026-01-03')).toEqual({ from: FIRST_DATE, to: '2026-01-03' })
  expect(otherRange('2026-01-02', '')).toEqual({ from: '2026-01-02', to: LAST_DATE })
  expect(otherRange('', '')).toEqual(exportedRange('all', '2026-11-23', { from: '2026-01-02', to: '' }))
})
