import { expect, test } from 'vitest'
import { pathOfWeek } from './week-path.ts'

test('the weeks before and after have addresses, that of the current week without its number', () => {
  expect(pathOfWeek('2026-W53', 1, '2026-W47')).toBe('/week/2027-W01')
  expect(pathOfWeek('2026-W01', -1, '2026-W47')).toBe('/week/2025-W52')
  expect([pathOfWeek('2026-W46', 1, '2026-W47'), pathOfWeek('2026-W48', -1, '2026-W47')]).toEqual(['/week', '/week'])
})
