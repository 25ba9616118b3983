import { DAY_MS } from '@saldo/core'
import { expect, inject, onTestFinished, test } from 'vitest'
import { startTestService, type TestService } from '../harness.ts'
import { codeAt } from './authenticator.ts'
import { type Browser, PASSWORD, signUp } from './browser.ts'
import { SoftAuthenticator } from './passkey-authenticator.ts'
import { create, resources } from './resources.ts'

const NOW = '2026-11-23T12:00:00.000Z'
/** Stands in everything that the erased user wrote. */
const MARKER = 'Kellerschlüssel'

async function start(): Promise<{ service: TestService; admin: Browser }> {
  const service = await startTestService({ now: NOW })
  onTestFinished(() => service.close())
  return { service, admin: await signUp(service, 'ada@example.com') }
}

/** A user with something in every table that has anything of users. */
async function userWithEverything(service: TestService, admin: Browser) {
  const email = `${MARKER.toLowerCase().replace('ü', 'u')}@example.com`
  const browser = await signUp(service, email)
  const { user_id: id } = (await browser.call('GET', '/api/me')).body
  const preferences = { language: 'de', durations: 'clock', hours: 'h12' }
  await browser.call('PATCH', '/api/me', { json: { name: MARKER, employer: MARKER, preferences } })
  for (const resource of resources) {
    const word = resource.kind === 'balance_adjustments' ? 'reason' : 'note'
    // Auto-close leaves a job.
    const automatic = resource.kind === 'settings_history' && { auto_close: { day_after_ms: 0, week_after_days: 3 } }
    await create(browser.call, resource, { ...resource.content, ...automatic, [word]: MARKER })
    const gone = await create(browser.call, resource, { ...resource.other, [word]: MARKER })
    await browser.call('DELETE', `${resource.path}/${gone.id}`)
  }
  await browser.call('POST', '/api/closed-weeks', { json: { week: '2026-W45' } })
  const password = PASSWORD
  await browser.call('POST', '/api/me/tokens', { json: { name: MARKER, password } })
  const feed = { name: MARKER, absences: true, work: true, language: 'en', password }
  await browser.call('POST', '/api/me/feeds', { json: feed })
  const webhook = { url: `https://localhost/${MARKER}`, events: ['absence.created'], password }
  const { body } = await browser.call('POST', '/api/webhooks', { json: webhook })
  await browser.call('POST', `/api/webhooks/${body.id}/test`)
  const key = new SoftAuthenticator()
  const options = (await browser.call('POST', '/api/me/passkey-options', { json: { password } })).body
  const credential = key.create(options, { origin: service.url })
  expect((await browser.call('POST', '/api/me/passkeys', { json: { name: MARKER, credential } })).status).toBe(201)
  const factor = '/api/me/second-factor'
  const secret = (await browser.call('POST', factor, { json: { password } })).body.key
  const code = codeAt(secret, service.clock.now())
  expect((await browser.call('POST', `${factor}/confirmation`, { json: { code } })).status).toBe(200)
  expect((await admin.call('POST', `/api/admin/users/${id}/link`, { json: { password: PASSWORD } })).status).toBe(201)
  // A challenge that nobody answers.
  await browser.call('POST', '/api/me/passkey-options', { json: { password } })
  return { id, email, browser, key }
}

/** Returns the tables in which a row has one of these texts. */
async function tablesWith(service: TestService, texts: string[]): Promise<string[]> {
  const { driver, close } = await service.openBeside()
  const catalogue = inject('postgres')
    ? 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()'
    : "SELECT name FROM sqlite_schema WHERE type = 'table'"
  const found: string[] = []
  for (const { name } of await driver.all<{ name: string }>(catalogue)) {
    const rows = JSON.stringify(await driver.all(`SELECT * FROM ${name}`))
    if (texts.some((text) => rows.includes(text))) found.push(name)
  }
  await close()
  return found.sort()
}

const tablesOfUsers = [
  'account_links',
  'calendar_feeds',
  'challenges',
  'counters',
  'jobs',
  'passkeys',
  'records',
  'recovery_codes',
  'second_factors',
  'sessions',
  'sync_log',
  'tokens',
  'users',
  'webhook_deliveries',
  'webhooks',
]

test('[D19.21] [D8.26] deleting the account with a passkey leaves nothing in any table', async () => {
  const { service, admin } = await start()
  const { id, email, browser, key } = await userWithEverything(service, admin)
  const texts = [String(id), email, MARKER]
  expect(await tablesWith(service, texts)).toEqual(tablesOfUsers)
  const etag = (await browser.call('GET', '/api/me/export')).headers.get('etag') ?? ''
  const options = (await browser.call('POST', '/api/auth/passkey/options')).body
  const credential = key.get(options, { origin: service.url })
  const headers = { 'if-match': etag }
  expect((await browser.call('DELETE', '/api/me', { json: {}, headers })).status).toBe(400)
  expect((await browser.call('DELETE', '/api/me', { json: { credential }, headers })).status).toBe(204)
  expect(await tablesWith(service, texts)).toEqual([])
  expect(JSON.stringify(service.log)).not.toMatch(new RegExp(`${MARKER}|${email}|${id}`))
  expect((await admin.call('GET', '/api/me')).status).toBe(200)
})

test('[D19.21] [D19.10] an erased account leaves nothing in any table after the time of grace', async () => {
  const { service, admin } = await start()
  const { id, email } = await userWithEverything(service, admin)
  await admin.call('DELETE', `/api/admin/users/${id}`)
  expect(await tablesWith(service, [MARKER])).toContain('records')
  service.clock.advance(14 * DAY_MS)
  await service.service.eraseDue()
  expect(await tablesWith(service, [String(id), email, MARKER])).toEqual([])
  expect(JSON.stringify(service.log)).not.toMatch(new RegExp(`${MARKER}|${email}|${id}`))
})

test('[D19.23] anybody learns of the number of a user whether the account exists, and nothing else', async () => {
  const { service, admin } = await start()
  const { user_id: id } = (await admin.call('GET', '/api/me')).body
  const ask = (user: number | string) => service.call('GET', `/api/auth/accounts/${user}`)
  expect((await ask(id)).body).toEqual({ exists: true })
  expect((await ask(id + 1)).body).toEqual({ exists: false })
  expect((await ask('ada@example.com')).status).toBe(400)
})
