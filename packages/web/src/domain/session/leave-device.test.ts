import { OfflineError } from '@saldo/client'
import type { UserNumber } from '@saldo/core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { leaveDevice, signOutOf } from './leave-device.ts'

test.each<[string, Parameters<typeof signOutOf>[0], object, stays: boolean, forgets: boolean]>([
  ['nothing', { unsent: 0, rejected: 0 }, { pendingCount: 0, ownCount: 0 }, false, false],
  ['unsent changes', { unsent: 2, rejected: 0 }, { pendingCount: 2, ownCount: 2 }, true, true],
  ['rejected changes', { unsent: 0, rejected: 1 }, { pendingCount: 0, ownCount: 1 }, false, true],
  ['both', { unsent: 2, rejected: 1 }, { pendingCount: 2, ownCount: 3 }, true, true],
  ['changes that nobody can count', { unsent: null, rejected: null }, { isUnknown: true }, true, true],
  ['a status that is not read yet', undefined, { isUnknown: false, ownCount: 0 }, false, false],
])('signing out of a device with %s', (_, status, counts, stays, forgets) => {
  const signOut = signOutOf(status)
  expect(signOut).toMatchObject(counts)
  expect([signOut.needsForce(false), signOut.needsForce(true)]).toEqual([stays, forgets])
})

const done: string[] = []
const device = {
  user: 7 as UserNumber,
  forget: async ({ force = false } = {}) => void done.push(force ? 'forgotten' : 'asked'),
}

beforeEach(() => {
  done.length = 0
  const stored = { 'saldo.own-profile.7': '', 'saldo.own-profile.17': '', 'saldo.preferences': '' }
  const removeItem = { value: (key: string) => done.push(key) }
  vi.stubGlobal('localStorage', Object.defineProperties({ ...stored }, { removeItem }))
  vi.stubGlobal('sessionStorage', { clear: () => done.push('cleared') })
  vi.stubGlobal('location', { assign: (path: string) => done.push(path) })
})
afterEach(() => void vi.unstubAllGlobals())

test('removing the data works without a network', async () => {
  await leaveDevice(device, async () => void done.push('left'))
  expect(done.splice(0)).toEqual(['left'])
  await leaveDevice(device, () => Promise.reject(new OfflineError()))
  expect(done).toEqual(['forgotten', 'saldo.own-profile.7', 'saldo.preferences', 'cleared', 'saldo.user', '/'])
})

test('any other error is thrown and removes nothing', async () => {
  await expect(leaveDevice(device, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(done).toEqual([])
})
