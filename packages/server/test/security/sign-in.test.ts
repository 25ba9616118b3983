import { createHook } from 'node:async_hooks'
import { expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../src/env.ts'
import { startTestService, type TestService } from '../harness.ts'
import { type Browser, openBrowser, PASSWORD, signUp } from '../http/browser.ts'

async function start(config: Partial<Config> = {}): Promise<TestService> {
  // Sessions live by the computer's clock.
  const service = await startTestService({ now: new Date().toISOString(), config })
  onTestFinished(() => service.close())
  return service
}

/** A sign-in from an address, as the one trusted proxy tells it. */
const signIn = (service: TestService, email: string, password: string, from = '192.0.2.1') =>
  service.call('POST', '/api/auth/sign-in', { json: { email, password }, headers: { 'x-forwarded-for': from } })

/** Returns the number of passwords hashed meanwhile: the expensive work. */
async function hashesOf(done: () => Promise<unknown>): Promise<number> {
  let hashes = 0
  const init = (_id: number, type: string) => {
    if (type === 'SCRYPTREQUEST') hashes += 1
  }
  const hook = createHook({ init }).enable()
  await done()
  hook.disable()
  return hashes
}

test('[D8.19] credential stuffing: an address that tries many accounts gets 429; others do not', async () => {
  const service = await start({ trustedProxies: 1, failedSignIns: 1 })
  await signUp(service, 'anna@example.com')
  const hashes = await hashesOf(async () => {
    for (let n = 0; n < 100; n += 1) {
      const { status } = await signIn(service, `user-${n % 4}@example.com`, PASSWORD)
      expect(status).toBe(n < 4 ? 401 : 429)
    }
    expect((await signIn(service, 'anna@example.com', PASSWORD)).status).toBe(429)
  })
  // Throttled attempts hash no password.
  expect(hashes).toBe(4)
  expect((await signIn(service, 'anna@example.com', PASSWORD, '192.0.2.2')).status).toBe(200)
})

test('[D8.19] guessing: an account tried from many addresses gets 429; its sessions and tokens work', async () => {
  const service = await start({ trustedProxies: 1, failedSignIns: 3 })
  const browser = await signUp(service, 'anna@example.com')
  await signUp(service, 'ben@example.com')
  const { token } = (await browser.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })).body
  const statuses = []
  for (let n = 0; n < 20; n += 1) {
    const { status, headers } = await signIn(service, 'anna@example.com', `guess number ${n}`, `198.51.100.${n}`)
    statuses.push(status)
    if (status === 429) expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(900)
  }
  expect(statuses).toEqual([401, 401, 401, ...Array.from({ length: 17 }, () => 429)])
  expect((await browser.call('GET', '/api/me')).status).toBe(200)
  expect((await service.call('GET', '/api/me', { token })).status).toBe(200)
  expect((await signIn(service, 'ben@example.com', PASSWORD, '198.51.100.1')).status).toBe(200)
})

test('[D8.19] wrong current passwords in an open session end at 429, for this user alone', async () => {
  const service = await start({ failedSignIns: 2 })
  const [browser, other] = [await signUp(service), await signUp(service)]
  const change = (current_password: string, by = browser) =>
    by.call('POST', '/api/me/password', { json: { current_password, new_password: 'battery staple horse' } })
  for (const guess of ['guess one', 'guess two']) expect((await change(guess)).status).toBe(403)
  expect((await change(PASSWORD)).status).toBe(429)
  expect((await change(PASSWORD, other)).status).toBe(204)
})

test('[D8.19] [D1.38] guesses in one session leave another tries, up to five times as many in all', async () => {
  const service = await start({ failedSignIns: 2 })
  const owner = await signUp(service, 'ada@example.com')
  const json = { email: 'ada@example.com', password: PASSWORD }
  const newSession = async () => {
    const browser = openBrowser(service)
    expect((await browser.call('POST', '/api/auth/sign-in', { json })).status).toBe(200)
    return browser
  }
  const guess = async ({ call }: Browser, password = 'a wrong guess') =>
    (await call('POST', '/api/me/tokens', { json: { name: 'cron', password } })).status
  const thieves = [await newSession(), await newSession(), await newSession(), await newSession(), await newSession()]
  const [thief, ...others] = thieves as [Browser, ...Browser[]]
  for (const status of [403, 403, 429, 429, 429]) expect(await guess(thief)).toBe(status)
  expect(await guess(owner, PASSWORD)).toBe(201)
  for (const other of others) for (const status of [403, 403, 429]) expect(await guess(other)).toBe(status)
  expect(await guess(owner)).toBe(403)
  expect(await guess(owner)).toBe(403)
  expect(await guess(await newSession(), PASSWORD)).toBe(429)
})

test('[D8.19] wrong passwords and codes in an open session count together over all routes', async () => {
  const service = await start({ failedSignIns: 2 })
  const { call } = await signUp(service)
  const passkey = `/api/me/passkeys/${crypto.randomUUID()}`
  const factor = '/api/me/second-factor'
  const tag = (await call('GET', '/api/me/export')).headers.get('etag') ?? ''
  expect((await call('DELETE', factor, { json: { password: 'guess one' } })).status).toBe(403)
  expect((await call('POST', `${factor}/confirmation`, { json: { code: '000000' } })).status).toBe(403)
  const password = PASSWORD
  for (const [method, path, json] of [
    ['POST', factor, { password }],
    ['POST', `${factor}/confirmation`, { code: '000000' }],
    ['POST', `${factor}/recovery-codes`, { password }],
    ['DELETE', factor, { password }],
    ['POST', '/api/me/passkey-options', { password }],
    ['DELETE', passkey, { password }],
    ['POST', '/api/me/tokens', { name: 'cron', password }],
    ['POST', '/api/me/password', { current_password: PASSWORD, new_password: 'battery staple horse' }],
    ['DELETE', '/api/me', { password }],
  ] as const) {
    expect((await call(method, path, { json, headers: { 'if-match': tag } })).status, `${method} ${path}`).toBe(429)
  }
})

test('[D8.5] an unknown address and a wrong password cost the same work and get the same answer', async () => {
  const service = await start({ failedSignIns: 2 })
  await signUp(service, 'anna@example.com')
  const told: Record<string, unknown[]> = {}
  for (const email of ['anna@example.com', 'nobody@example.com']) {
    told[email] = []
    for (const password of ['not the password', '', 'not the password']) {
      let answer = {}
      const hashes = await hashesOf(async () => {
        const { status, headers, text } = await signIn(service, email, password)
        answer = { status, text, names: [...headers.keys()] }
      })
      told[email].push({ ...answer, hashes })
    }
  }
  expect(told['anna@example.com']).toMatchObject([
    { status: 401, hashes: 1 },
    { status: 401, hashes: 1 },
    { status: 429, hashes: 0 },
  ])
  expect(told['nobody@example.com']).toEqual(told['anna@example.com'])
})

test('[D8.5] closed sign-up does not reveal who has an account', async () => {
  for (const signup of ['first', 'closed'] as const) {
    const service = await start({ signup })
    if (signup === 'first') await signUp(service, 'anna@example.com')
    else await service.user('anna@example.com')
    const [known, unknown] = await Promise.all(
      ['anna@example.com', 'nobody@example.com'].map((email) =>
        service.call('POST', '/api/auth/sign-up', { json: { email, name: 'Ada', password: PASSWORD } }),
      ),
    )
    expect(known?.status).toBe(403)
    expect(unknown?.body).toEqual(known?.body)
  }
})

test('[D8.27] no route resets a password without a link, which an admin or the operator makes', async () => {
  const service = await start()
  const { paths } = (await service.call('GET', '/api/openapi.json')).body
  const open = Object.entries<Record<string, { security?: unknown[] }>>(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { security }]) =>
      security?.length === 0 && method !== 'get' ? [`${method} ${path}`] : [],
    ),
  )
  expect(open.sort()).toEqual([
    'post /api/auth/forgotten-password',
    'post /api/auth/link',
    'post /api/auth/link/password',
    'post /api/auth/oidc/{provider}',
    'post /api/auth/passkey',
    'post /api/auth/passkey/options',
    'post /api/auth/sign-in',
    'post /api/auth/sign-up',
  ])
})

const cookieOf = (headers: Headers) => /^[^;]*/.exec(headers.getSetCookie()[0] ?? '')?.[0] ?? ''

test('[D8.17] session fixation: signing in replaces a session that the browser had before', async () => {
  const service = await start()
  await signUp(service, 'anna@example.com')
  const attacker = await signUp(service, 'eve@example.com')
  const [[name, planted] = ['', '']] = attacker.cookies
  for (const given of [`${name}=${planted}`, `${name}=chosen.by-the-attacker`, `${name}=; ${name}=${planted}`]) {
    const { status, headers } = await service.call('POST', '/api/auth/sign-in', {
      json: { email: 'anna@example.com', password: PASSWORD },
      headers: { cookie: given, origin: service.url },
    })
    expect(status).toBe(200)
    const cookie = cookieOf(headers)
    expect(given).not.toContain(cookie)
    const me = await service.call('GET', '/api/me', { headers: { cookie } })
    expect(me.body.email).toBe('anna@example.com')
    // The planted cookie does not open her account, and a planted session has ended.
    expect((await service.call('GET', '/api/me', { headers: { cookie: given } })).body.email).not.toBe(
      'anna@example.com',
    )
  }
  expect((await attacker.call('GET', '/api/me')).status).toBe(401)
})

test('[D8.17] signing in again and a new password each begin a new session and end the old one', async () => {
  const service = await start()
  const browser = await signUp(service, 'anna@example.com')
  const held = () => [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const json = { email: 'anna@example.com', password: PASSWORD }
  const change = { current_password: PASSWORD, new_password: 'battery staple horse' }
  for (const renew of [
    () => browser.call('POST', '/api/auth/sign-in', { json }),
    () => browser.call('POST', '/api/me/password', { json: change }),
  ]) {
    const before = held()
    expect((await renew()).status).toBeLessThan(300)
    expect(held()).not.toBe(before)
    expect((await browser.call('GET', '/api/me')).status).toBe(200)
    expect((await service.call('GET', '/api/me', { headers: { cookie: before } })).status).toBe(401)
  }
  expect((await browser.call('GET', '/api/me/sessions')).body.items).toHaveLength(1)
})

test('[D8.17] a failed sign-in keeps the session of the browser', async () => {
  const service = await start()
  const browser = await signUp(service, 'anna@example.com')
  const json = { email: 'anna@example.com', password: 'not the password' }
  expect((await browser.call('POST', '/api/auth/sign-in', { json })).status).toBe(401)
  expect((await browser.call('GET', '/api/me')).status).toBe(200)
})
