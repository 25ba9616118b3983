import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { databaseFile } from '../../src/service.ts'
import { scryptHashing } from '../../src/users/password-hashing.ts'
import { serviceOfFile } from '../file-service.ts'
import { PASSWORD, signUp } from '../http/browser.ts'

const service = await serviceOfFile({ now: new Date().toISOString(), hashing: scryptHashing })
const setupCode = service.service.setupCode ?? ''
const browser = await signUp(service, 'anna@example.com')
const [[name, secret] = ['', '']] = browser.cookies
const cookie = { name, secret }

/** The bits of chance in a text of random characters, of an alphabet of so many. */
const bitsOf = (text: string, alphabet: number) => Math.floor(text.length * Math.log2(alphabet))

test('[D8.23] tokens, sessions and set-up codes have at least 128 random bits and differ', async () => {
  const made = []
  for (let n = 0; n < 5; n += 1) {
    made.push((await browser.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })).body.token)
  }
  expect(new Set(made).size).toBe(5)
  for (const token of made) {
    expect(token).toMatch(/^saldo_[\w-]+$/)
    expect(bitsOf(token.slice('saldo_'.length), 64)).toBeGreaterThanOrEqual(256)
  }
  expect(cookie.secret).toMatch(/^[\w-]+$/)
  expect(bitsOf(cookie.secret, 64)).toBeGreaterThanOrEqual(256)
  expect(setupCode).toMatch(/^[\w-]+$/)
  expect(bitsOf(setupCode, 64)).toBeGreaterThanOrEqual(128)
  // Nowhere does one begin like another, as a clock or a counter in them would have it.
  expect(new Set(made.map((token) => token.slice(0, 12))).size).toBe(5)
})

test('[D8.23] [D19.11] the database holds no usable token, link, password or session', async () => {
  const { token } = (await browser.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })).body
  const json = { email: 'grace@example.com', name: 'Grace', password: PASSWORD }
  const { link } = (await browser.call('POST', '/api/admin/users', { json })).body
  const [path, secretOfLink] = link.path.split('#')
  expect(path).toBe('/link')
  expect(bitsOf(secretOfLink, 64)).toBeGreaterThanOrEqual(256)
  await service.restart()
  const stored = readFileSync(databaseFile({ dataDir: service.dataDir })).toString('latin1')
  expect(stored).toContain('anna@example.com')
  const authSecret = readFileSync(join(service.dataDir, 'auth-secret'), 'utf8')
  for (const secret of [token, token.slice('saldo_'.length), secretOfLink, PASSWORD, cookie.secret, authSecret]) {
    expect(stored).not.toContain(secret)
  }
  const { driver, close } = await service.openBeside()
  const hashes = await driver.all<{ hash: string }>('SELECT hash FROM sessions UNION SELECT hash FROM tokens')
  await close()
  for (const { hash } of hashes) {
    const headers = { cookie: `${cookie.name}=${hash}` }
    expect((await service.call('GET', '/api/me', { headers })).status).toBe(401)
    expect((await service.call('GET', '/api/me', { token: hash })).status).toBe(401)
  }
  const headers = { cookie: `${cookie.name}=${cookie.secret}` }
  expect((await service.call('GET', '/api/me', { headers })).status).toBe(200)
})

test('[D8.4] a token that differs in one character is unauthenticated', async () => {
  const { token } = (await browser.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })).body
  const replaced = (text: string, at: number) => text.slice(0, at) + (text[at] === 'a' ? 'b' : 'a') + text.slice(at + 1)
  for (let at = 0; at < token.length; at += 1) {
    expect((await service.call('GET', '/api/me', { token: replaced(token, at) })).status, `${at}`).toBe(401)
  }
  expect((await service.call('GET', '/api/me', { token })).status).toBe(200)
})
