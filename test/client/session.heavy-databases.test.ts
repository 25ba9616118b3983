import {
  connect,
  fetchTransport,
  NotSignedInError,
  OtherUserError,
  openSaldo,
  RejectedError,
  secondFactorOf,
  type Transport,
  UnsentChangesError,
} from '@saldo/client'
import { sqliteStore } from '@saldo/client/node'
import type { UserNumber } from '@saldo/core'
import { systemRandom } from '@saldo/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { codeAt, wrongCodeAt } from '../../packages/server/test/http/authenticator.ts'
import { Harness } from './harness.ts'

const PASSWORD = 'correct horse battery'
const person = { email: 'bo@example.com', name: 'Bo', password: PASSWORD }

let harness: Harness
let bo: UserNumber
beforeEach(async () => {
  harness = await Harness.open('2026-11-21T12:00:00.000Z', { signup: 'open' })
  const { url } = harness.address
  bo = await connect({ url }).signUp(person)
})
afterEach(() => harness.close())

/** A browser's way to the service: it keeps the cookie, and says where a request comes from. */
function browser(url: string, user: UserNumber): Transport {
  let cookie = ''
  const fetching: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('sec-fetch-site', 'same-origin')
    if (cookie) headers.set('cookie', cookie)
    const response = await fetch(input, { ...init, headers })
    const [set] = response.headers.getSetCookie()
    if (set) cookie = set.split(';')[0] as string
    return response
  }
  return fetchTransport({ url, user, fetch: fetching })
}

async function openBrowser(over: (transport: Transport) => Transport = (transport) => transport) {
  const { url, folder } = harness.address
  const transport = over(browser(url, bo))
  const saldo = await openSaldo({
    user: bo,
    store: sqliteStore(`${folder}/browser.db`),
    transport,
    listen: async () => 'missing',
    clock: { now: () => harness.nowMs, after: () => () => {} },
    random: { ...systemRandom, fraction: () => 0.5 },
  })
  await saldo.sync()
  return { saldo, transport }
}

test('[D7.9] changes wait for a sign-in and are sent after it; nothing is lost', async () => {
  const { saldo } = await openBrowser()
  const entry = { kind: 'sick', date: '2026-11-20' } as const
  expect((await saldo.entries.create(entry).settled).result).toBe('queued')
  expect(await saldo.status.read()).toMatchObject({ state: 'signInNeeded', unsent: 1 })
  await expect(saldo.weeks.close('2026-W46')).rejects.toThrow(NotSignedInError)
  await expect(saldo.userAccount.signIn(person.email, 'not the password')).rejects.toThrow(NotSignedInError)
  await saldo.userAccount.signIn(person.email, PASSWORD)
  await saldo.sync()
  expect(await saldo.status.read()).toMatchObject({ state: 'idle', unsent: 0 })

  expect((await saldo.userAccount.sessions()).filter(({ current }) => current)).toHaveLength(1)
  expect(await saldo.userAccount.sessions()).toHaveLength(2)
  const named = await saldo.userAccount.changeProfile({ name: 'Ada Lovelace' })
  const email = person.email
  expect(named).toEqual({ name: 'Ada Lovelace', personnel_number: '', employer: '', email, preferences: null })
  expect(await saldo.userAccount.profile()).toEqual(named)
  await saldo.userAccount.changePassword(PASSWORD, 'another horse battery')
  expect(await saldo.userAccount.sessions()).toMatchObject([{ current: true }])
  const notes = { name: 'notes', scope: 'record', expires_at: null } as const
  expect(await saldo.userAccount.createToken(notes, { password: 'another horse battery' })).not.toBe('')
  const [token] = await saldo.userAccount.tokens()
  expect(token).toMatchObject(notes)
  await saldo.userAccount.revokeToken(token?.id as string)
  expect(await saldo.userAccount.tokens()).toEqual([])
  await expect(saldo.userAccount.endSession(999_999)).rejects.toThrow(RejectedError)
  await saldo.close()
})

test('[D8.7] signing in with a second factor asks for a code; wrong codes have their own error', async () => {
  const { saldo, transport } = await openBrowser()
  await saldo.userAccount.signIn(person.email, PASSWORD)
  const factor = secondFactorOf(saldo.user, transport)
  expect(await factor.state()).toEqual({ since: null, recovery_codes_left: 0 })
  await expect(factor.begin('not the password')).rejects.toThrow(RejectedError)
  const { key } = await factor.begin(PASSWORD)
  await expect(factor.confirm(wrongCodeAt(key, harness.nowMs))).rejects.toThrow(RejectedError)
  const [first = ''] = await factor.confirm(codeAt(key, harness.nowMs))
  const refused = await saldo.userAccount.signIn(person.email, PASSWORD).catch((error: unknown) => error)
  expect(refused).toMatchObject({ problem: { code: 'second_factor_required' } })
  await saldo.userAccount.signIn(person.email, PASSWORD, first)
  expect(await factor.state()).toMatchObject({ since: expect.any(String), recovery_codes_left: 7 })
  expect(await factor.renewRecoveryCodes(PASSWORD)).toHaveLength(8)
  await factor.remove(PASSWORD)
  await saldo.userAccount.signIn(person.email, PASSWORD)
})

test('[D7.48] changes of one user never reach another who signs in to the same browser', async () => {
  const { saldo, transport } = await openBrowser()
  const cy = { email: 'cy@example.com', name: 'Cy', password: PASSWORD }
  await saldo.userAccount.signIn(person.email, PASSWORD)
  await transport({ method: 'POST', path: '/api/auth/sign-up', body: cy })
  expect((await saldo.entries.create({ kind: 'sick', date: '2026-11-20' }).settled).result).toBe('queued')
  await saldo.sync()
  expect(await saldo.status.read()).toMatchObject({ needsSignIn: true, unsent: 1 })
  await expect(saldo.userAccount.signIn(cy.email, PASSWORD)).rejects.toThrow(OtherUserError)
  await saldo.userAccount.signIn(person.email, PASSWORD)
  await saldo.sync()
  expect(await saldo.status.read()).toMatchObject({ needsSignIn: false, unsent: 0 })
  await saldo.close()
})

test('[D7.49] a device forgets its data once nothing is unsent; account deletion needs a fresh export', async () => {
  const { saldo } = await openBrowser()
  expect((await saldo.entries.create({ kind: 'sick', date: '2026-11-20' }).settled).result).toBe('queued')
  await expect(saldo.forget()).rejects.toThrow(UnsentChangesError)
  await saldo.userAccount.signIn(person.email, PASSWORD)
  await saldo.sync()
  const before = await saldo.userAccount.export()
  expect(JSON.parse(before.text)).toMatchObject({ records: { entries: [{ date: '2026-11-20' }] } })
  await saldo.entries.create({ kind: 'sick', date: '2026-11-19' }).settled
  await expect(saldo.userAccount.deleteAccount(PASSWORD, before)).rejects.toThrow(RejectedError)
  await saldo.userAccount.deleteAccount(PASSWORD, await saldo.userAccount.export())
  expect(await saldo.status.read()).toMatchObject({ needsSignIn: true })
  await saldo.forget()
  const again = await openBrowser()
  expect(await again.saldo.entries.all().read()).toEqual([])
  await again.saldo.close()
})

test('[D7.49] signing out with unsent changes asks; if forced, they are sent after the next sign-in', async () => {
  const { saldo } = await openBrowser()
  await saldo.userAccount.signIn(person.email, PASSWORD)
  await saldo.sync()
  await saldo.signOut()
  const entry = { kind: 'sick', date: '2026-11-20' } as const
  expect((await saldo.entries.create(entry).settled).result).toBe('queued')
  await expect(saldo.signOut()).rejects.toThrow(UnsentChangesError)
  expect(await saldo.status.read()).toMatchObject({ state: 'signInNeeded', unsent: 1 })
  await saldo.userAccount.signIn(person.email, PASSWORD)
  await saldo.sync()
  expect(await saldo.status.read()).toMatchObject({ state: 'idle', unsent: 0 })
  await saldo.close()
})

test('[D7.49] a change made while a device forgets its data is not lost', async () => {
  const hanging = Promise.withResolvers<void>()
  let hangs = false
  const { saldo } = await openBrowser((transport) => async (request) => {
    if (hangs) await hanging.promise
    return hangs ? { outcome: 'retryable', retryAfterMs: 0 } : transport(request)
  })
  hangs = true
  void saldo.sync()
  const forgotten = saldo.forget()
  const made = saldo.entries.create({ kind: 'sick', date: '2026-11-20' }).settled
  await expect.poll(() => saldo.outbox.list().read()).toHaveLength(1)
  hanging.resolve()
  await expect(forgotten).rejects.toThrow(UnsentChangesError)
  expect((await made).result).toBe('queued')
  expect(await saldo.entries.all().read()).toHaveLength(1)
  hangs = false
  await saldo.sync()
  expect(await saldo.status.read()).toMatchObject({ state: 'signInNeeded', unsent: 1 })
  await saldo.close()
})

test('[D7.49] a device whose session has ended can be signed out and forgotten', async () => {
  const { saldo, transport } = await openBrowser()
  await saldo.userAccount.signIn(person.email, PASSWORD)
  await saldo.sync()
  await transport({ method: 'POST', path: '/api/auth/sign-out' })
  await saldo.signOut()
  const { lastSuccessMs, ...status } = await saldo.status.read()
  expect(lastSuccessMs).not.toBeNull()
  // Without a session the data is as old as the last sync.
  expect(status).toMatchObject({ needsSignIn: true, staleSinceMs: lastSuccessMs })
  await saldo.forget()
})
