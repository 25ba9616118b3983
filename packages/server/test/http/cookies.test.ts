import { expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../src/env.ts'
import { startTestService, type TestService } from '../harness.ts'
import { openBrowser, PASSWORD, signUp } from './browser.ts'
import { sendBytes } from './raw-http.ts'
import { counterOf, resourceOf } from './resources.ts'

const { content } = resourceOf('entries')

async function start(config: Partial<Config> = {}): Promise<TestService> {
  const service = await startTestService({ config })
  onTestFinished(() => service.close())
  return service
}

/** The cookies set by signing up, in lower case, without their values. */
async function cookiesOf(service: TestService, headers: Record<string, string> = {}): Promise<string[]> {
  const json = { email: 'anna@example.com', name: 'Anna', password: PASSWORD, setup_code: service.service.setupCode }
  const answer = await service.call('POST', '/api/auth/sign-up', { json, headers })
  expect(answer.status).toBe(201)
  return answer.headers.getSetCookie().map((cookie) => cookie.toLowerCase().replace(/=[^;]*/, ''))
}

test('[D8.14] session cookies are HttpOnly, SameSite=Lax and bound to one host', async () => {
  const [cookie = '', ...more] = await cookiesOf(await start())
  expect(more).toEqual([])
  expect(cookie.split('; ')).toEqual(
    expect.arrayContaining(['saldo.session_token', 'path=/', 'httponly', 'samesite=lax']),
  )
  expect(cookie).not.toContain('domain')
  expect(cookie).not.toContain('secure')
})

test('[D8.14] behind https, cookies are Secure and HSTS is set', async () => {
  const service = await start({ publicUrl: 'https://saldo.example' })
  const [cookie] = await cookiesOf(service)
  expect(cookie).toMatch(/^__host-saldo\.session_token; .*; secure/)
  expect(cookie).toContain('; path=/;')
  const { headers } = await service.call('GET', '/api/health')
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
})

test('[D8.14] X-Forwarded-Proto counts only from a trusted proxy', async () => {
  const forwarded = { 'x-forwarded-proto': 'https' }
  expect((await cookiesOf(await start({ trustedProxies: 1 }), forwarded))[0]).toMatch(/; secure/)
  expect((await cookiesOf(await start({ trustedProxies: 1 })))[0]).not.toMatch(/secure/)
  expect((await cookiesOf(await start({ trustedProxies: 0 }), forwarded))[0]).not.toMatch(/secure/)
})

test('[D8.14] a session works over https as over http, and signing out clears its cookie', async () => {
  for (const publicUrl of [undefined, 'https://saldo.example']) {
    const browser = await signUp(await start({ publicUrl }))
    expect((await browser.call('GET', '/api/me')).status).toBe(200)
    expect((await browser.call('POST', '/api/auth/sign-out')).status).toBe(204)
    expect(browser.cookies.size).toBe(0)
  }
})

test('[D8.15] a writing request with a cookie must prove that it comes from the app’s own pages', async () => {
  const service = await start()
  const browser = await signUp(service)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const write = (headers: Record<string, string>) =>
    service.call('POST', '/api/entries', { json: content, headers: { cookie, ...headers } })
  const { url } = service
  const foreign: Record<string, string>[] = [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: '' },
    { origin: url.replace('localhost', 'localhost.evil.example') },
    { origin: `${url}1` },
    { origin: 'http://localhost' },
    { origin: url, 'sec-fetch-site': 'cross-site' },
    { origin: url, 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin, cross-site' },
    { referer: `${url}/` },
  ]
  for (const headers of foreign) {
    const { status, body } = await write(headers)
    expect(status, JSON.stringify(headers)).toBe(403)
    expect(body.code).toBe('forbidden')
  }
  // Without a host there is nothing that an origin could be the same as.
  const lines = [`cookie: ${cookie}`, 'origin: null', 'content-type: application/json', 'content-length: 2']
  const hostless = await sendBytes(url, ['POST /api/entries HTTP/1.0', ...lines, '', '{}'].join('\r\n'))
  expect(hostless).toContain('403 Forbidden')
  expect(await counterOf(browser.call)).toBe(0)
  for (const headers of [{ origin: url }, { 'sec-fetch-site': 'same-origin' }])
    expect((await write(headers)).status).toBe(201)
  // Reading changes nothing, and answers are no other page's to read.
  expect((await service.call('GET', '/api/entries', { headers: { cookie } })).status).toBe(200)
})

test('[D8.30] with a public URL, the origin must have its scheme, host and port, whatever `Host` says', async () => {
  for (const [publicUrl, others] of [
    ['https://saldo.example', ['http://saldo.example', 'https://saldo.example:8443', 'https://www.saldo.example']],
    ['http://saldo.example:8080', ['https://saldo.example:8080', 'http://saldo.example', 'http://saldo.example:80800']],
  ] as const) {
    const service = await start({ publicUrl })
    const browser = await signUp(service, 'anna@example.com')
    const write = (headers: Record<string, string>) => browser.call('POST', '/api/entries', { json: content, headers })
    for (const origin of [...others, service.url, 'null', '', `${publicUrl}.evil.example`]) {
      const { status, body } = await write({ origin })
      expect([status, body.code], origin).toEqual([403, 'forbidden'])
      expect(body.detail).toContain(publicUrl)
      expect((await write({ origin, 'sec-fetch-site': 'same-origin' })).status, origin).toBe(403)
      const json = { email: 'anna@example.com', password: PASSWORD }
      const headers = { origin }
      expect((await service.call('POST', '/api/auth/sign-in', { json, headers })).status, origin).toBe(403)
    }
    expect((await write({ origin: publicUrl })).status).toBe(201)
    expect((await write({ origin: publicUrl, 'sec-fetch-site': 'same-site' })).status).toBe(403)
  }
})

test('[D8.15] a writing request with a token needs no proof of origin', async () => {
  const service = await start()
  const { call } = await service.user()
  for (const headers of [{}, { origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    const sent = { json: content, headers: headers as Record<string, string> }
    expect((await call('POST', '/api/entries', sent)).status).toBe(201)
  }
})

test('[D8.15] pages of other origins cannot sign a browser in, up or out; programs without an origin can', async () => {
  const service = await start()
  const browser = await signUp(service, 'anna@example.com')
  const json = { email: 'anna@example.com', password: PASSWORD }
  for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
    const sent = { headers: headers as Record<string, string> }
    expect((await service.call('POST', '/api/auth/sign-in', { json, ...sent })).status).toBe(403)
    const other = { json: { ...json, email: 'eve@example.com', name: 'Eve' } }
    expect((await service.call('POST', '/api/auth/sign-up', { ...other, ...sent })).status).toBe(403)
    expect((await browser.call('POST', '/api/auth/sign-out', sent)).status).toBe(403)
  }
  expect((await browser.call('GET', '/api/me')).status).toBe(200)
  expect((await service.call('POST', '/api/auth/sign-in', { json })).status).toBe(200)
  expect((await openBrowser(service).call('POST', '/api/auth/sign-in', { json })).status).toBe(200)
})
