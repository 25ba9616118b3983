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

/** The random part of a secret, behind the number of its user. */
const randomPartOf = (secret: string) => secret.replace(/^(saldo_)?\d+_/, '')

/** The bits of chance in a text of random characters, of an alphabet of so many. */
const bitsOf = (text: string, alphabet: number) => Math.floor(text.length * Math.log2(alphabet))

test('[D8.23] tokens, sessions and set-up codes have at least 128 random bits and differ', async () => {
  const made = []
  for (let n = 0; n < 5; n += 1) {
    made.push((await browser.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })).body.token)
  }
  expect(new Set(made).size).toBe(5)
  for (const token of made) {
    expect(token).toMatch(/^saldo_\d+_[\w-]+$/)
    expect(bitsOf(randomPartOf(token), 64)).toBeGreaterThanOrEqual(256)
  }
  expect(cookie.secret).toMatch(/^\d+_[\w-]+$/)
  expect(bitsOf(randomPartOf(cookie.secret), 64)).toBeGreaterThanOrEqual(256)
  expect(setupCode).toMatch(/^[\w-]+$/)
  expect(bitsOf(setupCode, 64)).toBeGreaterThanOrEqual(128)
  // Nowhere does one begin like another, as a clock or a counter in them would have it.
  expect(new Set(made.map((token) => randomPartOf(token).slice(0, 6))).size).toBe(5)
})

test('[D8.23] [D19.11] the database holds no usable token, link, password or session', async () => {
  const { token } = (await browser.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })).body
  const json = { email: 'grace@example.com', name: 'Grace', password: PASSWORD }
  const { link } = (await browser.call('POST', '/api/admin/users', { json })).body
  const [path, secretOfLink] = link.path.split('#')
  expect(path).toBe('/link')
  expect(bitsOf(randomPartOf(secretOfLink), 64)).toBeGreaterThanOrEqual(256)
  await service.restart()
  const stored = readFileSync(databaseFile({ dataDir: service.dataDir })).toString('latin1')
  expect(stored).toContain('anna@example.com')
  const authSecret = readFileSync(join(service.dataDir, 'auth-secret'), 'utf8')
  const given = [token, secretOfLink, cookie.secret]
  for (const secret of [...given, ...given.map(randomPartOf), PASSWORD, authSecret]) {
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

test('[D8.47] a secret with the number of another user, or a malformed one, is unknown', async () => {
  const { token } = (await browser.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })).body
  const wanted = { name: 'Own', password: PASSWORD, absences: true, work: false, language: 'en' }
  const { path } = (await browser.call('POST', '/api/me/feeds', { json: wanted })).body
  const json = { email: 'ida@example.com', name: 'Ida', password: PASSWORD }
  const { link } = (await browser.call('POST', '/api/admin/users', { json })).body
  const secretOfLink = link.path.split('#')[1]
  const { user_id: own } = (await browser.call('GET', '/api/me')).body
  const { user_id: other } = (await (await signUp(service)).call('GET', '/api/me')).body
  const [, invited] = /^(\d+)_/.exec(secretOfLink) ?? []

  /** Returns the status that each kind of secret gets with another text in place of its number. */
  const openedWith = async (replaced: (number: string) => string) => {
    const numbered = (secret: string, number: string) => secret.replace(`${number}_`, replaced(number))
    const headers = { cookie: `${cookie.name}=${numbered(cookie.secret, `${own}`)}` }
    const secret = numbered(secretOfLink, `${invited}`)
    const answers = [
      await service.call('GET', '/api/me', { token: numbered(token, `${own}`) }),
      await service.call('GET', '/api/me', { headers }),
      await service.call('GET', numbered(path, `${own}`)),
      await service.call('POST', '/api/auth/link', { json: { secret } }),
      await service.call('POST', '/api/auth/link/password', { json: { secret, password: PASSWORD } }),
    ]
    return answers.map(({ status }) => status)
  }
  const unknown = await openedWith(() => '1_')
  expect(unknown).toEqual([401, 401, 404, 404, 404])
  const wrong = [
    '',
    '_',
    '0_',
    '-1_',
    '1e3_',
    '99999999999999999999_',
    `${own}_${own}_`,
    `${other}_`,
    `0${own}_`,
    `0${invited}_`,
  ]
  for (const text of wrong) expect(await openedWith(() => text), text).toEqual(unknown)
  expect(await openedWith((number) => `${number}_`)).toEqual([200, 200, 200, 200, 204])
})
