import type { UserNumber } from '@saldo/core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetUser, rememberedUser, rememberUser, removeTraces } from './remembered-user.ts'

const stored = new Map<string, string>()

beforeEach(() => {
  stored.clear()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  }
  const ownKeys = () => [...stored.keys()]
  const getOwnPropertyDescriptor = () => ({ enumerable: true, configurable: true })
  vi.stubGlobal('localStorage', new Proxy(storage, { ownKeys, getOwnPropertyDescriptor }))
})
afterEach(() => void vi.unstubAllGlobals())

test('a device remembers its user until it forgets them', () => {
  expect(rememberedUser()).toBeUndefined()
  const ada = { user: 7 as UserNumber, email: 'ada@example.com' }
  rememberUser(ada)
  expect(rememberedUser()).toEqual(ada)
  forgetUser()
  expect(rememberedUser()).toBeUndefined()
})

test('[D8.34] the traces of a user are removed, and those of other users stay', () => {
  const others = ['saldo.own-profile.17', 'saldo.own-profile.71']
  const own = ['saldo.own-profile.7', 'saldo.shown-reminders.7', 'saldo.preferences', 'saldo.colorScheme']
  for (const key of [...own, ...others]) stored.set(key, '')
  const clear = vi.fn()
  vi.stubGlobal('sessionStorage', { clear })
  removeTraces(7 as UserNumber)
  expect([...stored.keys()]).toEqual(others)
  expect(clear).toHaveBeenCalledOnce()
})
