import { describe, expect, test } from 'vitest'
import { rangeOf, rangeSuffix } from './export-range.ts'

describe('ranges of an export', () => {
  test.each([
    ['thisMonth', '2026-01-15', '2026-01-01', '2026-01-15'],
    ['lastMonth', '2026-01-15', '2025-12-01', '2025-12-31'],
    ['lastMonth', '2024-03-31', '2024-02-01', '2024-02-29'],
    ['thisYear', '2026-11-23', '2026-01-01', '2026-11-23'],
    ['lastYear', '2026-11-23', '2025-01-01', '2025-12-31'],
  ] as const)('%s on %s is from %s to %s', (name, today, from, to) => {
    expect(rangeOf(name, today)).toEqual({ from, to })
  })

  test('the name of a file has its range, or the date for everything', () => {
    expect(rangeSuffix(rangeOf('all', '2026-11-23'), '2026-11-23')).toBe('2026-11-23')
    expect(rangeSuffix(rangeOf('lastYear', '2026-11-23'), '2026-11-23')).toBe('2025-01-01-2025-12-31')
  })
})
