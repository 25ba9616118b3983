import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseFile } from '../../src/service.ts'
import { startTestService, type TestService } from '../harness.ts'
import { type Browser, PASSWORD, signUp } from '../http/browser.ts'

let service: TestService
let setupCode: string
let browser: Browser
let cookie: { name: string; token: string; signature: string }
beforeAll(async () => {
  service = await startTestService({ now: new Date().toISOString() })
  setupCode = service.service.setupCode ?? ''
  browser = await signUp(service, 'anna@example.com')
  const [[name, value] = ['', '']] = browser.cookies
  const [token = '', signature = ''] = decodeURIComponent(value).split('.')
  cookie = { name, token, signature }
})
afterAll(() => service.close())

/** The bits of chance in a text of random characters, of an alphabet of so many. */
const bitsOf = (text: string, alphabet: number) => Math.floor(text.length * Math.log2(alphabet))

test('[D8.23] tokens, sessions and set-up codes have at least 128 random bits and differ', async () => {
  const made = []
  for (let n = 0; n < 20; n += 1) {
    made.push((await browser.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })).body.token)
  }
  expect(new Set(made).size).toBe(20)
  for (const token of made) {
    expect(token).toMatch(/^saldo_[\w-]+$/)
    expect(bitsOf(token.slice('saldo_'.length), 64)).toBeGreaterThanOrEqual(256)
  }
  expect(cookie.token).toMatch(/^[A-Za-z0-9]+$/)
  expect(bitsOf(cookie.token, 62)).toBeGreaterThanOrEqual(128)
  expect(setupCode).toMatch(/^[\w-]+$/)
  expect(bitsOf(setupCode, 64)).toBeGreaterThanOrEqual(128)
  // Nowhere does one begin like another, as a clock or a counter in them would have it.
  expect(new Set(made.map((token) => token.slice(0, 12))).size).toBe(20)
})

test('[D8.23] the database holds no usable token, password or signed session', async () => {
  const { token } = (await browser.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })).body
  await service.restart()
  const stored = readFileSync(databaseFile({ dataDir: service.dataDir })).toString('latin1')
  expect(stored).toContain('anna@example.com')
  for (const secret of [token, token.slice('saldo_'.length), PASSWORD, cookie.signature]) {
    expect(stored).not.toContain(secret)
  }
  // The stored part of a session is useless without the secret, which is not in the database.
  expect(stored).toContain(cookie.token)
  const sent = (signature: string) => ({
    headers: { cookie: `${cookie.name}=${encodeURIComponent(`${cookie.token}.${signature}`)}` },
  })
  const secret = readFileSync(join(service.dataDir, 'auth-secret'), 'utf8')
  const signedWith = (key: string) => createHmac('sha256', key).update(cookie.token).digest('base64')
  expect(stored).not.toContain(secret)
  for (const guess of ['', signedWith(''), signedWith('better-auth-secret-12345678901234567890')]) {
    expect((await service.call('GET', '/api/me', sent(guess))).status).toBe(401)
  }
  expect((await service.call('GET', '/api/me', sent(signedWith(secret)))).status).toBe(200)
})

test('[D8.4] a token that differs in one character is unauthenticated', async () => {
  const { token } = (await browser.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })).body
  const replaced = (text: string, at: number) => text.slice(0, at) + (text[at] === 'a' ? 'b' : 'a') + text.slice(at + 1)
  for (let at = 0; at < token.length; at += 1) {
    expect((await service.call('GET', '/api/me', { token: replaced(token, at) })).status, `${at}`).toBe(401)
  }
  expect((await service.call('GET', '/api/me', { token })).status).toBe(200)
})
