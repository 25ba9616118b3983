import { expect, test } from 'vitest'
import { formatBytes } from './bytes.ts'

test('amounts of data are told in the unit that fits', () => {
  expect(formatBytes(0, 'en')).toBe('0 byte')
  expect(formatBytes(820_000, 'en')).toBe('820 kB')
  expect(formatBytes(1_450_000, 'de')).toBe('1,5 MB')
  expect(formatBytes(2_000_000_000, 'en')).toBe('2 GB')
})
