import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { DAY_MS, instantOf, type UserNumber } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import { serviceOfFile } from '../file-service.ts'
import { startTestService } from '../harness.ts'
import { PASSWORD, signUp } from './browser.ts'
import { newId, resourceOf } from './resources.ts'

const service = await serviceOfFile({ now: new Date().toISOString() })
const browser = await signUp(service)

const make = async (name: string) =>
  (await browser.call('POST', '/api/me/tokens', { json: { name, password: PASSWORD } })).body
const list = async () => (await browser.call('GET', '/api/me/tokens')).body.items

test('[D8.11] a token has a name, is shown once, works as a bearer token, and can be revoked', async () => {
  const made = await browser.call('POST', '/api/me/tokens', { json: { name: 'cron 🕰', password: PASSWORD } })
  expect(made.status).toBe(201)
  expect(made.body.token).toMatch(/^saldo_\d+_[\w-]{43}$/)
  const { token, ...listed } = made.body
  expect(await list()).toEqual([listed])
  const { token: _secret, ...spare } = await make('spare')
  expect((await service.call('GET', '/api/me', { token })).body).toEqual((await browser.call('GET', '/api/me')).body)
  expect((await service.call('GET', '/api/me', { headers: { authorization: `bearer ${token}` } })).status).toBe(200)

  const stranger = await signUp(service)
  expect((await stranger.call('DELETE', `/api/me/tokens/${listed.id}`)).status).toBe(404)
  expect((await service.call('GET', '/api/me', { token })).status).toBe(200)
  expect((await browser.call('DELETE', `/api/me/tokens/${listed.id}`)).status).toBe(204)
  expect((await service.call('GET', '/api/me', { token })).status).toBe(401)
  expect((await browser.call('DELETE', `/api/me/tokens/${listed.id}`)).status).toBe(404)
  // Neither the use of a token nor its revocation shows at another one.
  expect(await list()).toEqual([spare])
})

test('[D8.31] creating a token needs the password again, and too many wrong ones are 429', async () => {
  const one = await startTestService({ now: new Date().toISOString(), config: { failedSignIns: 3 } })
  onTestFinished(() => one.close())
  const { call } = await signUp(one)
  const creating = (password?: unknown) => call('POST', '/api/me/tokens', { json: { name: 'cron', password } })
  expect((await creating()).status).toBe(400)
  expect((await creating(null)).status).toBe(400)
  for (const wrong of ['', 'not my password', PASSWORD.toUpperCase()]) {
    const { status, body } = await creating(wrong)
    expect([status, body.code]).toEqual([403, 'forbidden'])
  }
  expect((await creating(PASSWORD)).status).toBe(429)
  expect((await call('GET', '/api/me/tokens')).body.items).toEqual([])
})

test('[D8.11] the time of a token’s last use is listed, to a quarter of an hour', async () => {
  const { id, token } = await make('backup')
  const lastUse = async () => (await list()).find((one: { id: string }) => one.id === id).last_used_at
  const now = () => new Date(service.clock.now()).toISOString()
  const use = () => service.call('GET', '/api/sync/pull', { token })
  expect(await lastUse()).toBeNull()
  const first = now()
  await use()
  expect(await lastUse()).toBe(first)
  service.clock.advance(15 * 60_000 - 1)
  await use()
  expect(await lastUse()).toBe(first)
  service.clock.advance(1)
  expect(await lastUse()).toBe(first)
  await use()
  expect(await lastUse()).toBe(now())
  // The service's clock was wrong, and is set right.
  service.clock.advance(-86_400_000)
  await use()
  expect(await lastUse()).toBe(now())
  service.clock.advance(86_400_000 - 15 * 60_000)
})

test('[D8.4] an unknown or malformed token is unauthenticated', async () => {
  const { token } = await make('x')
  for (const authorization of [
    'Bearer',
    'Bearer ',
    'Bearer x',
    `Bearer ${token}x`,
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token} ${token}`,
    `Basic ${token}`,
    `Basic ${Buffer.from(`x:${token}`).toString('base64')}`,
    token,
    `Bearer ${token.toUpperCase()}`,
    `Bearer ${'x'.repeat(8_000)}`,
  ]) {
    const { status, headers, body } = await service.call('GET', '/api/me', { headers: { authorization } })
    expect(status, authorization.slice(0, 80)).toBe(401)
    expect(body.code).toBe('unauthenticated')
    expect(headers.get('www-authenticate')).toBe('Bearer')
  }
  expect((await service.call('GET', '/api/me')).status).toBe(401)
})

test('[D8.13] a token cannot manage the account', async () => {
  const { token } = await make('program')
  for (const [method, path, json] of [
    ['GET', '/api/me/tokens'],
    ['POST', '/api/me/tokens', { name: 'more' }],
    ['DELETE', `/api/me/tokens/${newId()}`],
    ['GET', '/api/me/sessions'],
    ['DELETE', '/api/me/sessions/1'],
    ['POST', '/api/me/password', { current_password: 'x', new_password: 'yyyyyyyyyyyy' }],
    ['DELETE', '/api/me', { password: 'x' }],
    ['POST', '/api/auth/sign-out'],
  ] as const) {
    const { status, body } = await service.call(method, path, { token, json })
    expect(status, `${method} ${path}`).toBe(403)
    expect(body.code).toBe('forbidden')
  }
})

test('[D8.11] a token’s name is 1 to 100 characters of text that can be kept', async () => {
  for (const name of ['', 'x'.repeat(101), 5, null, 'a\ud800', 'a\0']) {
    const { status, body } = await browser.call('POST', '/api/me/tokens', { json: { name, password: PASSWORD } })
    expect(status, JSON.stringify(name)).toBe(400)
    expect(body.errors[0].pointer).toBe('/name')
  }
  const made = await make('🙂'.repeat(100))
  expect((await list()).map(({ name }: { name: string }) => name)).toContain(made.name)
})

const pull = (token: string, query = '?since=0') => service.call('GET', `/api/sync/pull${query}`, { token })
const push = (token: string, changes: readonly unknown[]) =>
  service.call('POST', '/api/sync/push', { token, json: { changes } })
const AT = '2026-01-01T00:00:00.000Z'
const SETTINGS = resourceOf('settings_history').content
const entry = (): object => ({
  kind: 'entries',
  op: 'upsert',
  record: { ...resourceOf('entries').content, id: newId(), updated_at: '2026-01-01T00:00:00.000Z' },
})

test('[D21.2] with the scope `record`, a push changes entries, and changes of other kinds are rejected', async () => {
  const { token } = await service.user('recording@example.com', { scope: 'record' })
  const settings = { ...entry(), kind: 'settings_history', record: { id: newId(), updated_at: AT, ...SETTINGS } }
  const deletion = { kind: 'balance_adjustments', op: 'delete', id: newId(), updated_at: AT }
  const { status, body } = await push(token, [settings, entry(), deletion])
  expect(status).toBe(200)
  expect(body.results).toMatchObject([
    { kind: 'settings_history', status: 'rejected', problem: { code: 'forbidden', status: 403 } },
    { kind: 'entries', status: 'applied', version: 1 },
    { kind: 'balance_adjustments', status: 'rejected', problem: { code: 'forbidden' } },
  ])
  expect(body.version).toBe(1)
})

test('[D21.4] a token can expire: it is listed with its end, and is unauthenticated from then on', async () => {
  const now = service.clock.now()
  const json = { name: 'for a week', password: PASSWORD, scope: 'read', expires_at: instantOf(now + 7 * DAY_MS) }
  const made = await browser.call('POST', '/api/me/tokens', { json })
  expect([made.status, made.body.scope, made.body.expires_at]).toEqual([201, 'read', json.expires_at])
  const { token, ...listed } = made.body
  const ask = async () => (await service.call('GET', '/api/me', { token })).status
  service.clock.advance(7 * DAY_MS - 1)
  expect(await ask()).toBe(200)
  const last_used_at = instantOf(service.clock.now())
  service.clock.advance(1)
  expect(await ask()).toBe(401)
  expect(await list()).toContainEqual({ ...listed, last_used_at })
  service.clock.advance(-7 * DAY_MS)
  for (const expires_at of [instantOf(now), '2020-01-01T00:00:00Z', 'tomorrow', 5]) {
    const { status, body } = await browser.call('POST', '/api/me/tokens', { json: { ...json, expires_at } })
    expect([status, body.errors[0].pointer], String(expires_at)).toEqual([400, '/expires_at'])
  }
  const wrong = await browser.call('POST', '/api/me/tokens', { json: { ...json, scope: 'admin' } })
  expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([400, '/scope'])
  const plain = await make('plain')
  expect([plain.scope, plain.expires_at]).toEqual(['full', null])
})

test('[D8.12] a revoked token is refused at the next request, whatever it asks', async () => {
  const one = await signUp(service)
  const revoked = async () => {
    const { id, token } = (await one.call('POST', '/api/me/tokens', { json: { name: 'sync', password: PASSWORD } }))
      .body
    expect((await push(token, [entry()])).body.results[0].status).toBe('applied')
    expect((await pull(token)).status).toBe(200)
    await one.call('DELETE', `/api/me/tokens/${id}`)
    return token as string
  }
  const before = async () => (await one.call('GET', '/api/sync/pull?since=0')).body.version
  for (const ask of [
    (token: string) => pull(token),
    (token: string) => pull(token, ''),
    (token: string) => pull(token, '?since=x'),
    (token: string) => pull(token, '?limit=0'),
    (token: string) => push(token, [entry()]),
    (token: string) => push(token, []),
    (token: string) => push(token, [{ kind: 'entries', op: 'upsert', record: {} }]),
    (token: string) => push(token, Array(501).fill(entry())),
    (token: string) => service.call('POST', '/api/sync/push', { token, json: 'nothing' }),
    (token: string) => service.call('POST', '/api/sync/push', { token, raw: '{' }),
  ]) {
    const token = await revoked()
    const version = await before()
    for (const answer of [await ask(token), await ask(token)]) {
      expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated'])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
    expect(await before()).toBe(version)
  }
})

test('[D6.18] a request with a token is refused if `Saldo-User` names another user', async () => {
  const { token } = await make('own')
  for (const user of ['1', 'x']) {
    const headers = { 'saldo-user': user }
    expect((await service.call('GET', '/api/sync/pull?since=0', { token })).status).toBe(200)
    expect((await service.call('GET', '/api/sync/pull?since=0', { token, headers })).status).toBe(401)
    expect((await service.call('POST', '/api/sync/push', { token, headers, json: { changes: [] } })).status).toBe(401)
  }
})

test('[D8.12] a push is refused if its token is revoked while the body is on its way', async () => {
  const { id, token } = await make('slow sync')
  await pull(token)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', expect: '100-continue' }
  const slow = request(`${service.url}/api/sync/push`, { method: 'POST', headers, agent: false })
  slow.flushHeaders()
  await once(slow, 'continue')
  expect((await browser.call('DELETE', `/api/me/tokens/${id}`)).status).toBe(204)
  slow.end(JSON.stringify({ changes: [entry()] }))
  const [answer] = await once(slow, 'response')
  answer.resume()
  expect(answer.statusCode).toBe(401)
  expect((await browser.call('GET', '/api/entries')).body.items).toEqual([])
})

test('[D8.12] a REST write is refused if its token is revoked while the body is on its way', async () => {
  const { id, token } = await make('slow')
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', expect: '100-continue' }
  const slow = request(`${service.url}/api/entries`, { method: 'POST', headers, agent: false })
  slow.flushHeaders()
  await once(slow, 'continue')
  // By then the service knows whose request it is.
  await list()
  expect((await browser.call('DELETE', `/api/me/tokens/${id}`)).status).toBe(204)
  slow.end(JSON.stringify(resourceOf('entries').content))
  const [answer] = await once(slow, 'response')
  answer.resume()
  expect(answer.statusCode).toBe(401)
  expect((await browser.call('GET', '/api/entries')).body.items).toEqual([])
})

test('[D8.46] a user makes at most 50 tokens, 50 feeds and 50 passkeys', async () => {
  const one = await startTestService()
  onTestFinished(() => one.close())
  const { call } = await signUp(one)
  const { user_id } = (await call('GET', '/api/me')).body
  const proof = { password: PASSWORD }
  const makers = {
    tokens: () => call('POST', '/api/me/tokens', { json: { name: 'cron', ...proof } }),
    calendar_feeds: () =>
      call('POST', '/api/me/feeds', { json: { name: 'x', absences: true, work: true, language: 'en', ...proof } }),
    passkeys: () => call('POST', '/api/me/passkey-options', { json: proof }),
  }
  const { driver, close } = await one.openBeside()
  onTestFinished(close)
  const at = '2026-11-21T12:00:00.000Z'
  const values = (n: number) => [user_id as UserNumber, randomUUID(), `key ${n}`, at, `secret ${n}`] as const
  for (let n = 0; n < 49; n += 1) {
    const known = 'user_id, id, name, created_at'
    await driver.run(`INSERT INTO tokens (${known}, hash, scope) VALUES ($1, $2, $3, $4, $5, 'full')`, values(n))
    await driver.run(
      `INSERT INTO calendar_feeds (${known}, hash, absences, work, language) VALUES ($1, $2, $3, $4, $5, 1, 1, 'en')`,
      values(n),
    )
    await driver.run(
      `INSERT INTO passkeys (${known}, credential_id, public_key, counter) VALUES ($1, $2, $3, $4, $5, 'none', 0)`,
      values(n),
    )
  }
  for (const make of Object.values(makers)) expect((await make()).status).toBeLessThan(300)
  await driver.run(
    `INSERT INTO passkeys (user_id, id, name, created_at, credential_id, public_key, counter)
     VALUES ($1, $2, $3, $4, $5, 'none', 0)`,
    values(49),
  )
  for (const make of Object.values(makers)) {
    const { status, body } = await make()
    expect([status, body.code]).toEqual([409, 'conflict'])
  }
})
