import { OfflineError } from '@saldo/client'
import type { UserNumber } from '@saldo/core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { leaveDevice } from './leave-device.ts'

const done: string[] = []
const device = {
  user: 7 as UserNumber,
  forget: async ({ force = false } = {}) => void done.push(force ? 'forgotten' : 'asked'),
}

beforeEach(() => {
  done.length = 0
  const stored = { 'saldo.own-profile.7': '', 'saldo.own-profile.17': '', 'saldo.preferences': '' }
  vi.stubGlobal('localStorage', { ...stored, removeItem: (key: string) => done.push(key) })
  vi.stubGlobal('location', { assign: (path: string) => done.push(path) })
})
afterEach(() => void vi.unstubAllGlobals())

test('removing the data works without a network', async () => {
  await leaveDevice(device, async () => void done.push('left'))
  expect(done.splice(0)).toEqual(['left'])
  await leaveDevice(device, () => Promise.reject(new OfflineError()))
  expect(done).toEqual(['forgotten', 'saldo.own-profile.7', 'saldo.user', '/'])
})

test('any other error is thrown and removes nothing', async () => {
  await expect(leaveDevice(device, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(done).toEqual([])
})
