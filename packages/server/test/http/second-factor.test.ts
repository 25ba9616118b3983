import type { UserNumber } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../src/env.ts'
import { systemRandom } from '../../src/system.ts'
import type { Identity } from '../../src/users/identification.ts'
import { SecondFactor } from '../../src/users/second-factor.ts'
import { startTestService, type TestService } from '../harness.ts'
import { codeAt, enrol, SECOND_FACTOR, wrongCodeAt } from './authenticator.ts'
import { type Browser, openBrowser, PASSWORD, signUp } from './browser.ts'

const EMAIL = 'anna@example.com'

async function start(config: Partial<Config> = {}): Promise<TestService> {
  // Sessions live by the computer's clock.
  const service = await startTestService({ now: new Date().toISOString(), config: { failedSignIns: 50, ...config } })
  onTestFinished(() => service.close())
  return service
}

/** A sign-in with the right password. */
const signIn = (service: TestService, code?: string, password = PASSWORD) =>
  openBrowser(service).call('POST', '/api/auth/sign-in', { json: { email: EMAIL, password, code } })

const statusOf = async (service: TestService, code?: string) => {
  const { status, body } = await signIn(service, code)
  if (status !== 200) expect([status, body.code]).toEqual([403, 'second_factor_required'])
  return status
}

test('the codes of these tests are those of RFC 6238', () => {
  const key = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  const vectors = [
    [59_000, '287082'],
    [1_111_111_109_000, '081804'],
    [1_234_567_890_000, '005924'],
    [20_000_000_000_000, '353130'],
  ] as const
  for (const [ms, code] of vectors) expect(codeAt(key, ms)).toBe(code)
})

test('[D8.7] codes are required once a first one was confirmed, and not before', async () => {
  const service = await start()
  const browser = await signUp(service, EMAIL)
  expect((await browser.call('GET', SECOND_FACTOR)).body).toEqual({ since: null, recovery_codes_left: 0 })
  const wrong = await browser.call('POST', SECOND_FACTOR, { json: { password: 'not the password' } })
  expect([wrong.status, wrong.body.code]).toEqual([403, 'forbidden'])
  const early = await browser.call('POST', `${SECOND_FACTOR}/confirmation`, { json: { code: '000000' } })
  expect(early.status).toBe(403)

  const abandoned = (await browser.call('POST', SECOND_FACTOR, { json: { password: PASSWORD } })).body
  expect(await statusOf(service)).toBe(200)
  // A key that is not confirmed has no recovery codes, and is nothing to turn off.
  for (const [method, path] of [
    ['POST', `${SECOND_FACTOR}/recovery-codes`],
    ['DELETE', SECOND_FACTOR],
  ] as const) {
    expect((await browser.call(method, path, { json: { password: PASSWORD } })).status, method).toBe(404)
    expect((await browser.call('GET', SECOND_FACTOR)).body).toEqual({ since: null, recovery_codes_left: 0 })
  }
  const { key, uri, recoveryCodes } = await enrol(service, browser)
  expect(key).not.toBe(abandoned.key)
  expect(key).toMatch(/^[A-Z2-7]{32}$/)
  expect(uri).toBe(`otpauth://totp/Saldo:anna%40example.com?secret=${key}&issuer=Saldo&digits=6&period=30`)
  expect(recoveryCodes).toHaveLength(8)
  expect(new Set(recoveryCodes).size).toBe(8)
  for (const code of recoveryCodes) expect(code).toMatch(/^([A-Z2-7]{4}-){6}[A-Z2-7]{2}$/)
  const { since, recovery_codes_left } = (await browser.call('GET', SECOND_FACTOR)).body
  expect(Math.abs(Date.parse(since) - service.clock.now())).toBeLessThan(1_000)
  expect(recovery_codes_left).toBe(8)
  expect(await statusOf(service)).toBe(403)
  const again = await browser.call('POST', SECOND_FACTOR, { json: { password: PASSWORD } })
  expect([again.status, again.body.code]).toEqual([409, 'conflict'])
})

test.each<[string, (service: TestService, owner: Browser) => Promise<unknown> | undefined]>([
  ['16 minutes later', (service) => void service.clock.advance(16 * 60_000)],
  ['in another session of its user', () => Promise.resolve()],
  [
    'after a new password',
    (_, owner) =>
      owner.call('POST', '/api/me/password', {
        json: { current_password: PASSWORD, new_password: 'another long one' },
      }),
  ],
])('[D8.18] a key that a session began with proof turns nothing on %s', async (name, happen) => {
  const service = await start()
  const owner = await signUp(service, EMAIL)
  const other = openBrowser(service)
  await other.call('POST', '/api/auth/sign-in', { json: { email: EMAIL, password: PASSWORD } })
  const { key } = (await other.call('POST', SECOND_FACTOR, { json: { password: PASSWORD } })).body
  await happen(service, owner)
  const confirming = name.startsWith('16') ? other : owner
  const json = { code: codeAt(key, service.clock.now()) }
  const { status, body } = await confirming.call('POST', `${SECOND_FACTOR}/confirmation`, { json })
  expect([status, body.code]).toEqual([409, 'conflict'])
  expect((await owner.call('GET', SECOND_FACTOR)).body.since).toBeNull()
})

test('[D8.7] [D8.17] [D19.5] the password alone ends no session and does not seem to be the user', async () => {
  const service = await start()
  const { key } = await enrol(service, await signUp(service, EMAIL))
  const { driver, close } = await service.openBeside()
  onTestFinished(close)
  const seen = () => driver.all('SELECT last_active_at, (SELECT MAX(id) FROM sessions) AS session FROM users')
  const before = await seen()
  service.clock.advance(3_600_000)
  expect(await statusOf(service)).toBe(403)
  const wrong = await signIn(service, wrongCodeAt(key, service.clock.now()))
  expect(wrong.status).toBe(403)
  expect(await seen()).toEqual(before)
})

const inSession = (user: UserNumber): Identity => ({ user, by: { kind: 'session', id: 1 }, setCookies: [] })

/** A user whose codes are asked for, without the passwords, whose hashing takes its time. */
async function withCodes(service: TestService) {
  const { driver, close } = await service.openBeside()
  onTestFinished(close)
  const { user } = await service.user()
  const sealedBy = (secret: string) =>
    new SecondFactor({ driver, clock: service.clock, random: systemRandom, secret: secret.repeat(40) })
  const factor = sealedBy('s')
  const { key = '' } = (await factor.begin(inSession(user), EMAIL)) ?? {}
  const code = (steps = 0) => codeAt(key, service.clock.now() + steps * 30_000)
  const confirmed = await factor.confirm(inSession(user), code())
  const recoveryCodes = confirmed.outcome === 'confirmed' ? confirmed.codes : []
  const checkBy = async (one: SecondFactor, given: string) => one.check(user, await one.keyInForce(user), given)
  const checkAfterLoss = (given: string) => checkBy(sealedBy('t'), given)
  return { user, factor, code, recoveryCodes, check: (given: string) => checkBy(factor, given), checkAfterLoss }
}

test('[D8.8] each code signs in once, within one step; wrong, older, used and future codes do not', async () => {
  const service = await start()
  const { code, check } = await withCodes(service)
  // It confirmed the key, and so was used.
  expect(await check(code())).toBe('wrong_code')
  service.clock.advance(90_000)
  // Until no step has, by chance, the code of another.
  while (new Set([-2, -1, 0, 1, 2].map(code)).size < 5) service.clock.advance(30_000)
  for (const wrong of ['', '12345', '1234567', code(-2), code(2), 'AAAA-AAAA-AAAA-AAAA-AAAA-AAAA-AA']) {
    expect(await check(wrong), wrong).toBe('wrong_code')
  }
  expect(await check(code(-1))).toBe('enough')
  expect(await check(` ${code().slice(0, 3)} ${code().slice(3)} `)).toBe('enough')
  expect(await check(code())).toBe('wrong_code')
  expect(await check(code(1))).toBe('enough')
  // A later one was taken.
  expect(await check(code(-1))).toBe('wrong_code')
})

test('[D8.7] [D8.8] codes of one user are none of another, and using or removing them leaves those', async () => {
  const service = await start()
  const [one, other] = [await withCodes(service), await withCodes(service)]
  service.clock.advance(60_000)
  expect(await one.check(other.recoveryCodes[0] ?? '')).toBe('wrong_code')
  expect(await one.check(one.code())).toBe('enough')
  expect(await other.check(other.code())).toBe('enough')
  expect(await one.check(one.recoveryCodes[0] ?? '')).toBe('enough')
  expect(await one.check(one.recoveryCodes[1] ?? '')).toBe('enough')
  expect((await one.factor.store.state(one.user)).recovery_codes_left).toBe(6)
  expect(await one.factor.renewRecoveryCodes(one.user)).toHaveLength(8)
  expect(await one.factor.store.remove(one.user)).toBe(true)
  expect(await one.factor.store.state(one.user)).toEqual({ since: null, recovery_codes_left: 0 })
  expect(await other.factor.store.state(other.user)).toEqual({ since: expect.any(String), recovery_codes_left: 8 })
  expect(await other.check(other.recoveryCodes[0] ?? '')).toBe('enough')
})

test('[D8.23] without the secret that seals keys, only recovery codes work', async () => {
  const service = await start()
  const { code, recoveryCodes, checkAfterLoss } = await withCodes(service)
  service.clock.advance(90_000)
  expect(await checkAfterLoss(code())).toBe('wrong_code')
  expect(await checkAfterLoss(recoveryCodes[0] ?? '')).toBe('enough')
})

test('[D8.8] of two simultaneous sign-ins with one code, one succeeds', async () => {
  const service = await start()
  const { code, recoveryCodes, check } = await withCodes(service)
  service.clock.advance(60_000)
  for (const one of [code(), recoveryCodes[0] ?? '']) {
    const outcomes = await Promise.all([1, 2, 3].map(() => check(one)))
    expect(outcomes.sort()).toEqual(['enough', 'wrong_code', 'wrong_code'])
  }
})

test('[D8.7] simultaneous enrolments leave one key and its recovery codes', async () => {
  const service = await start()
  const { driver, close } = await service.openBeside()
  onTestFinished(close)
  const { user } = await service.user()
  const factor = new SecondFactor({ driver, clock: service.clock, random: systemRandom, secret: 's'.repeat(40) })
  const enrolments = Array.from({ length: 4 }, async () => {
    const begun = await factor.begin(inSession(user), EMAIL)
    return begun && factor.confirm(inSession(user), codeAt(begun.key, service.clock.now()))
  })
  await Promise.all(enrolments)
  expect(await driver.all('SELECT 1 FROM second_factors WHERE user_id = $1', [user])).toHaveLength(1)
  const { since, recovery_codes_left } = await factor.store.state(user)
  expect(recovery_codes_left).toBe(since === null ? 0 : 8)
  expect(await factor.begin(inSession(user), EMAIL)).toEqual(since === null ? expect.anything() : undefined)
})

test('[D8.7] turning the second factor off while its recovery codes are renewed leaves no code', async () => {
  const service = await start()
  const { driver, close } = await service.openBeside()
  onTestFinished(close)
  const { user } = await service.user()
  const factor = new SecondFactor({ driver, clock: service.clock, random: systemRandom, secret: 's'.repeat(40) })
  for (let round = 0; round < 5; round += 1) {
    const { key = '' } = (await factor.begin(inSession(user), EMAIL)) ?? {}
    const confirmed = await factor.confirm(inSession(user), codeAt(key, service.clock.now()))
    expect(confirmed).toMatchObject({ outcome: 'confirmed', codes: { length: 8 } })
    const renewals = Array.from({ length: 4 }, () => factor.renewRecoveryCodes(user))
    const removal = factor.store.remove(user)
    await Promise.all([...renewals, removal])
    expect(await factor.store.state(user)).toEqual({ since: null, recovery_codes_left: 0 })
    expect(await factor.renewRecoveryCodes(user)).toBeUndefined()
    expect(await factor.store.remove(user)).toBe(false)
  }
})

test('[D8.8] a recovery code signs in once, in any spelling; new codes replace the old ones', async () => {
  const service = await start()
  const browser = await signUp(service, EMAIL)
  const { recoveryCodes } = await enrol(service, browser)
  const [first = '', second = ''] = recoveryCodes
  expect(await statusOf(service, first.toLowerCase().replaceAll('-', ' '))).toBe(200)
  expect(await statusOf(service, first)).toBe(403)
  expect((await browser.call('GET', SECOND_FACTOR)).body.recovery_codes_left).toBe(7)

  const renew = (password: string) => browser.call('POST', `${SECOND_FACTOR}/recovery-codes`, { json: { password } })
  expect((await renew('not the password')).status).toBe(403)
  const { recovery_codes } = (await renew(PASSWORD)).body
  expect(recovery_codes).toHaveLength(8)
  expect(await statusOf(service, second)).toBe(403)
  expect(await statusOf(service, recovery_codes[7])).toBe(200)
})

test('[D8.7] a wrong password does not reveal whether there is a second factor', async () => {
  const service = await start()
  const { code } = await enrol(service, await signUp(service, EMAIL))
  service.clock.advance(60_000)
  for (const sent of [undefined, code(), '000000']) {
    const { status, body } = await signIn(service, sent, 'not the password')
    expect([status, body.code]).toEqual([401, 'invalid_credentials'])
  }
  // Nor was the code taken from its owner by that.
  expect(await statusOf(service, code())).toBe(200)
})

test('[D8.7] without a code no session begins, and no cookie is set', async () => {
  const service = await start()
  const browser = await signUp(service, EMAIL)
  const { key } = await enrol(service, browser)
  for (const code of [undefined, wrongCodeAt(key, service.clock.now())]) {
    expect((await signIn(service, code)).headers.getSetCookie()).toEqual([])
  }
  expect((await browser.call('GET', '/api/me/sessions')).body.items).toHaveLength(1)
})

test('[D8.19] repeated wrong codes end at 429, even for the right code', async () => {
  const service = await start({ failedSignIns: 2 })
  const { key, code } = await enrol(service, await signUp(service, EMAIL))
  service.clock.advance(60_000)
  const guess = wrongCodeAt(key, service.clock.now())
  for (let n = 0; n < 2; n += 1) expect(await statusOf(service, guess)).toBe(403)
  expect((await signIn(service, code())).status).toBe(429)
})

test('[D8.18] turning a second factor on or off ends all other sessions and leaves tokens', async () => {
  const service = await start()
  const browser = await signUp(service, EMAIL)
  const { token } = (await browser.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })).body
  const other = openBrowser(service)
  const json = { email: EMAIL, password: PASSWORD }
  await other.call('POST', '/api/auth/sign-in', { json })
  const { code } = await enrol(service, browser)
  expect((await other.call('GET', '/api/me')).status).toBe(401)
  service.clock.advance(60_000)
  await other.call('POST', '/api/auth/sign-in', { json: { ...json, code: code() } })
  expect((await other.call('GET', '/api/me')).status).toBe(200)

  const off = (password: string) => browser.call('DELETE', SECOND_FACTOR, { json: { password } })
  expect((await off('not the password')).status).toBe(403)
  expect((await off(PASSWORD)).status).toBe(204)
  expect((await other.call('GET', '/api/me')).status).toBe(401)
  expect((await browser.call('GET', '/api/me')).status).toBe(200)
  expect((await service.call('GET', '/api/me', { token })).status).toBe(200)
  expect(await statusOf(service)).toBe(200)
  expect((await off(PASSWORD)).status).toBe(404)
  expect((await browser.call('POST', `${SECOND_FACTOR}/recovery-codes`, { json: { password: PASSWORD } })).status).toBe(
    404,
  )
})

test('[D8.23] a new password keeps the second factor; its keys are not readable in the database', async () => {
  const service = await start()
  const browser = await signUp(service, EMAIL)
  const { key, code, recoveryCodes } = await enrol(service, browser)
  const new_password = 'battery staple horse'
  const change = await browser.call('POST', '/api/me/password', {
    json: { current_password: PASSWORD, new_password },
  })
  expect(change.status).toBe(204)
  expect((await signIn(service, undefined, new_password)).body.code).toBe('second_factor_required')
  service.clock.advance(60_000)
  expect((await signIn(service, code(), new_password)).status).toBe(200)

  const { driver, close } = await service.openBeside()
  const keys = await driver.all('SELECT * FROM second_factors')
  const rows = JSON.stringify([keys, await driver.all('SELECT * FROM recovery_codes')])
  await close()
  for (const secret of [key, ...recoveryCodes, ...recoveryCodes.map((one) => one.replaceAll('-', ''))]) {
    expect(rows).not.toContain(secret)
  }
  expect(keys).toHaveLength(1)
})
