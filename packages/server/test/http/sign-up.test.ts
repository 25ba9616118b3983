import { expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../src/env.ts'
import { startTestService, type TestService } from '../harness.ts'
import { quickHashing } from '../quick-hashing.ts'
import { openBrowser, PASSWORD, signUp as signUpInBrowser } from './browser.ts'

async function start(config: Partial<Config> = {}): Promise<TestService> {
  const service = await startTestService({ config })
  onTestFinished(() => service.close())
  return service
}

const signUp = (service: TestService, email: string, setup_code?: string) =>
  openBrowser(service).call('POST', '/api/auth/sign-up', {
    json: { email, name: 'Anna', password: PASSWORD, setup_code },
  })

const signupOf = async (service: TestService) => (await service.call('GET', '/api/version')).body.signup

test('[D8.20] the first user needs the set-up code, also on loopback; without it the answer is 403', async () => {
  const service = await start({ signup: 'first' })
  const code = service.service.setupCode ?? ''
  expect(code).toMatch(/^[\w-]{12,}$/)
  expect(await signupOf(service)).toBe('first_user')
  for (const wrong of [
    undefined,
    '',
    'x',
    `${code}x`,
    code.toUpperCase() === code ? code.toLowerCase() : code.toUpperCase(),
  ]) {
    const { status, body } = await signUp(service, 'anna@example.com', wrong)
    expect(status).toBe(403)
    expect(body.code).toBe('forbidden')
  }
  const { status, body } = await signUp(service, 'anna@example.com', code)
  expect(status).toBe(201)
  expect(body).toEqual({ user_id: expect.any(Number) })
  expect(await signupOf(service)).toBe('closed')
})

test('[D6.19] a service set up from scratch gives its first user a new number, which no old device has', async () => {
  const numbers: number[] = []
  for (let round = 0; round < 2; round += 1) {
    const service = await start({ signup: 'first' })
    numbers.push((await signUp(service, 'anna@example.com', service.service.setupCode)).body.user_id)
  }
  expect(numbers[0]).not.toBe(numbers[1])
})

test('[D8.21] a set-up code works once, and closes sign-up that is for the first user only', async () => {
  const service = await start({ signup: 'first' })
  const code = service.service.setupCode
  expect((await signUp(service, 'anna@example.com', code)).status).toBe(201)
  for (const again of [code, undefined]) expect((await signUp(service, 'ben@example.com', again)).status).toBe(403)
  await service.restart()
  expect(service.service.setupCode).toBeUndefined()
  expect((await signUp(service, 'ben@example.com', code)).status).toBe(403)
})

test('[D8.20] the set-up code stays the same until there is a user', async () => {
  const service = await start({ signup: 'first' })
  const code = service.service.setupCode
  await service.restart()
  expect(service.service.setupCode).toBe(code)
})

test('[D8.21] of two simultaneous first sign-ups, one becomes the first user', async () => {
  for (const signup of ['first', 'open'] as const) {
    const service = await start({ signup })
    const code = service.service.setupCode
    const answers = await Promise.all(
      ['anna', 'ben', 'cleo'].map((name) => signUp(service, `${name}@example.com`, code)),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses[0]).toBe(201)
    if (signup === 'first') expect(statuses).toEqual([201, 403, 403])
    const numbers = answers.flatMap(({ status, body }) => (status === 201 ? [body.user_id] : []))
    expect(new Set(numbers).size).toBe(numbers.length)
  }
})

test('[D8.21] open sign-up admits everybody after the first user; closed sign-up admits nobody', async () => {
  const open = await start({ signup: 'open' })
  expect(await signupOf(open)).toBe('first_user')
  expect((await signUp(open, 'anna@example.com')).status).toBe(403)
  expect((await signUp(open, 'anna@example.com', open.service.setupCode)).status).toBe(201)
  expect(await signupOf(open)).toBe('open')
  expect((await signUp(open, 'ben@example.com')).status).toBe(201)
  const taken = await signUp(open, ' BEN@Example.com ')
  expect([taken.status, taken.body.code]).toEqual([409, 'conflict'])

  const closed = await start({ signup: 'closed' })
  expect(closed.service.setupCode).toBeUndefined()
  expect(await signupOf(closed)).toBe('closed')
  expect((await signUp(closed, 'anna@example.com')).status).toBe(403)
})

test('[D8.21] open sign-up makes nobody an admin, also if the last user is deleted at that moment', async () => {
  let meanwhile = async () => {}
  const hashing = {
    ...quickHashing,
    async hash(password: string) {
      const hash = await quickHashing.hash(password)
      await meanwhile()
      return hash
    },
  }
  const service = await startTestService({ config: { signup: 'open' }, hashing })
  onTestFinished(() => service.close())
  const first = await signUpInBrowser(service, 'anna@example.com')
  meanwhile = async () => {
    meanwhile = async () => {}
    const etag = (await first.call('GET', '/api/me/export')).headers.get('etag') ?? ''
    const deleting = { json: { password: PASSWORD }, headers: { 'if-match': etag } }
    expect((await first.call('DELETE', '/api/me', deleting)).status).toBe(204)
  }
  const eve = openBrowser(service)
  const json = { email: 'eve@example.com', name: 'Eve', password: PASSWORD }
  expect((await eve.call('POST', '/api/auth/sign-up', { json })).status).toBe(201)
  expect((await eve.call('GET', '/api/me')).body.role).toBe('user')
})

test('[D8.6] an invalid e-mail address or new password is refused with a pointer', async () => {
  const service = await start()
  const good = { email: 'anna@example.com', name: 'Anna', password: PASSWORD, setup_code: service.service.setupCode }
  for (const [wrong, pointer] of [
    [{ email: 'anna' }, '/email'],
    [{ email: 'anna@example' }, '/email'],
    [{ email: `${'a'.repeat(250)}@example.com` }, '/email'],
    [{ email: 'anna@example.com\0' }, '/email'],
    [{ email: 'ann\ud800a@example.com' }, '/email'],
    [{ email: null }, '/email'],
    [{ name: ' ' }, '/name'],
    [{ name: 'two\nlines' }, '/name'],
    [{ password: 'too short' }, '/password'],
    [{ password: 'x'.repeat(129) }, '/password'],
    [{ password: 1_234_567_890 }, '/password'],
    [{ password: 'qwertyuiop' }, '/password'],
    [{ password: 'Password1234!' }, '/password'],
    [{ password: '1Saldo2026#' }, '/password'],
    [{ setup_code: 7 }, '/setup_code'],
  ] as const) {
    const { status, body } = await service.call('POST', '/api/auth/sign-up', { json: { ...good, ...wrong } })
    expect(status, JSON.stringify(wrong)).toBe(400)
    expect(body.errors[0].pointer).toBe(pointer)
  }
  expect((await service.call('POST', '/api/auth/sign-up', { json: good })).status).toBe(201)
})

test('[D8.38] addresses have one form; letters that fold to ASCII are refused wherever one is given', async () => {
  const service = await start()
  expect((await signUp(service, ' Kim@Example.com ', service.service.setupCode)).status).toBe(201)
  for (const same of ['kim@example.com', 'KIM@EXAMPLE.COM']) expect((await signUp(service, same)).status).toBe(409)
  const browser = openBrowser(service)
  const json = { email: 'KIM@example.com', password: PASSWORD }
  expect((await browser.call('POST', '/api/auth/sign-in', { json })).status).toBe(200)
  // The Kelvin sign and the long s fold to "k" and "s", the last ones look like ASCII.
  for (const email of ['\u212Aim@example.com', 'a@\u017Fix.example', 'a@ex\u0430mple.com', '\uFF4Bim@example.com']) {
    const asked: [string, object][] = [
      ['/api/auth/sign-up', { email, name: 'Kim', password: PASSWORD }],
      ['/api/auth/sign-in', { email, password: PASSWORD }],
      ['/api/auth/forgotten-password', { email }],
      ['/api/me/email', { email, password: PASSWORD }],
      ['/api/admin/users', { email, name: 'Kim', password: PASSWORD }],
    ]
    for (const [path, body] of asked) {
      const answer = await browser.call('POST', path, { json: body })
      expect([email, path, answer.status, answer.body.errors[0].pointer]).toEqual([email, path, 400, '/email'])
    }
  }
})
