import { expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../src/env.ts'
import { startTestService, type TestService } from '../harness.ts'
import { codeAt } from './authenticator.ts'
import { type Browser, openBrowser, PASSWORD, signUp } from './browser.ts'
import { type Answering, SoftAuthenticator } from './passkey-authenticator.ts'
import { rawRequest } from './raw-http.ts'

const EMAIL = 'anna@example.com'
const PATH = '/api/me/passkeys'

async function start(config: Partial<Config> = {}): Promise<TestService> {
  // Sessions live by the computer's clock.
  const service = await startTestService({ now: new Date().toISOString(), config: { failedSignIns: 50, ...config } })
  onTestFinished(() => service.close())
  return service
}

const askToMake = (browser: Browser, password = PASSWORD) =>
  browser.call('POST', '/api/me/passkey-options', { json: { password } })

/** Adds a passkey as a person with an authenticator does; what is given is wrong about it. */
async function add(service: TestService, browser: Browser, key: SoftAuthenticator, wrong: Partial<Answering> = {}) {
  const options = (await askToMake(browser)).body
  const credential = key.create(options, { origin: service.url, ...wrong })
  return browser.call('POST', PATH, { json: { name: 'Telephone', credential } })
}

const askToSignIn = async (browser: Browser) => (await browser.call('POST', '/api/auth/passkey/options')).body

async function signIn(service: TestService, key: SoftAuthenticator, wrong: Partial<Answering> = {}) {
  const browser = openBrowser(service)
  const options = await askToSignIn(browser)
  const credential = key.get(options, { origin: service.url, ...wrong })
  const answer = await browser.call('POST', '/api/auth/passkey', { json: { credential } })
  if (answer.status !== 200) expect([answer.status, answer.body.code]).toEqual([401, 'invalid_credentials'])
  return { ...answer, browser, credential }
}

test('[D8.9] a passkey is added with the password, signs in, and is listed, renamed and removed', async () => {
  const service = await start()
  const browser = await signUp(service, EMAIL)
  const key = new SoftAuthenticator()
  expect((await browser.call('GET', PATH)).body.items).toEqual([])
  expect((await askToMake(browser, 'not the password')).status).toBe(403)
  const asked = (await askToMake(browser)).body
  expect(asked).toMatchObject({
    rp: { id: 'localhost' },
    user: { name: EMAIL },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
    excludeCredentials: [],
  })
  // Nothing that is in an authenticator says who its owner is, but what they see themselves.
  expect(Buffer.from(asked.user.id, 'base64url').toString()).not.toContain('anna')
  const added = await add(service, browser, key)
  expect([added.status, added.body]).toMatchObject([201, { name: 'Telephone', last_used_at: null }])
  expect((await askToMake(browser)).body.excludeCredentials).toEqual([{ id: key.id, type: 'public-key' }])
  const spareKey = new SoftAuthenticator()
  const spare = (await add(service, browser, spareKey)).body

  const { status, browser: other } = await signIn(service, key)
  expect(status).toBe(200)
  expect((await other.call('GET', '/api/me')).body.email).toBe(EMAIL)
  const list = async () => (await browser.call('GET', PATH)).body.items as { id: string }[]
  const listed = (await list()).find(({ id }) => id === added.body.id)
  expect(listed).toEqual({ ...added.body, last_used_at: expect.stringMatching(/^\d{4}-/) })

  const address = `${PATH}/${added.body.id}`
  const renamed = await browser.call('PUT', address, { json: { name: 'Key ring' } })
  expect([renamed.status, renamed.body]).toEqual([200, { ...listed, name: 'Key ring' }])
  const remove = (password: string) => browser.call('DELETE', address, { json: { password } })
  expect((await remove('not the password')).status).toBe(403)
  expect((await remove(PASSWORD)).status).toBe(204)
  expect((await remove(PASSWORD)).status).toBe(404)
  expect((await browser.call('PUT', address, { json: { name: 'x' } })).status).toBe(404)
  // Neither the use of a passkey nor its new name nor its removal shows at another one.
  expect(await list()).toEqual([spare])
  // Another session may have started with this passkey.
  expect((await other.call('GET', '/api/me')).status).toBe(401)
  expect((await browser.call('GET', '/api/me')).status).toBe(200)
  expect((await signIn(service, key)).status).toBe(401)
  expect((await signIn(service, spareKey)).status).toBe(200)
  const password = await openBrowser(service).call('POST', '/api/auth/sign-in', {
    json: { email: EMAIL, password: PASSWORD },
  })
  expect(password.status).toBe(200)
})

test('[D8.9] signing in with a passkey needs no code and ends the previous session', async () => {
  const service = await start()
  const browser = await signUp(service, EMAIL)
  const begun = (await browser.call('POST', '/api/me/second-factor', { json: { password: PASSWORD } })).body
  const code = codeAt(begun.key, service.clock.now())
  await browser.call('POST', '/api/me/second-factor/confirmation', { json: { code } })
  const key = new SoftAuthenticator()
  await add(service, browser, key)

  const held = openBrowser(service)
  const again = async () => {
    const credential = key.get(await askToSignIn(held), { origin: service.url })
    return held.call('POST', '/api/auth/passkey', { json: { credential } })
  }
  expect((await again()).status).toBe(200)
  const sessions = (await browser.call('GET', '/api/me/sessions')).body.items.length
  expect((await again()).status).toBe(200)
  expect((await browser.call('GET', '/api/me/sessions')).body.items).toHaveLength(sessions)
})

test('[D8.31] a passkey of the user creates a token without the password, once for each challenge', async () => {
  const service = await start({ failedSignIns: 6 })
  const browser = await signUp(service, EMAIL)
  const key = new SoftAuthenticator()
  await add(service, browser, key)
  const stranger = await signUp(service, 'ben@example.com')
  const ofStranger = new SoftAuthenticator()
  await add(service, stranger, ofStranger)
  const answerOf = async (of: SoftAuthenticator, wrong: Partial<Answering> = {}) =>
    of.get(await askToSignIn(browser), { origin: service.url, ...wrong })
  const create = async (credential: object) => {
    const { status, body } = await browser.call('POST', '/api/me/tokens', { json: { name: 'cron', credential } })
    return status === 201 ? (body.token as string) : [status, body.code]
  }

  const credential = await answerOf(key)
  const token = (await create(credential)) as string
  expect((await service.call('GET', '/api/me', { token })).body.email).toBe(EMAIL)
  const refused = [403, 'forbidden']
  expect(await create(credential)).toEqual(refused)
  expect(await create(await answerOf(ofStranger))).toEqual(refused)
  expect(await create(await answerOf(key, { origin: 'https://evil.example' }))).toEqual(refused)
  const late = await answerOf(key)
  service.clock.advance(5 * 60_000 + 1)
  expect(await create(late)).toEqual(refused)
  // Failures count with wrong passwords.
  for (let n = 0; n < 2; n += 1) expect(await create(late)).toEqual(refused)
  expect(await create(await answerOf(key))).toEqual([429, 'rate_limited'])
  expect((await browser.call('GET', '/api/me/tokens')).body.items).toHaveLength(1)
  expect((await stranger.call('GET', '/api/me/tokens')).body.items).toEqual([])
})

test('[D8.10] a passkey response signs in once, within five minutes, and only for its own challenge', async () => {
  const service = await start()
  const browser = await signUp(service, EMAIL)
  const key = new SoftAuthenticator()
  await add(service, browser, key)
  const { credential } = await signIn(service, key)
  const replay = await openBrowser(service).call('POST', '/api/auth/passkey', { json: { credential } })
  expect(replay.status).toBe(401)

  const options = await askToSignIn(browser)
  service.clock.advance(5 * 60_000)
  const late = { credential: key.get(options, { origin: service.url }) }
  expect((await browser.call('POST', '/api/auth/passkey', { json: late })).status).toBe(401)

  // A challenge to make a passkey is none to sign in with, nor is one that the service has not made.
  const { challenge } = (await askToMake(browser)).body
  expect((await signIn(service, key, { challenge })).status).toBe(401)
  expect((await signIn(service, key, { challenge: 'A'.repeat(43) })).status).toBe(401)
  // One that came back wrong is spent, too.
  const spent = await askToSignIn(browser)
  for (const origin of ['https://saldo.evil.example', service.url]) {
    const json = { credential: key.get(spent, { origin }) }
    expect((await browser.call('POST', '/api/auth/passkey', { json })).status).toBe(401)
  }
  const { driver, close } = await service.openBeside()
  service.clock.advance(5 * 60_000)
  await askToSignIn(browser)
  expect(await driver.all('SELECT challenge FROM challenges')).toHaveLength(1)
  await close()
})

test('[D8.10] of two simultaneous responses to one challenge, one signs in', async () => {
  const service = await start()
  const key = new SoftAuthenticator()
  await add(service, await signUp(service, EMAIL), key)
  const options = await askToSignIn(openBrowser(service))
  const answers = await Promise.all(
    [1, 2, 3].map(() => {
      const credential = key.get(options, { origin: service.url })
      return openBrowser(service).call('POST', '/api/auth/passkey', { json: { credential } })
    }),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
})

test('[D8.10] forged passkey responses do not sign in: other origin, key or user, unverified, copied', async () => {
  const service = await start()
  const browser = await signUp(service, EMAIL)
  const [key, stranger, others] = [new SoftAuthenticator(), new SoftAuthenticator(), new SoftAuthenticator()]
  await add(service, browser, key)
  await add(service, await signUp(service), others)
  const { host } = new URL(service.url)
  const hostile: Partial<Answering>[] = [
    { origin: 'https://saldo.evil.example' },
    { origin: `https://${host}` },
    { origin: `${service.url}.evil.example` },
    { origin: 'http://localhost:1' },
    { rpId: 'evil.example' },
    { type: 'webauthn.create' },
    { isVerified: false },
    { signer: stranger },
    { signer: others },
    { userHandle: others.userHandle },
    { userHandle: Buffer.from('1 ').toString('base64url') },
  ]
  for (const wrong of hostile) expect((await signIn(service, key, wrong)).status, JSON.stringify(wrong)).toBe(401)
  expect((await signIn(service, stranger, { userHandle: key.userHandle })).status).toBe(401)

  // Some authenticators count. One that is behind has a copy somewhere, and neither can be told from the other.
  expect((await signIn(service, key, { counter: 1_000 })).status).toBe(200)
  for (const counter of [1_000, 999, 1, 0]) expect((await signIn(service, key, { counter })).status).toBe(401)
  const reasons = service.log.flatMap(({ fields }) => ('reason' in fields ? [fields.reason] : []))
  expect(reasons.slice(-4)).toEqual(Array(4).fill('copied_passkey'))
  expect((await signIn(service, key, { counter: 1_001 })).status).toBe(200)
  // Others always say 0.
  for (const counter of [0, 0]) expect((await signIn(service, others, { counter })).status).toBe(200)
})

test('[D8.10] forged registrations add no passkey: replayed, other origin or user, unverified', async () => {
  const service = await start()
  const browser = await signUp(service, EMAIL)
  const hostile: Partial<Answering>[] = [
    { origin: 'https://saldo.evil.example' },
    { rpId: 'evil.example' },
    { type: 'webauthn.get' },
    { isVerified: false },
    { challenge: 'A'.repeat(43) },
    // The library would look at certificates, and ask their issuers about them.
    ...['packed', 'apple', 'android-key', 'tpm', 'fido-u2f'].map((format) => ({ format })),
  ]
  for (const wrong of hostile) {
    const { status } = await add(service, browser, new SoftAuthenticator(), wrong)
    expect(status, JSON.stringify(wrong)).toBe(403)
  }
  const other = await signUp(service)
  const key = new SoftAuthenticator()
  const asked = (await askToMake(browser)).body
  const json = { name: 'Key', credential: key.create(asked, { origin: service.url }) }
  expect((await other.call('POST', PATH, { json })).status).toBe(403)
  expect((await browser.call('POST', PATH, { json })).status).toBe(201)
  expect((await browser.call('POST', PATH, { json })).status).toBe(403)
  expect((await add(service, other, key)).status).toBe(409)
  const late = (await askToMake(browser)).body
  service.clock.advance(5 * 60_000)
  const tooLate = { name: 'Key', credential: new SoftAuthenticator().create(late, { origin: service.url }) }
  expect((await browser.call('POST', PATH, { json: tooLate })).status).toBe(403)
  // A program's token makes none.
  const { token } = (await browser.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })).body
  const byToken = await service.call('POST', '/api/me/passkey-options', { token, json: { password: PASSWORD } })
  expect(byToken.status).toBe(403)
})

test('[D8.1] a passkey works for its own user only and is deleted with the account', async () => {
  const service = await start()
  // The first user is an admin, whom the other one cannot do without.
  const [other, browser] = [await signUp(service), await signUp(service, EMAIL)]
  const key = new SoftAuthenticator()
  const { id } = (await add(service, browser, key)).body
  expect((await other.call('GET', PATH)).body.items).toEqual([])
  expect((await other.call('PUT', `${PATH}/${id}`, { json: { name: 'mine' } })).status).toBe(404)
  expect((await other.call('DELETE', `${PATH}/${id}`, { json: { password: PASSWORD } })).status).toBe(404)

  const etag = (await browser.call('GET', '/api/me/export')).headers.get('etag') ?? ''
  const gone = await browser.call('DELETE', '/api/me', { json: { password: PASSWORD }, headers: { 'if-match': etag } })
  expect(gone.status).toBe(204)
  expect((await signIn(service, key)).status).toBe(401)
  const { driver, close } = await service.openBeside()
  expect(await driver.all('SELECT id FROM passkeys')).toEqual([])
  await close()
})

test('[D8.10] passkeys need a public URL with a host name, and belong to its name and origin', async () => {
  const service = await start({ publicUrl: 'https://saldo.example' })
  const browser = await signUp(service, EMAIL)
  const key = new SoftAuthenticator()
  expect((await add(service, browser, key)).status).toBe(403)
  expect((await add(service, browser, key, { origin: 'https://saldo.example' })).status).toBe(201)
  expect((await signIn(service, key, { origin: 'https://saldo.example' })).status).toBe(200)
  expect((await signIn(service, key)).status).toBe(401)

  for (const publicUrl of ['https://192.0.2.1', 'https://[2001:db8::1]']) {
    const numbered = await start({ publicUrl })
    expect((await openBrowser(numbered).call('POST', '/api/auth/passkey/options')).status).toBe(409)
  }
  // Without a public URL, the host of a request is believed only if it is this computer.
  const { url } = await start()
  for (const [host, status] of [
    ['localhost', 200],
    ['localhost:7253', 200],
    ['127.0.0.1', 409],
    ['localhost.evil.example', 409],
    ['evil.example', 409],
    ['evil-localhost', 409],
    ['localhost:7253@evil.example', 409],
  ] as const) {
    const asked = await rawRequest(url, '/api/auth/passkey/options', { method: 'POST', headers: { host } })
    expect(asked.status, host).toBe(status)
  }
})

test('[D8.10] each new challenge removes those that have expired', async () => {
  const service = await start()
  const { driver, close } = await service.openBeside()
  onTestFinished(close)
  const count = async () => (await driver.all('SELECT challenge FROM challenges')).length
  const ask = () => service.call('POST', '/api/auth/passkey/options')
  for (let n = 0; n < 3; n += 1) await ask()
  expect(await count()).toBe(3)
  service.clock.advance(5 * 60_000)
  await ask()
  expect(await count()).toBe(1)
})

test('[D8.19] other origins get no challenge, and an address gets 100 in a quarter of an hour', async () => {
  const service = await start()
  const elsewhere = { headers: { origin: 'https://evil.example' } }
  expect((await service.call('POST', '/api/auth/passkey/options', elsewhere)).status).toBe(403)
  const statuses = await Promise.all(
    Array.from({ length: 101 }, async () => (await service.call('POST', '/api/auth/passkey/options')).status),
  )
  expect(statuses.filter((status) => status === 429)).toHaveLength(1)
})
