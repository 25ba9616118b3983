import {
  fetchTransport,
  NotSignedInError,
  openSaldo,
  RefusedError,
  type Transport,
  UnsentChangesError,
} from '@saldo/client'
import { journalStore } from '@saldo/client/node'
import type { Content } from '@saldo/core'
import { systemRandom } from '@saldo/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { House } from './harness.ts'

const PASSWORD = 'correct horse battery'

let house: House
beforeEach(async () => {
  house = await House.open('2026-11-21T12:00:00.000Z', { signup: 'open' })
})
afterEach(() => house.close())

/** A browser's way to the service: it keeps the cookie, and says where a request comes from. */
function browser(url: string): Transport {
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
  return fetchTransport({ url, fetch: fetching })
}

async function openBrowser() {
  const { url, folder } = house.address
  const transport = browser(url)
  const saldo = await openSaldo({
    store: journalStore(`${folder}/browser.journal`, systemRandom),
    transport,
    clock: { now: () => house.nowMs, after: () => () => {} },
    random: { ...systemRandom, fraction: () => 0.5 },
  })
  await saldo.device.settled()
  return { saldo, transport }
}

test('[D7] [D8] changes wait for signing in, and go out when it is done; nothing is wiped', async () => {
  const { saldo, transport } = await openBrowser()
  const entry = { kind: 'sick', date: '2026-11-20' } as Content<'entries'>
  expect((await saldo.entries.create(entry)).stored).toBe('queued')
  expect(await saldo.device.status()).toMatchObject({ state: 'signInNeeded', pending: 1 })
  await expect(saldo.weeks.close('2026-W46')).rejects.toThrow(NotSignedInError)
  const person = { email: 'bo@example.com', password: PASSWORD }
  await transport({ method: 'POST', path: '/api/auth/sign-up', body: person })
  await expect(saldo.session.signIn(person.email, 'not the password')).rejects.toThrow(NotSignedInError)
  await saldo.session.signIn(person.email, PASSWORD)
  await saldo.device.settled()
  expect(await saldo.device.status()).toMatchObject({ state: 'idle', pending: 0 })

  expect((await saldo.session.sessions()).filter(({ current }) => current)).toHaveLength(1)
  expect(await saldo.session.sessions()).toHaveLength(2)
  await saldo.session.changePassword(PASSWORD, 'another horse battery')
  expect(await saldo.session.sessions()).toMatchObject([{ current: true }])
  expect(await saldo.session.createToken('notes')).not.toBe('')
  const [token] = await saldo.session.tokens()
  await saldo.session.revokeToken(token?.id as string)
  expect(await saldo.session.tokens()).toEqual([])
  await expect(saldo.session.endSession(999_999)).rejects.toThrow(RefusedError)
  await saldo.close()
})

test('[D7] signing out with pending changes asks; forced, they stay here and go out after the next sign-in', async () => {
  const { saldo, transport } = await openBrowser()
  const person = { email: 'bo@example.com', password: PASSWORD }
  await transport({ method: 'POST', path: '/api/auth/sign-up', body: person })
  await saldo.session.signIn(person.email, PASSWORD)
  await saldo.device.settled()
  await saldo.session.signOut()
  const entry = { kind: 'sick', date: '2026-11-20' } as Content<'entries'>
  expect((await saldo.entries.create(entry)).stored).toBe('queued')
  await expect(saldo.session.signOut()).rejects.toThrow(UnsentChangesError)
  expect(await saldo.device.status()).toMatchObject({ state: 'signInNeeded', pending: 1 })
  await saldo.session.signIn(person.email, PASSWORD)
  await saldo.device.settled()
  expect(await saldo.device.status()).toMatchObject({ state: 'idle', pending: 0 })
  await saldo.close()
})
