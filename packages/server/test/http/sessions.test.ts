import { expect, onTestFinished, test } from 'vitest'
import { serviceOfFile } from '../file-service.ts'
import { startTestService } from '../harness.ts'
import { type Browser, openBrowser, PASSWORD, signUp } from './browser.ts'
import { create, resourceOf } from './resources.ts'

const NEXT_PASSWORD = 'battery staple horse'

const service = await serviceOfFile({ now: new Date().toISOString() })

async function signIn(email: string, password = PASSWORD): Promise<Browser> {
  const browser = openBrowser(service)
  const { status } = await browser.call('POST', '/api/auth/sign-in', { json: { email, password } })
  expect(status).toBe(200)
  return browser
}

const statusOf = async (browser: Browser) => (await browser.call('GET', '/api/me')).status

test('[D8.17] signing up begins a session, signing out ends it', async () => {
  const browser = await signUp(service, 'anna@example.com')
  const { body } = await browser.call('GET', '/api/me')
  expect(body).toMatchObject({ email: 'anna@example.com', user_id: expect.any(Number) })

  const stolen = new Map(browser.cookies)
  const out = await browser.call('POST', '/api/auth/sign-out')
  expect(out.status).toBe(204)
  expect(browser.cookies.size).toBe(0)
  expect(await statusOf(browser)).toBe(401)
  const cookie = [...stolen].map(([name, value]) => `${name}=${value}`).join('; ')
  expect((await service.call('GET', '/api/me', { headers: { cookie } })).status).toBe(401)
})

test('[D8.5] a wrong password and an unknown address get the same answer', async () => {
  await signUp(service, 'ben@example.com')
  const refused = []
  for (const json of [
    { email: 'ben@example.com', password: `${PASSWORD}x` },
    { email: 'ben@example.com', password: '' },
    { email: 'nobody@example.com', password: PASSWORD },
  ]) {
    const { status, body, headers } = await service.call('POST', '/api/auth/sign-in', { json })
    refused.push({ status, body })
    expect(headers.getSetCookie()).toEqual([])
  }
  expect(refused[0]).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
  expect(new Set(refused.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(await statusOf(await signIn('  BEN@EXAMPLE.com '))).toBe(200)
})

test('[D8.12] sessions are listed with the current one marked, and each can be ended', async () => {
  const first = await signUp(service, 'cleo@example.com')
  const second = await signIn('cleo@example.com')
  const { items } = (await first.call('GET', '/api/me/sessions')).body
  expect(items).toHaveLength(2)
  expect(items.map(({ current }: { current: boolean }) => current)).toEqual([false, true])
  expect(JSON.stringify(items)).not.toContain([...first.cookies.values()][0])
  const seen = (await second.call('GET', '/api/me/sessions')).body.items
  expect(seen.map(({ current }: { current: boolean }) => current)).toEqual([true, false])

  const stranger = await signUp(service)
  const theirs = await stranger.call('DELETE', `/api/me/sessions/${items[0].id}`)
  expect(theirs.status).toBe(404)
  expect(await statusOf(second)).toBe(200)
  expect((await first.call('DELETE', `/api/me/sessions/${items[0].id}`)).status).toBe(204)
  expect(await statusOf(second)).toBe(401)
  expect(await statusOf(first)).toBe(200)
  expect((await first.call('DELETE', `/api/me/sessions/${items[0].id}`)).status).toBe(404)
})

test('[D8.6] [D8.18] a new password must not be common, and ends all other sessions', async () => {
  const first = await signUp(service, 'dora@example.com')
  const second = await signIn('dora@example.com')
  const stranger = await signUp(service)
  const change = (current_password: string, new_password: string) =>
    first.call('POST', '/api/me/password', { json: { current_password, new_password } })
  const wrong = await change('not my password', NEXT_PASSWORD)
  expect([wrong.status, wrong.body.code]).toEqual([403, 'forbidden'])
  for (const unfit of ['short', 'password1234', 'Arbeitszeit1', 'x'.repeat(129)]) {
    const { status, body } = await change(PASSWORD, unfit)
    expect([status, body.errors?.[0].pointer], unfit).toEqual([400, '/new_password'])
  }
  expect(await statusOf(second)).toBe(200)

  expect((await change(PASSWORD, NEXT_PASSWORD)).status).toBe(204)
  expect(await statusOf(first)).toBe(200)
  expect(await statusOf(second)).toBe(401)
  expect(await statusOf(stranger)).toBe(200)
  const json = { email: 'dora@example.com', password: PASSWORD }
  expect((await service.call('POST', '/api/auth/sign-in', { json })).status).toBe(401)
  await signIn('dora@example.com', NEXT_PASSWORD)
})

test('[D8.32] a new password revokes all tokens, unless the user keeps them', async () => {
  const stranger = await signUp(service)
  const tokenOf = async ({ call }: Browser, password = PASSWORD) =>
    (await call('POST', '/api/me/tokens', { json: { name: 'cron', password } })).body.token as string
  const statusWith = async (token: string) => (await service.call('GET', '/api/me', { token })).status
  const theirs = await tokenOf(stranger)
  const browser = await signUp(service, 'ines@example.com')
  const tokens = [await tokenOf(browser), await tokenOf(browser)]
  const change = (current_password: string, new_password: string, more = {}) =>
    browser.call('POST', '/api/me/password', { json: { current_password, new_password, ...more } })

  expect((await change('not my password', NEXT_PASSWORD)).status).toBe(403)
  expect((await change(PASSWORD, NEXT_PASSWORD, { keep_tokens: 'yes' })).status).toBe(400)
  expect((await change(PASSWORD, NEXT_PASSWORD, { keep_tokens: true })).status).toBe(204)
  expect(await Promise.all(tokens.map(statusWith))).toEqual([200, 200])
  expect((await change(NEXT_PASSWORD, PASSWORD)).status).toBe(204)
  expect(await Promise.all(tokens.map(statusWith))).toEqual([401, 401])
  expect((await browser.call('GET', '/api/me/tokens')).body.items).toEqual([])
  expect(await statusWith(theirs)).toBe(200)

  const kept = await tokenOf(browser)
  expect((await change(PASSWORD, NEXT_PASSWORD, { keep_tokens: false })).status).toBe(204)
  expect(await statusWith(kept)).toBe(401)
})

test('[D8.18] of two simultaneous changes of a password one succeeds, and one session is left', async () => {
  const browsers = [await signUp(service, 'jan@example.com'), await signIn('jan@example.com')]
  const changes = browsers.map(({ call }, index) =>
    call('POST', '/api/me/password', {
      json: { current_password: PASSWORD, new_password: `${NEXT_PASSWORD} ${index}` },
    }),
  )
  const statuses = (await Promise.all(changes)).map(({ status }) => status)
  const [winner] = browsers.filter((_, index) => statuses[index] === 204)
  expect(statuses.filter((status) => status === 204)).toHaveLength(1)
  expect((await winner?.call('GET', '/api/me/sessions'))?.body.items).toHaveLength(1)
  await signIn('jan@example.com', `${NEXT_PASSWORD} ${statuses.indexOf(204)}`)
})

test('[D8.4] a forged, altered or foreign cookie is unauthenticated', async () => {
  const browser = await signUp(service)
  const [[name, value] = ['', '']] = browser.cookies
  const others = [...value].map((_, at) => value.slice(0, at) + (value[at] === 'A' ? 'B' : 'A') + value.slice(at + 1))
  for (const forged of ['', 'x', `${value}x`, value.slice(1), 'A'.repeat(43), '%00', '%', ...others]) {
    const { status } = await service.call('GET', '/api/me', { headers: { cookie: `${name}=${forged}` } })
    expect(status, forged).toBe(401)
  }
  expect((await service.call('GET', '/api/me', { headers: { cookie: `other=${value}` } })).status).toBe(401)
  expect((await service.call('GET', '/api/me', { headers: { cookie: `a=b; ${name}=${value}; c` } })).status).toBe(200)
  // An authorization that is not right is not made good by a cookie.
  for (const authorization of ['Bearer saldo_x', 'Bearer', 'Basic x', '']) {
    const headers = { cookie: `${name}=${value}`, authorization }
    expect((await service.call('GET', '/api/me', { headers })).status, authorization).toBe(401)
  }
})

test('[D8.16] a session ends after a time without use, and use extends it once a day', async () => {
  const browser = await signUp(service, 'gerd@example.com')
  const dayMs = 86_400_000
  /** As if the session had been begun, or prolonged, that long ago. */
  const age = async (days: number) => {
    const { driver, close } = await service.openBeside()
    const at = (ms: number) => new Date(Date.now() + ms).toISOString()
    const user = `(SELECT id FROM users WHERE email = 'gerd@example.com')`
    const update = `UPDATE sessions SET expires_at = $1 WHERE user_id = ${user}`
    await driver.write((sql) => sql.run(update, [at((60 - days) * dayMs)]))
    await close()
  }
  const prolonged = async () => {
    const { status, headers } = await browser.call('GET', '/api/me')
    expect(status).toBe(200)
    return headers.getSetCookie().length > 0
  }
  await age(0.9)
  expect(await prolonged()).toBe(false)
  await age(59)
  expect([await prolonged(), await prolonged()]).toEqual([true, false])
  const [session] = (await browser.call('GET', '/api/me/sessions')).body.items
  expect(Date.parse(session.expires_at)).toBeGreaterThan(Date.now() + 59 * dayMs)
  await age(60.01)
  expect(await statusOf(browser)).toBe(401)

  // Signing in deletes the user's expired sessions.
  const json = { email: 'gerd@example.com', password: PASSWORD }
  expect((await browser.call('POST', '/api/auth/sign-in', { json })).status).toBe(200)
  const { driver, close } = await service.openBeside()
  const kept = await driver.all(
    `SELECT id FROM sessions WHERE user_id = (SELECT id FROM users WHERE email = 'gerd@example.com')`,
  )
  await close()
  expect(kept).toHaveLength(1)
})

test('[D8.16] a session ends 60 days after it began, or after the use that last extended it', async () => {
  const own = await startTestService()
  onTestFinished(() => own.close())
  const dayMs = 86_400_000
  // Two sessions of one user.
  const [used, unused] = [await signUp(own, 'ida@example.com'), openBrowser(own)]
  await unused.call('POST', '/api/auth/sign-in', { json: { email: 'ida@example.com', password: PASSWORD } })
  const readSession = async () => {
    const { body, headers } = await used.call('GET', '/api/me/sessions')
    const { expires_at } = body.items.find(({ current }: { current: boolean }) => current)
    const leftMs = Date.parse(expires_at) - own.clock.now()
    return { leftMs, cookie: headers.getSetCookie()[0]?.toLowerCase() ?? '' }
  }
  expect(await readSession()).toEqual({ leftMs: 60 * dayMs, cookie: '' })
  own.clock.advance(60 * dayMs - 1)
  const extended = await readSession()
  expect(extended.leftMs).toBe(60 * dayMs)
  expect(extended.cookie).toContain(`max-age=${60 * 86_400};`)
  own.clock.advance(1)
  expect([await statusOf(unused), await statusOf(used)]).toEqual([401, 200])
  own.clock.advance(60 * dayMs - 1)
  expect(await statusOf(used)).toBe(401)
})

test('[D8.16] a session ends after a year and a day, however much it is used', async () => {
  const browser = await signUp(service, 'hanna@example.com')
  const begin = async (days: number) => {
    const { driver, close } = await service.openBeside()
    const user = `(SELECT id FROM users WHERE email = 'hanna@example.com')`
    const update = `UPDATE sessions SET created_at = $1 WHERE user_id = ${user}`
    await driver.write((sql) => sql.run(update, [new Date(Date.now() - days * 86_400_000).toISOString()]))
    await close()
  }
  await begin(365.9)
  expect(await statusOf(browser)).toBe(200)
  await begin(366.1)
  expect(await statusOf(browser)).toBe(401)
})

test('[D8.26] the export has all data, and deleting the account needs its tag and the password', async () => {
  const browser = await signUp(service, 'emil@example.com')
  const entries = resourceOf('entries')
  const kept = await create(browser.call, entries, entries.content)
  const gone = await create(browser.call, entries, entries.content)
  await browser.call('DELETE', `/api/entries/${gone.id}`)
  const exported = await browser.call('GET', '/api/me/export')
  expect(exported.body).toMatchObject({ version: 3, user: { email: 'emil@example.com' } })
  expect(exported.body.records).toEqual({
    entries: [kept],
    closed_days: [],
    closed_weeks: [],
    balance_adjustments: [],
    settings_history: [],
  })
  const etag = exported.headers.get('etag') ?? ''
  const { token } = (await browser.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })).body
  const remove = (headers: Record<string, string>, password = PASSWORD) =>
    browser.call('DELETE', '/api/me', { json: { password }, headers })

  for (const headers of [
    {},
    { 'if-match': '*' },
    { 'if-match': '"2"' },
    { 'if-match': etag.replace('W/', '') },
    { 'if-match': '3' },
  ]) {
    expect((await remove(headers as Record<string, string>)).status, JSON.stringify(headers)).toBe(412)
  }
  expect((await remove({ 'if-match': etag }, 'not my password')).status).toBe(403)
  // Records written after the export protect the account. These settings create a job.
  const settings = resourceOf('settings_history')
  const auto_close = { day_after_ms: 0, week_after_days: 1 }
  const late = await create(browser.call, settings, { ...settings.content, auto_close })
  expect((await remove({ 'if-match': etag })).status).toBe(412)
  expect((await browser.call('GET', `/api/settings/${late.id}`)).status).toBe(200)

  const fresh = (await browser.call('GET', '/api/me/export')).headers.get('etag') ?? ''
  const others = await signUp(service, 'frida@example.com')
  await create(others.call, entries, entries.content)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  expect((await remove({ 'if-match': fresh })).status).toBe(204)
  expect(browser.cookies.size).toBe(0)
  expect((await service.call('GET', '/api/me', { headers: { cookie } })).status).toBe(401)
  expect((await service.call('GET', '/api/me', { token })).status).toBe(401)
  const json = { email: 'emil@example.com', password: PASSWORD }
  expect((await service.call('POST', '/api/auth/sign-in', { json })).status).toBe(401)
  expect((await others.call('GET', '/api/entries')).body.items).toHaveLength(1)

  // Nothing of them is left, in any table.
  const { driver, announcements, close } = await service.openBeside()
  await driver.read(async (sql) => {
    const tables = await sql.all<{ name: string }>(
      announcements
        ? "SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'user_id'"
        : "SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE c.name = 'user_id'",
    )
    expect(tables.length).toBeGreaterThan(5)
    for (const { name } of tables) {
      const left = `SELECT count(*) AS n FROM ${name} WHERE user_id = $1`
      expect(await sql.all(left, [exported.body.user.user_id]), name).toEqual([{ n: 0 }])
    }
  })
  await close()

  // A new account with the same address is empty.
  const again = await signUp(service, 'emil@example.com')
  expect((await again.call('GET', '/api/sync/pull')).body).toMatchObject({ version: 0, changes: {} })
})

test('[D8.26] writes during the deletion of the account are refused and store nothing', async () => {
  const browser = await signUp(service)
  const entries = resourceOf('entries')
  const { token } = (await browser.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })).body
  const headers = { 'if-match': (await browser.call('GET', '/api/me/export')).headers.get('etag') ?? '' }
  const removed = browser.call('DELETE', '/api/me', { json: { password: PASSWORD }, headers })
  let wrote = 0
  let answer: number
  do {
    answer = (await service.call('POST', '/api/entries', { json: entries.content, token })).status
    if (answer === 201) wrote += 1
  } while (answer === 201 && wrote < 200)
  // Either the write was there first, and the account stays, or the account is gone.
  expect((await removed).status).toBe(wrote > 0 ? 412 : 204)
  expect([201, 401]).toContain(answer)
})

test('[D8.26] signing in during the deletion of the account is refused and is not a defect', async () => {
  const email = 'leaving@example.com'
  const browser = await signUp(service, email)
  const headers = { 'if-match': (await browser.call('GET', '/api/me/export')).headers.get('etag') ?? '' }
  const removed = browser.call('DELETE', '/api/me', { json: { password: PASSWORD }, headers })
  const json = { email, password: PASSWORD }
  // Looking at the password takes long enough for the account to go meanwhile.
  const tries = Array.from({ length: 5 }, () => service.call('POST', '/api/auth/sign-in', { json }))
  expect((await removed).status).toBe(204)
  for (const { status } of await Promise.all(tries)) expect([200, 401]).toContain(status)
  expect(service.log.filter(({ level }) => level === 'error')).toEqual([])
})

test('[D8.45] a session keeps 300 characters of the name of its browser', async () => {
  const one = await startTestService()
  onTestFinished(() => one.close())
  await signUp(one, 'ada@example.com')
  const browser = openBrowser(one)
  const json = { email: 'ada@example.com', password: PASSWORD }
  const headers = { 'user-agent': `Firefox ${'x'.repeat(8_000)}` }
  expect((await browser.call('POST', '/api/auth/sign-in', { json, headers })).status).toBe(200)
  const [session] = (await browser.call('GET', '/api/me/sessions')).body.items
  expect(session.user_agent).toHaveLength(300)
  expect(session.user_agent).toMatch(/^Firefox x+$/)
})
