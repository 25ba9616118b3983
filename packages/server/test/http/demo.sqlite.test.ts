import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { addDays, type ClosedWeek, DEMO, type Entry, weekOf } from '@saldo/core'
import { expect, test } from 'vitest'
import { type Config, readConfig } from '../../src/env.ts'
import { systemRandom } from '../../src/system.ts'
import { serviceOfFile } from '../file-service.ts'
import { type Browser, openBrowser } from './browser.ts'

/** A Tuesday at half past ten in Berlin, when the person of the demo works. */
const NOW = '2026-11-24T09:30:00.000Z'
const config: Partial<Config> = { demo: true, failedSignIns: 2 }

const service = await serviceOfFile({ now: NOW, config })

const signIn = (browser: Browser, password: string = DEMO.password) =>
  browser.call('POST', '/api/auth/sign-in', { json: { email: DEMO.email, password } })

/** A visitor, with the export of the account as they see it. */
async function visitor() {
  const browser = openBrowser(service)
  const { status, body } = await signIn(browser)
  expect(status).toBe(200)
  const read = async () => (await browser.call('GET', '/api/me/export')).body.records
  return { browser, user: body.user_id as number, records: await read() }
}

test('[D23.1] a demo has an account with a known password in its own database, and nobody can sign up', async () => {
  expect((await service.call('GET', '/api/version')).body).toMatchObject({ demo: true, signup: 'closed' })
  expect(service.service.setupCode).toBeUndefined()
  const json = { email: 'ada@example.com', name: 'Ada', password: 'correct horse battery' }
  expect((await openBrowser(service).call('POST', '/api/auth/sign-up', { json })).status).toBe(403)
  await visitor()
  expect(existsSync(join(service.dataDir, 'demo.db'))).toBe(true)
  expect(existsSync(join(service.dataDir, 'saldo.db'))).toBe(false)
})

test('[D23.2] the account has a year of work up to now, absences, holidays, and closed weeks', async () => {
  const { browser, records } = await visitor()
  const entries = records.entries as Entry[]
  const kinds = Object.groupBy(entries, ({ kind }) => kind)
  expect(kinds.work?.length).toBeGreaterThan(500)
  for (const kind of ['break', 'vacation', 'sick', 'public_holiday', 'paid_other', 'time_off_in_lieu'] as const) {
    expect(kinds[kind], kind).not.toBeUndefined()
  }
  expect(entries.filter(({ ended_at }) => ended_at === null)).toHaveLength(1)
  expect([...(kinds.work ?? []), ...(kinds.break ?? [])].every(({ started_at }) => (started_at as string) <= NOW)).toBe(
    true,
  )
  expect(kinds.vacation?.some(({ date }) => (date as string) > NOW)).toBe(true)
  const weeks = records.closed_weeks as ClosedWeek[]
  expect(weeks.length).toBeGreaterThan(50)
  expect(
    weeks
      .map(({ week }) => week)
      .sort()
      .at(-1),
  ).toBe(weekOf(addDays('2026-11-24', -14)))
  // Nothing was recomputed: weeks are closed once all is there.
  expect(weeks.every(({ revision }) => revision === 1)).toBe(true)
  const { body } = await browser.call('GET', '/api/balance')
  expect(body.recomputing).toEqual([])
  expect(Math.abs(body.balance_ms)).toBeLessThan(40 * 3_600_000)
  expect((await browser.call('GET', '/api/account/vacation?year=2026')).body).not.toBeNull()
})

test('[D23.3] visitors change records, and nothing of the account', async () => {
  const { browser } = await visitor()
  const work = { kind: 'work', started_at: '2026-11-21T08:00:00.000Z', ended_at: '2026-11-21T09:00:00.000Z' }
  expect((await browser.call('POST', '/api/entries', { json: work })).status).toBe(201)
  const refused: [method: string, path: string, json?: object][] = [
    ['POST', '/api/me/password', { current_password: DEMO.password, new_password: 'another long password' }],
    ['POST', '/api/me/email', { email: 'mine@example.com', password: DEMO.password }],
    ['PATCH', '/api/me', { name: 'Somebody else' }],
    ['DELETE', '/api/me', { password: DEMO.password }],
    ['POST', '/api/me/tokens', { name: 'mine', password: DEMO.password }],
    ['POST', '/api/me/feeds', { name: 'mine', password: DEMO.password, absences: true, work: false, language: 'en' }],
    ['POST', '/api/webhooks', { url: 'https://example.com/', events: ['week.closed'], password: DEMO.password }],
    // The list has browsers of other visitors.
    ['GET', '/api/me/sessions'],
    ['POST', '/api/admin/user-search'],
  ]
  for (const [method, path, json] of refused) {
    const { status, body } = await browser.call(method, path, json && { json })
    expect([path, status, body.detail]).toEqual([path, 403, 'This is a demo: its account cannot be changed.'])
  }
  expect((await browser.call('POST', '/api/auth/sign-out')).status).toBe(204)
})

test('[D23.4] wrong passwords lock nobody out of a demo', async () => {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    expect((await signIn(openBrowser(service), 'not the password')).status).toBe(401)
  }
  await visitor()
})

test('[D23.5] a reset and a start replace the account with what visitors recorded, and end sessions', async () => {
  const before = await visitor()
  const work = { kind: 'work', started_at: '2026-11-22T08:00:00.000Z', ended_at: '2026-11-22T09:00:00.000Z' }
  const { id } = (await before.browser.call('POST', '/api/entries', { json: work })).body
  await service.service.resetDemo()
  expect((await before.browser.call('GET', '/api/me')).status).toBe(401)
  expect((await service.call('GET', `/api/auth/accounts/${before.user}`)).body).toEqual({ exists: false })
  const after = await visitor()
  expect(after.user).not.toBe(before.user)
  expect(after.records.entries.map((entry: Entry) => entry.id)).not.toContain(id)
  const deltas = ({ records }: Awaited<ReturnType<typeof visitor>>) =>
    Object.fromEntries(records.closed_weeks.map(({ week, delta_ms }: ClosedWeek) => [week, delta_ms]))
  expect(deltas(after)).toEqual(deltas(before))
  await service.restart()
  expect((await visitor()).user).not.toBe(after.user)
})

test('[D23.6] a reset that was cut off leaves the earlier account, and the next one removes what it left', async () => {
  const { user } = await visitor()
  const stores = await service.openBeside()
  const half = await stores.users.add({
    email: `${systemRandom.uuid()}@demo.invalid`,
    passwordHash: null,
    role: 'user',
    at: NOW,
  })
  expect(half.outcome).toBe('added')
  expect((await visitor()).user).toBe(user)
  await service.service.resetDemo()
  expect((await stores.users.list()).map(({ email }) => email)).toEqual([DEMO.email])
  await stores.close()
})

test('[D23.7] a demo does not start with PostgreSQL, mail or company sign-in', () => {
  const provider = { SALDO_OIDC_CLIENT_ID: 'saldo', SALDO_OIDC_CLIENT_SECRET: 'secret', SALDO_OIDC_LABEL: 'Example' }
  for (const [name, value] of [
    ['SALDO_DATABASE_URL', 'postgresql://localhost/saldo'],
    ['SALDO_SMTP_URL', 'smtp://localhost'],
    ['SALDO_OIDC_ISSUER', 'https://login.example'],
  ] as const) {
    const environment = { SALDO_DEMO: '1', [name]: value, ...(name === 'SALDO_OIDC_ISSUER' && provider) }
    expect(() => readConfig(environment)).toThrow(`SALDO_DEMO does not work with ${name}`)
  }
})
