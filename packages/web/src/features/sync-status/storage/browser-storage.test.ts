import { expect, test } from 'vitest'
import { formatBytes, shouldRequestPersistence } from './browser-storage.ts'

test('asks the browser to keep the data once something is on this device only', () => {
  expect(shouldRequestPersistence({ unsent: 1, online: false })).toBe(true)
  expect(shouldRequestPersistence({ unsent: 1, online: true })).toBe(false)
  expect(shouldRequestPersistence({ unsent: 0, online: false })).toBe(false)
})

test('formats amounts of data in the unit that fits', () => {
  expect(formatBytes(0, 'en')).toBe('0 byte')
  expect(formatBytes(820_000, 'en')).toBe('820 kB')
  expect(formatBytes(1_450_000, 'de')).toBe('1,5 MB')
  expect(formatBytes(2_000_000_000, 'en')).toBe('2 GB')
})
