import { type Month, monthAfter } from '@saldo/core'
import { expect, test } from 'vitest'
import { lastMemberMonth, memberMonthsColumn, readMemberMonths } from '../../src/store/member-months.ts'

test('[D27.6] months are kept as runs, and read as they were', () => {
  const following = (first: Month, count: number) => Array.from({ length: count }, (_, step) => monthAfter(first, step))
  const many = { locked: following('2006-11', 240), submitted: following('2026-11', 2) }
  expect(memberMonthsColumn(many)).toBe('{"locked":["2006-11..2026-10"],"submitted":["2026-11..2026-12"]}')
  const gaps = { locked: ['2025-01', ...following('2025-11', 4), '2026-05'] as Month[], submitted: [] }
  expect(memberMonthsColumn(gaps)).toBe('{"locked":["2025-01","2025-11..2026-02","2026-05"],"submitted":[]}')
  for (const months of [many, gaps, { locked: [], submitted: [] }]) {
    expect(readMemberMonths(memberMonthsColumn(months))).toEqual(months)
    expect(readMemberMonths(JSON.stringify(months))).toEqual(months)
    const last = [...months.locked, ...months.submitted].toSorted().at(-1) ?? null
    expect(lastMemberMonth(memberMonthsColumn(months))).toBe(last)
  }
})
