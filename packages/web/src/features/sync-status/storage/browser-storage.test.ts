import { afterEach, describe, expect, test, vi } from 'vitest'
import { formatBytes, readStorage, requestPersistence, shouldRequestPersistence } from './browser-storage.ts'

test('asks the browser to keep the data once something is on this device only', () => {
  expect(shouldRequestPersistence({ unsent: 1, state: 'offline' })).toBe(true)
  expect(shouldRequestPersistence({ unsent: 1, state: 'pushing' })).toBe(false)
  expect(shouldRequestPersistence({ unsent: 0, state: 'offline' })).toBe(false)
  expect(shouldRequestPersistence({ unsent: null, state: 'offline' })).toBe(false)
})

describe('the storage of the browser', () => {
  afterEach(() => void vi.unstubAllGlobals())
  const browser = (estimate: object, isPersistent: boolean) => {
    const storage = {
      estimate: async () => estimate,
      persisted: async () => isPersistent,
      persist: vi.fn(async () => true),
    }
    vi.stubGlobal('navigator', { storage })
    return storage
  }

  test('is shown as far as the browser tells', async () => {
    browser({ usage: 5, quota: 10 }, true)
    expect(await readStorage()).toEqual({ usedBytes: 5, quotaBytes: 10, isPersistent: true })
    browser({}, false)
    expect(await readStorage()).toEqual({ usedBytes: 0, quotaBytes: null, isPersistent: false })
    vi.stubGlobal('navigator', {})
    expect(await readStorage()).toBeUndefined()
  })

  test('is asked to keep the data only if it has not promised that', async () => {
    const promised = browser({}, true)
    expect(await requestPersistence()).toBe(true)
    expect(promised.persist).not.toHaveBeenCalled()
    const other = browser({}, false)
    expect(await requestPersistence()).toBe(true)
    expect(other.persist).toHaveBeenCalledOnce()
    vi.stubGlobal('navigator', {})
    expect(await requestPersistence()).toBe(false)
  })
})

test('formats amounts of data in the unit that fits', () => {
  expect(formatBytes(0, 'en')).toBe('0 byte')
  expect(formatBytes(999, 'en')).toBe('999 byte')
  expect(formatBytes(1_000, 'en')).toBe('1 kB')
  expect(formatBytes(2e15, 'en')).toBe('2,000 TB')
  expect(formatBytes(820_000, 'en')).toBe('820 kB')
  expect(formatBytes(1_450_000, 'de')).toBe('1,5 MB')
  expect(formatBytes(2_000_000_000, 'en')).toBe('2 GB')
})
