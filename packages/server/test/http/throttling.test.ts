import { expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../src/env.ts'
import { QUARTER_HOUR_SECONDS } from '../../src/http/throttle.ts'
import { startTestService, type TestResponse, type TestService } from '../harness.ts'
import { bodies } from './bodies.ts'
import { openBrowser, PASSWORD, signUp } from './browser.ts'
import { rawRequest, sendBytes } from './raw-http.ts'
import { counterOf, resourceOf } from './resources.ts'

async function start(config: Partial<Config>): Promise<TestService> {
  const service = await startTestService({ config })
  onTestFinished(() => service.close())
  return service
}

function expectThrottled({ status, body, headers }: TestResponse): void {
  expect(status).toBe(429)
  expect(body.code).toBe('rate_limited')
  const retryAfter = headers.get('retry-after')
  expect(retryAfter).toMatch(/^[1-9]\d*$/)
  // Seconds, at most the longest period.
  expect(Number(retryAfter)).toBeLessThanOrEqual(QUARTER_HOUR_SECONDS)
}

test('[D8.19] after too many failed sign-ins for an address even the right password is 429', async () => {
  const service = await start({ failedSignIns: 3 })
  await signUp(service, 'anna@example.com')
  await signUp(service, 'ben@example.com')
  const signIn = (email: string, password: string) =>
    service.call('POST', '/api/auth/sign-in', { json: { email, password } })
  for (let n = 0; n < 2; n += 1) expect((await signIn('anna@example.com', 'wrong')).status).toBe(401)
  // Success forgets what failed.
  expect((await signIn('anna@example.com', PASSWORD)).status).toBe(200)
  for (let n = 0; n < 3; n += 1) expect((await signIn('anna@example.com', 'wrong')).status).toBe(401)
  expectThrottled(await signIn('anna@example.com', PASSWORD))
  expectThrottled(await signIn(' ANNA@example.com', PASSWORD))
  expect((await signIn('ben@example.com', PASSWORD)).status).toBe(200)
})

test('[D1.25] too many writes of one user are 429; reads and other users are not limited', async () => {
  const service = await start({ writesPerMinute: 2 })
  const { call } = await service.user()
  const other = await service.user()
  const { path, content } = resourceOf('entries')
  for (let n = 0; n < 4; n += 1) expect((await call('POST', path, { json: content })).status).toBe(201)
  for (const [method, at] of [
    ['POST', path],
    ['POST', '/api/sync/push'],
    ['PUT', `${path}/x`],
  ] as const) {
    expectThrottled(await call(method, at, { json: content }))
  }
  expect(await counterOf(call)).toBe(4)
  expect((await other.call('POST', path, { json: content })).status).toBe(201)
})

test('[D1.25] a refused user can write again after the time in `Retry-After`, at the rate per minute', async () => {
  const service = await start({ writesPerMinute: 2, writtenBytesPerMinute: 60_000 })
  const { call } = await service.user()
  const { path, content } = resourceOf('entries')
  for (let n = 0; n < 4; n += 1) await call('POST', path, { json: content })
  const statusAfter = async (seconds: number, json: object = content) => {
    service.clock.advance(seconds * 1_000)
    const { status, headers } = await call('POST', path, { json })
    return [status, headers.get('retry-after')]
  }
  expect(await statusAfter(0)).toEqual([429, '30'])
  expect(await statusAfter(29)).toEqual([429, '1'])
  expect(await statusAfter(-3_600)).toEqual([429, '1'])
  expect(await statusAfter(2)).toEqual([201, null])
  expect(await statusAfter(0)).toEqual([429, '29'])

  service.clock.advance(3_600_000)
  const large = { ...content, x: 'x'.repeat(61_000) }
  expect(await statusAfter(0, large)).toEqual([201, null])
  expect(await statusAfter(0, large)).toEqual([429, expect.stringMatching(/^[23]$/)])
  expect(await statusAfter(3, large)).toEqual([201, null])
})

test('[D1.25] a body for which the user has no bytes left is refused before it arrives', async () => {
  const service = await start({ writtenBytesPerMinute: 50_000 })
  const { token } = await service.user()
  const head = ['POST /api/sync/push HTTP/1.1', 'Host: x', `Authorization: Bearer ${token}`]
  const type = ['Content-Type: application/json', 'Content-Length: 100001']
  const answer = await sendBytes(service.url, [...head, ...type, 'Connection: close', '', '{'].join('\r\n'))
  expect(answer).toContain('HTTP/1.1 429 ')
})

test('[D1.25] the bytes of a body in chunks, which does not announce its length, count like others', async () => {
  const service = await start({ writtenBytesPerMinute: 50_000 })
  const { token, call } = await service.user()
  const { path, content } = resourceOf('entries')
  const sending = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const headers = { ...sending, 'transfer-encoding': 'chunked' }
  const statusOf = async (body: string) =>
    (await rawRequest(service.url, path, { method: 'POST', headers, body })).status
  const large = JSON.stringify({ ...content, x: 'x'.repeat(40_000) })
  expect(await statusOf(large)).toBe(201)
  expect(await statusOf(large)).toBe(201)
  expect(await statusOf(large)).toBe(429)
  expect((await call('GET', path)).body.items).toHaveLength(2)
})

/** A sign-up that is refused before anything slow is done. */
const attempt = (service: TestService, forwardedFor?: string) =>
  service.call('POST', '/api/auth/sign-up', {
    json: { email: 'eve@example.com', name: 'Eve', password: PASSWORD },
    headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
  })

async function useUp(service: TestService, forwardedFor: (n: number) => string | undefined): Promise<void> {
  for (let n = 0; n < 100; n += 1) expect((await attempt(service, forwardedFor(n))).status).toBe(403)
}

test('[D8.19] attempts count by the address of the connection, without regard to X-Forwarded-For', async () => {
  const service = await start({ signup: 'closed' })
  await useUp(service, (n) => `10.0.0.${n}`)
  expectThrottled(await attempt(service, '10.1.1.1'))
  expectThrottled(await attempt(service))
})

test('[D8.19] behind a trusted proxy, attempts count by the address that the proxy adds', async () => {
  const service = await start({ signup: 'closed', trustedProxies: 1 })
  await useUp(service, (n) => `192.0.2.${n}, 10.0.0.1`)
  expectThrottled(await attempt(service, '192.0.2.200 ,  10.0.0.1'))
  expect((await attempt(service, '10.0.0.1, 10.0.0.2')).status).toBe(403)
  expect((await attempt(service)).status).toBe(403)
})

test('[D8.19] behind two proxies, attempts count by the address that the inner one adds', async () => {
  const service = await start({ signup: 'closed', trustedProxies: 2 })
  await useUp(service, (n) => `192.0.2.${n}, 10.0.0.1, 172.16.0.${n}`)
  expectThrottled(await attempt(service, '10.0.0.1, 172.16.0.201'))
  expect((await attempt(service, '10.0.0.1, 10.0.0.2, 172.16.0.1')).status).toBe(403)
})

test('[D8.29] attempts from all addresses and ports of one IPv6 network count together', async () => {
  const service = await start({ signup: 'closed', trustedProxies: 1 })
  const spelling = (n: number) => [`2001:db8:0:1::${n}`, `[2001:db8:0:1:${n}::1]:${40_000 + n}`][n % 2]
  await useUp(service, spelling)
  expectThrottled(await attempt(service, '2001:db8:0:1:ffff:ffff:ffff:ffff'))
  expect((await attempt(service, '2001:db8:0:2::1')).status).toBe(403)
})

test('[D8.29] attempts from an IPv4 address count together, however a proxy writes it', async () => {
  const service = await start({ signup: 'closed', trustedProxies: 1 })
  await useUp(service, (n) => [`10.0.0.1:${n}`, `::ffff:10.0.0.1`, `[::ffff:a00:1]:${n}`][n % 3])
  expectThrottled(await attempt(service, '10.0.0.1'))
  expect((await attempt(service, '10.0.0.2')).status).toBe(403)
})

test('[D8.29] clients cannot choose their network with a `Forwarded` header', async () => {
  const service = await start({ signup: 'closed', trustedProxies: 1 })
  for (let n = 0; n < 100; n += 1) {
    const headers = { 'x-forwarded-for': '10.0.0.1', forwarded: `for=192.0.2.${n}` }
    const json = { email: 'eve@example.com', name: 'Eve', password: PASSWORD }
    expect((await service.call('POST', '/api/auth/sign-up', { json, headers })).status).toBe(403)
  }
  expectThrottled(await attempt(service, '10.0.0.1'))
})

const openRoutes = ['sign-up', 'sign-in', 'passkey/options', 'passkey'].map((name) => `/api/auth/${name}`)

test.each(openRoutes)('[D8.19] each attempt at %s counts together with those at all other ways in', async (path) => {
  const service = await start({ signup: 'closed' })
  const [json] = bodies[`POST ${path}`] ?? []
  const ask = () => service.call('POST', path, json === undefined ? {} : { json })
  for (let n = 0; n < 99; n += 1) expect((await attempt(service)).status).toBe(403)
  expect((await ask()).status).not.toBe(429)
  expectThrottled(await attempt(service))
  expectThrottled(await ask())
})

test.each(openRoutes)('[D8.15] pages of other origins are refused at %s before anything is done', async (path) => {
  const service = await start({})
  const [json] = bodies[`POST ${path}`] ?? []
  for (const foreign of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
    const headers = foreign as Record<string, string>
    const { status, body } = await service.call('POST', path, { headers, ...(json !== undefined && { json }) })
    expect([status, body.code, body.detail]).toEqual([403, 'forbidden', expect.stringContaining('same origin')])
  }
})

test('[D1.25] all tokens of a user share one throttle, and all sessions another', async () => {
  const service = await start({ writesPerMinute: 3 })
  const { path, content } = resourceOf('entries')
  const browser = await signUp(service, 'anna@example.com')
  const json = { name: 'program', password: PASSWORD }
  const tokens: string[] = []
  for (let n = 0; n < 3; n += 1) tokens.push((await browser.call('POST', '/api/me/tokens', { json })).body.token)
  for (const token of tokens) expect((await service.call('POST', path, { token, json: content })).status).toBe(201)
  for (const token of tokens) expect((await service.call('POST', path, { token, json: content })).status).toBe(201)
  for (const token of tokens) expectThrottled(await service.call('POST', path, { token, json: content }))
  for (const token of tokens) expect((await service.call('GET', path, { token })).body.items).toHaveLength(6)
  // Of six, three were used for the tokens.
  const other = openBrowser(service)
  await other.call('POST', '/api/auth/sign-in', { json: { email: 'anna@example.com', password: PASSWORD } })
  for (const { call } of [browser, other, browser]) {
    expect((await call('POST', path, { json: content })).status).toBe(201)
  }
  for (const { call } of [browser, other]) expectThrottled(await call('POST', path, { json: content }))
})

test('[D1.25] too many bytes of one user are 429, with any of their tokens; reads and other users go on', async () => {
  const service = await start({ writtenBytesPerMinute: 50_000 })
  const { call } = await service.user()
  const browser = await signUp(service, 'anna@example.com')
  const json = { name: 'program', password: PASSWORD }
  const newToken = async () => (await browser.call('POST', '/api/me/tokens', { json })).body.token as string
  const [token, second] = [await newToken(), await newToken()]
  const { path, content } = resourceOf('entries')
  const large = { ...content, x: 'x'.repeat(40_000) }
  expect((await service.call('POST', path, { token, json: large })).status).toBe(201)
  expect((await service.call('POST', path, { token: second, json: large })).status).toBe(201)
  expectThrottled(await service.call('POST', path, { token, json: large }))
  expectThrottled(await service.call('POST', '/api/sync/push', { token: second, json: { changes: [large] } }))
  for (const status of [201, 201, 429]) expect((await browser.call('POST', path, { json: large })).status).toBe(status)
  expect((await service.call('GET', path, { token })).body.items).toHaveLength(4)
  expect((await call('POST', path, { json: large })).status).toBe(201)
})
