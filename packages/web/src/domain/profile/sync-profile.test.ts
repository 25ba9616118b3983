import { NotSignedInError, OfflineError } from '@saldo/client'
import type { Preferences, UserAccountPatch, UserNumber } from '@saldo/core'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'

const USER = 7 as UserNumber
const stored = new Map<string, string>()

vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
})
const { changeOnAllDevices, keptProfile, syncProfile } = await import('./sync-profile.ts')
const { changePreferences, readPreferences } = await import('../../context/preferences.ts')
const { rememberedUser, rememberUser } = await import('../../context/remembered-user.ts')

const plain: Preferences = { language: null, durations: 'clock', hours: 'auto', first_run: 'ask' }

afterAll(() => {
  changePreferences(plain)
  vi.unstubAllGlobals()
})

/** The account at the service, which can be out of reach. */
function accountOf(preferences: Preferences | null) {
  const own = { name: 'Ada', personnel_number: '', employer: '', email: 'new@example.com', preferences }
  const account = {
    own,
    isOffline: false,
    patches: [] as UserAccountPatch[],
    async profile() {
      if (account.isOffline) throw new OfflineError()
      return { ...own }
    },
    async changeProfile(patch: UserAccountPatch) {
      if (account.isOffline) throw new OfflineError()
      account.patches.push(patch)
      own.preferences = { ...plain, ...own.preferences, ...patch.preferences } as Preferences
      return { ...own }
    },
  }
  return account
}

beforeEach(() => {
  stored.clear()
  rememberUser({ user: USER, email: 'old@example.com' })
  changePreferences(plain)
})

test('[D19.17] a device applies the preferences, the profile and the address of the account', async () => {
  await syncProfile(USER, accountOf({ language: 'de', durations: 'decimal', hours: 'h12', first_run: 'ask' }))
  expect(readPreferences()).toMatchObject({ language: 'de', durations: 'decimal', hours: 'h12' })
  expect(keptProfile(USER).name).toBe('Ada')
  expect(rememberedUser()?.email).toBe('new@example.com')
})

test('[D19.17] a change without a network applies here at once, and is sent later without undoing others', async () => {
  const account = accountOf({ ...plain, durations: 'decimal' })
  account.isOffline = true
  await changeOnAllDevices(USER, account, { hours: 'h23' })
  expect(readPreferences().hours).toBe('h23')
  account.isOffline = false
  await syncProfile(USER, account)
  expect(account.patches).toEqual([{ preferences: { hours: 'h23' } }])
  expect(readPreferences()).toMatchObject({ durations: 'decimal', hours: 'h23' })
  await syncProfile(USER, account)
  expect(account.patches).toHaveLength(1)
})

test('[D19.17] a change during a request stays here, and is sent by the next', async () => {
  const account = accountOf(plain)
  const { changeProfile } = account
  const answer = Promise.withResolvers<void>()
  account.changeProfile = async (patch) => {
    const own = await changeProfile(patch)
    await answer.promise
    return own
  }
  const first = changeOnAllDevices(USER, account, { hours: 'h23' })
  account.isOffline = true
  await changeOnAllDevices(USER, account, { durations: 'decimal' })
  account.isOffline = false
  answer.resolve()
  await first
  expect(readPreferences()).toMatchObject({ hours: 'h23', durations: 'decimal' })
  await syncProfile(USER, account)
  expect(account.own.preferences).toEqual({ ...plain, hours: 'h23', durations: 'decimal' })
})

test('without a session, the profile waits for the next time; a defect is reported', async () => {
  const failing = (error: Error) => ({ ...accountOf(plain), profile: () => Promise.reject(error) })
  await syncProfile(USER, failing(new NotSignedInError()))
  await expect(syncProfile(USER, failing(new TypeError('x')))).rejects.toThrow('x')
})

test('[D19.17] an account without preferences gets those of the device, if any were chosen there', async () => {
  const untouched = accountOf(null)
  await syncProfile(USER, untouched)
  expect(untouched.patches).toEqual([])
  changePreferences({ language: 'de' })
  const account = accountOf(null)
  await syncProfile(USER, account)
  expect(account.own.preferences).toEqual({ ...plain, language: 'de' })
})

test('a device that has signed out meanwhile keeps nothing of the user', async () => {
  const account = accountOf({ ...plain, language: 'de' })
  stored.delete('saldo.user')
  await syncProfile(USER, account)
  expect(readPreferences().language).toBeNull()
  expect(rememberedUser()).toBeUndefined()
})

test('[D19.17] skipping the first run counts on every device of the user, and for nobody else', async () => {
  const account = accountOf(null)
  await changeOnAllDevices(USER, account, { first_run: 'skipped' })
  expect(account.patches).toEqual([{ preferences: { first_run: 'skipped' } }])
  stored.clear()
  rememberUser({ user: USER, email: 'old@example.com' })
  await syncProfile(USER, account)
  const skipped = () => [...stored.keys()].filter((key) => key.startsWith('saldo.skipped-first-run.'))
  expect(skipped()).toEqual([`saldo.skipped-first-run.${USER}`])
  await changeOnAllDevices(USER, account, { first_run: 'ask' })
  expect(skipped()).toEqual([])
})
