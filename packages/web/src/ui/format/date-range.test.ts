import { expect, test } from 'vitest'
import { formatDateRange } from './date-range.ts'

const plain = (text: string) => text.replace(/\s/g, '')

test('what both ends share is said once', () => {
  expect(plain(formatDateRange('en-GB', { from: '2026-11-16', to: '2026-11-22' }))).toBe('16–22Nov2026')
  expect(plain(formatDateRange('de', { from: '2026-12-28', to: '2027-01-03' }))).toMatch(/2026.*2027/)
})
