import type { LocalDate } from '@saldo/core'
import { expect, test } from 'vitest'
import { readDate } from './dates.ts'
import { allValues } from './reading.ts'

/** In a field that holds a date, on 30 November 2026. */
const read = (text: string, near: LocalDate) => allValues(readDate(text, { today: '2026-11-30', near, order: 'dmy' }))

test('[D32.4] a date without a year is near that of its field or near today, and asked if these differ', () => {
  expect(read('2.11.', '2026-01-01')).toEqual(['2025-11-02', '2026-11-02'])
  expect(read('2.11.', '2026-06-01')).toEqual(['2026-11-02'])
  expect(read('3 May', '2024-05-10')).toEqual(['2024-05-03', '2027-05-03'])
  expect(read('3.1.', '2026-12-28')).toEqual(['2027-01-03'])
  expect(read('Karfreitag', '2024-03-01')).toEqual(['2024-03-29', '2027-03-26'])
  expect(read('2.11.2026', '2024-01-01')).toEqual(['2026-11-02'])
  expect(read('17', '2024-05-10')).toEqual(['2024-05-17'])
})
