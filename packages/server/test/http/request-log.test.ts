import { createHmac } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { ClosedError, UnavailableError } from '../../src/errors.ts'
import { problemFor } from '../../src/http/problem.ts'
import { FailureLog } from '../../src/log.ts'
import { startTestService, type TestServiceOptions } from '../harness.ts'
import { ManualClock } from '../manual-clock.ts'
import { PASSWORD, signUp } from './browser.ts'
import { SoftAuthenticator } from './passkey-authenticator.ts'
import { create, newId, resourceOf } from './resources.ts'

const entries = resourceOf('entries')
const SECRET = 'a secret of some forty characters at least'

async function logging(config: TestServiceOptions['config'] = {}) {
  const service = await startTestService({ config: { authSecret: SECRET, ...config } })
  onTestFinished(() => service.close())
  /** The lines of requests, as they are written. */
  const requests = () =>
    service.log.filter(({ message }) => message === 'request').map(({ fields }) => JSON.parse(JSON.stringify(fields)))
  return { service, requests }
}

test('[D1.23] a request that outlives the database when the service stops is 503, and no error in the log', () => {
  const levels: string[] = []
  const note = (level: string) => () => void levels.push(level)
  const log = { error: note('error'), warn: note('warn'), info: note('info'), debug: note('debug') }
  const error = new ClosedError()
  new FailureLog(log, new ManualClock('2026-11-21T12:00:00.000Z')).log(error, {}, 'request failed')
  expect(levels).toEqual(['info'])
  expect(problemFor(error)?.code).toBe('unavailable')
})

test('[D1.23] during an outage, one failure a minute is logged, with the number of those that were not', () => {
  const lines: object[] = []
  const clock = new ManualClock('2026-11-21T12:00:00.000Z')
  const note = (fields: object) => void lines.push(fields)
  const failures = new FailureLog({ error: note, warn: note, info: note, debug: note }, clock)
  const failAfter = (ms: number) => {
    clock.advance(ms)
    const before = lines.length
    failures.log(new UnavailableError('unavailable', { cause: new Error('down') }), { where: 'here' }, 'request failed')
    return lines.slice(before)
  }
  const logged = (suppressed: number) => [{ where: 'here', suppressed, err: expect.any(UnavailableError) }]
  expect([failAfter(0), failAfter(30_000), failAfter(29_999)]).toEqual([logged(0), [], []])
  expect([failAfter(1), failAfter(60_000)]).toEqual([logged(2), logged(0)])
  // The clock was set back.
  expect([failAfter(-59_999), failAfter(-1)]).toEqual([[], logged(1)])
  failures.log(new Error('a defect'), {}, 'request failed')
  expect(lines.at(-1)).toEqual({ err: expect.any(Error) })
})

test('each request has a line, with its id, its route without ids, and a keyed hash for its user', async () => {
  const { service, requests } = await logging()
  const { call, user } = await service.user()
  const { id } = await create(call, entries, entries.content)
  const answer = await call('GET', `/api/entries/${id}?x=1`)
  const name = createHmac('sha256', SECRET).update(`user ${user}`).digest('hex').slice(0, 12)
  expect(requests().at(-1)).toEqual({
    request_id: answer.headers.get('x-request-id'),
    method: 'GET',
    route: '/api/entries/{id}',
    user: name,
    status: 200,
    duration_ms: expect.any(Number),
  })
  await call('GET', '/api/version')
  expect(requests().at(-1)).not.toHaveProperty('user')
  await call('GET', `/api/${id}`, { skipContractCheck: true })
  expect(requests().at(-1).route).toBe('none')
  const text = JSON.stringify(requests())
  for (const secret of [id, String(user)]) expect(text).not.toContain(secret)
})

test('requests that may be attacks are logged at info, all others at debug', async () => {
  const service = await startTestService({ config: { authSecret: SECRET, failedSignIns: 1 } })
  onTestFinished(() => service.close())
  const json = { email: 'nobody@example.com', password: PASSWORD }
  const headers = { origin: 'https://elsewhere.example' }
  const requests = [
    await service.call('GET', '/api/me'),
    await service.call('POST', '/api/auth/sign-in', { json, headers }),
    await service.call('POST', '/api/auth/sign-in', { json }),
    await service.call('POST', '/api/auth/sign-in', { json }),
    await service.call('GET', '/api/version'),
    await service.call('GET', '/api/nothing', { skipContractCheck: true }),
  ]
  expect(requests.map(({ status }) => status)).toEqual([401, 403, 401, 429, 200, 404])
  const levels = service.log.flatMap(({ level, message }) => (message === 'request' ? [level] : []))
  // The first request reads the document of the API.
  expect(levels.slice(-requests.length)).toEqual(['info', 'info', 'info', 'info', 'debug', 'debug'])
})

test('a failed request names its user by hash too', async () => {
  const { service } = await logging()
  const { call, user } = await service.user()
  const beside = await service.openBeside()
  await beside.driver.write((sql) => sql.script('ALTER TABLE records RENAME TO gone'))
  await beside.close()
  const answer = await call('GET', '/api/entries')
  expect(answer.status).toBe(500)
  const line = service.log.find(({ message }) => message === 'request failed')
  const { err, ...fields } = JSON.parse(JSON.stringify(line?.fields))
  expect(fields).toEqual({
    request_id: answer.headers.get('x-request-id'),
    route: '/api/entries',
    user: expect.stringMatching(/^[0-9a-f]{12}$/),
  })
  expect(fields.user).not.toContain(String(user))
})

test('a well-formed request id of a trusted proxy is taken over; any other is not', async () => {
  const own = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  const trusting = await logging({ trustedProxies: 1 })
  const ask = async ({ service }: typeof trusting, id: string) =>
    (await service.call('GET', '/api/version', { headers: { 'x-request-id': id } })).headers.get('x-request-id')
  for (const id of [newId(), '4bf92f3577b34da6a3ce929d0e0e4736', 'lb-1:00.af_3']) {
    expect(await ask(trusting, id)).toBe(id)
    expect(trusting.requests().at(-1).request_id).toBe(id)
  }
  for (const id of ['', 'short', 'x'.repeat(129), 'with a space', 'quote"quote', 'ada@example.com', 'a,b,c,d,e,f']) {
    expect(await ask(trusting, id), id).toMatch(own)
  }
  expect(await ask(await logging(), 'f'.repeat(32))).toMatch(own)
})

test('[D8.24] the log names users by hash when they sign in, sign up or change credentials', async () => {
  const { service } = await logging({ signup: 'open' })
  const browser = await signUp(service, 'anna@example.com')
  const json = { email: 'anna@example.com', password: PASSWORD }
  await browser.call('POST', '/api/auth/sign-in', { json })
  await browser.call('POST', '/api/auth/sign-in', { json: { ...json, password: 'not the password' } })
  const change = { current_password: PASSWORD, new_password: 'battery staple horse' }
  await browser.call('POST', '/api/me/password', { json: change })
  const key = new SoftAuthenticator()
  const origin = { origin: service.url }
  const made = await browser.call('POST', '/api/me/passkey-options', { json: { password: change.new_password } })
  const passkey = { name: 'Anna’s key ring', credential: key.create(made.body, origin) }
  await browser.call('POST', '/api/me/passkeys', { json: passkey })
  const asked = await browser.call('POST', '/api/auth/passkey/options')
  const signed = { json: { credential: key.get(asked.body, origin) } }
  for (const _ of ['right', 'replayed']) await browser.call('POST', '/api/auth/passkey', signed)
  await service.call('GET', '/api/entries')
  const told = service.log.filter(({ level, fields }) => level === 'info' && !('from' in fields))
  const lines = told.map(({ message, fields }) => ({ message, ...JSON.parse(JSON.stringify(fields)) }))
  const user = expect.stringMatching(/^[0-9a-f]{12}$/)
  expect(lines).toEqual([
    { message: 'user signed up', user, first: true },
    { message: 'user signed in', user, factors: 1 },
    { message: 'sign-in refused', reason: 'refused' },
    expect.objectContaining({ message: 'request', route: '/api/auth/sign-in', status: 401 }),
    { message: 'user changed their password', user },
    { message: 'user added a passkey', user },
    { message: 'user signed in', user, factors: 2, passkey: true },
    { message: 'sign-in refused', reason: 'wrong_passkey' },
    expect.objectContaining({ message: 'request', route: '/api/auth/passkey', status: 401 }),
    expect.objectContaining({ message: 'request', route: '/api/entries', status: 401 }),
  ])
  expect(JSON.stringify(lines)).not.toMatch(/anna/i)
})
