import { DAY_MS } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import { startTestService, type TestService } from '../harness.ts'
import { codeAt, enrol } from './authenticator.ts'
import { type Browser, openBrowser, PASSWORD, signUp } from './browser.ts'

const NOW = '2026-11-23T12:00:00.000Z'
const NEXT = 'a new horse battery'

/** A service with its first user, who is an admin. */
async function start(): Promise<{ service: TestService; admin: Browser }> {
  const service = await startTestService({ now: NOW, config: { signup: 'first' } })
  onTestFinished(() => service.close())
  return { service, admin: await signUp(service, 'ada@example.com') }
}

async function invite(admin: Browser, email: string, name = 'Grace Hopper'): Promise<{ id: number; secret: string }> {
  const { status, body } = await admin.call('POST', '/api/admin/users', { json: { email, name, password: PASSWORD } })
  expect(status).toBe(201)
  return { id: body.account.user_id, secret: body.link.path.split('#')[1] }
}

const usePassword = (service: TestService, secret: string, password = PASSWORD) =>
  service.call('POST', '/api/auth/link/password', { json: { secret, password } })

async function signIn(service: TestService, email: string, password = PASSWORD, code?: string): Promise<Browser> {
  const browser = openBrowser(service)
  const answer = await browser.call('POST', '/api/auth/sign-in', { json: { email, password, code } })
  expect(answer.text).toContain('user_id')
  return browser
}

/** Invites a user, and signs them in. */
async function member(service: TestService, admin: Browser, email = 'grace@example.com') {
  const { id, secret } = await invite(admin, email)
  expect((await usePassword(service, secret)).status).toBe(204)
  return { id, browser: await signIn(service, email) }
}

/** The proof that it is the admin who acts. */
const proof = { json: { password: PASSWORD } }

const change = (admin: Browser, id: number, json: object) =>
  admin.call('PATCH', `/api/admin/users/${id}`, { json: { ...json, password: PASSWORD } })

test('[D19.1] the first user is an admin, and admins make others admins', async () => {
  const { service, admin } = await start()
  expect((await admin.call('GET', '/api/me')).body.role).toBe('admin')
  const grace = await member(service, admin)
  expect((await grace.browser.call('GET', '/api/me')).body.role).toBe('user')
  expect((await change(admin, grace.id, { role: 'admin' })).body.role).toBe('admin')
  expect((await grace.browser.call('POST', '/api/admin/user-search', { json: {} })).status).toBe(200)
})

test('[D19.2] the last active admin stays, also if two leave at once', async () => {
  const { service, admin } = await start()
  const own = (await admin.call('GET', '/api/me')).body.user_id
  const grace = await member(service, admin)
  for (const json of [{ role: 'user' }, { active: false }]) {
    const { status, body } = await change(admin, own, json)
    expect([status, body.code]).toEqual([409, 'conflict'])
  }
  expect((await admin.call('DELETE', `/api/admin/users/${own}`)).status).toBe(409)
  const etag = (await admin.call('GET', '/api/me/export')).headers.get('etag') ?? ''
  const deletion = { json: { password: PASSWORD }, headers: { 'if-match': etag } }
  expect((await admin.call('DELETE', '/api/me', deletion)).status).toBe(409)
  await change(admin, grace.id, { role: 'admin' })
  const answers = await Promise.all([
    change(admin, own, { role: 'user' }),
    change(grace.browser, grace.id, { role: 'user' }),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('[D19.2] a deactivated admin and one who is to be erased are no admins who could stay instead', async () => {
  const { service, admin } = await start()
  const own = (await admin.call('GET', '/api/me')).body.user_id
  const members = [
    await member(service, admin, 'grace@example.com'),
    await member(service, admin, 'edsger@example.com'),
  ]
  for (const { id } of members) expect((await change(admin, id, { role: 'admin' })).status).toBe(200)
  const [deactivated, erased] = members.map(({ id }) => id)
  expect((await change(admin, deactivated as number, { active: false })).status).toBe(200)
  expect((await admin.call('DELETE', `/api/admin/users/${erased}`)).status).toBe(200)
  for (const json of [{ role: 'user' }, { active: false }]) expect((await change(admin, own, json)).status).toBe(409)
  expect((await admin.call('DELETE', `/api/admin/users/${own}`)).status).toBe(409)
  const etag = (await admin.call('GET', '/api/me/export')).headers.get('etag') ?? ''
  const deletion = { json: { password: PASSWORD }, headers: { 'if-match': etag } }
  expect((await admin.call('DELETE', '/api/me', deletion)).status).toBe(409)
  expect((await change(admin, deactivated as number, { active: true })).status).toBe(200)
  expect((await change(admin, own, { role: 'user' })).status).toBe(200)
})

test('[D19.4] only the session of an admin manages accounts: no user, no token', async () => {
  const { service, admin } = await start()
  const grace = await member(service, admin)
  const { token } = (await admin.call('POST', '/api/me/tokens', { json: { name: 'laptop', password: PASSWORD } })).body
  const requests = [
    ['POST', '/api/admin/user-search'],
    ['GET', '/api/admin/service'],
    ['POST', '/api/admin/users', { email: 'eve@example.com', name: 'Eve' }],
    ['POST', `/api/admin/users/${grace.id}/link`],
    ['PATCH', `/api/admin/users/${grace.id}`, { role: 'admin' }],
    ['DELETE', `/api/admin/users/${grace.id}/sessions`],
    ['DELETE', `/api/admin/users/${grace.id}`],
  ] as const
  for (const [method, path, json] of requests) {
    expect((await grace.browser.call(method, path, { json })).status).toBe(403)
    expect((await service.call(method, path, { json, token })).status).toBe(403)
    expect((await service.call(method, path, { json })).status).toBe(401)
  }
  expect((await grace.browser.call('GET', '/api/me')).body.role).toBe('user')
})

test('[D19.4] an admin ends all sessions of a user, and of their own all but the one in use', async () => {
  const { service, admin } = await start()
  const grace = await member(service, admin)
  const other = await signIn(service, 'ada@example.com')
  const own = (await admin.call('GET', '/api/me')).body.user_id
  const end = async (id: number) => (await admin.call('DELETE', `/api/admin/users/${id}/sessions`)).status
  const statuses = async () =>
    (await Promise.all([admin, other, grace.browser].map((browser) => browser.call('GET', '/api/me')))).map(
      ({ status }) => status,
    )
  expect([await end(grace.id), await statuses()]).toEqual([204, [200, 200, 401]])
  expect([await end(own), await statuses()]).toEqual([204, [200, 401, 401]])
  expect(await end(1)).toBe(404)
})

test('[D19.5] accounts are listed by pages and found by words of name and address, with their state', async () => {
  const { service, admin } = await start()
  await invite(admin, 'oezil@example.com', 'Mesut Özil')
  const grace = await member(service, admin)
  await grace.browser.call('POST', '/api/entries', { json: { kind: 'sick', date: '2026-11-20' } })
  const { body } = await admin.call('POST', '/api/admin/user-search', { json: {} })
  expect(body.count).toBe(3)
  expect(body.items.map(({ email }: { email: string }) => email)).toEqual([
    'ada@example.com',
    'grace@example.com',
    'oezil@example.com',
  ])
  expect(body.items[1]).toEqual({
    user_id: grace.id,
    email: 'grace@example.com',
    email_confirmed: true,
    name: 'Grace Hopper',
    role: 'user',
    state: 'active',
    created_at: NOW,
    last_active_at: NOW,
    sessions: 1,
    second_factor: false,
    stored_bytes: expect.any(Number),
    erase_at: null,
    link_mail: null,
  })
  expect(body.items[1].stored_bytes).toBeGreaterThan(body.items[2].stored_bytes)
  expect(body.items[2]).toMatchObject({ state: 'invited', last_active_at: null, sessions: 0 })
  const found = async (json: object) => (await admin.call('POST', '/api/admin/user-search', { json })).body
  expect(await found({ search: 'ozil mesut' })).toMatchObject({ count: 1, items: [{ name: 'Mesut Özil' }] })
  expect(await found({ limit: 1, offset: 1 })).toMatchObject({ count: 3, items: [{ name: 'Grace Hopper' }] })
  expect(await found({ search: 'nobody' })).toEqual({ count: 0, items: [] })
})

test('[D19.6] [D19.7] an invitation sets the first password, once', async () => {
  const { service, admin } = await start()
  const { secret } = await invite(admin, ' Grace@Example.com ')
  const refused = openBrowser(service)
  for (const password of ['', PASSWORD]) {
    const json = { email: 'grace@example.com', password }
    expect((await refused.call('POST', '/api/auth/sign-in', { json })).status).toBe(401)
  }
  const target = await service.call('POST', '/api/auth/link', { json: { secret } })
  expect(target.body).toEqual({ purpose: 'invitation', email: 'grace@example.com', name: 'Grace Hopper' })
  expect((await usePassword(service, secret, 'Password1234!')).status).toBe(400)
  expect((await usePassword(service, secret)).status).toBe(204)
  expect((await usePassword(service, secret)).status).toBe(404)
  expect((await service.call('POST', '/api/auth/link', { json: { secret } })).status).toBe(404)
  await signIn(service, 'grace@example.com')
})

test('[D19.7] a reset ends sessions and revokes tokens, and a code is still needed after it', async () => {
  const { service, admin } = await start()
  const grace = await member(service, admin)
  const made = await grace.browser.call('POST', '/api/me/tokens', { json: { name: 'laptop', password: PASSWORD } })
  const { token } = made.body
  const factor = '/api/me/second-factor'
  const { key } = (await grace.browser.call('POST', factor, { json: { password: PASSWORD } })).body
  const first = codeAt(key, service.clock.now())
  expect((await grace.browser.call('POST', `${factor}/confirmation`, { json: { code: first } })).status).toBe(200)
  const { path } = (await admin.call('POST', `/api/admin/users/${grace.id}/link`, proof)).body
  const secret = path.split('#')[1]
  const target = (await service.call('POST', '/api/auth/link', { json: { secret } })).body
  expect(target.purpose).toBe('reset')
  expect((await usePassword(service, secret, NEXT)).status).toBe(204)
  expect((await grace.browser.call('GET', '/api/me')).status).toBe(401)
  expect((await service.call('GET', '/api/me', { token })).status).toBe(401)
  const credentials = { email: 'grace@example.com', password: NEXT }
  const withoutCode = await openBrowser(service).call('POST', '/api/auth/sign-in', { json: credentials })
  expect(withoutCode.body.code).toBe('second_factor_required')
  await signIn(service, 'grace@example.com', NEXT, codeAt(key, service.clock.now() + 30_000))
})

test('[D19.8] a new link replaces the earlier one, a new password revokes it, and links expire', async () => {
  const { service, admin } = await start()
  const grace = await member(service, admin)
  const newSecret = async () => {
    const { body } = await admin.call('POST', `/api/admin/users/${grace.id}/link`, proof)
    return body.path.split('#')[1] as string
  }
  const [first, second] = [await newSecret(), await newSecret()]
  expect((await usePassword(service, first, NEXT)).status).toBe(404)
  service.clock.advance(DAY_MS)
  expect((await usePassword(service, second, NEXT)).status).toBe(404)
  const third = await newSecret()
  const json = { current_password: PASSWORD, new_password: NEXT }
  expect((await grace.browser.call('POST', '/api/me/password', { json })).status).toBe(204)
  expect((await usePassword(service, third)).status).toBe(404)
  const invited = await invite(admin, 'late@example.com')
  const open = () => service.call('POST', '/api/auth/link', { json: { secret: invited.secret } })
  service.clock.advance(14 * DAY_MS - 1)
  expect((await open()).status).toBe(200)
  service.clock.advance(1)
  expect((await open()).status).toBe(404)
  expect((await usePassword(service, invited.secret)).status).toBe(404)
})

test('[D19.9] a deactivated user is refused at once and everywhere; the data comes back with them', async () => {
  const { service, admin } = await start()
  const grace = await member(service, admin)
  await grace.browser.call('POST', '/api/entries', { json: { kind: 'sick', date: '2026-11-20' } })
  const made = await grace.browser.call('POST', '/api/me/tokens', { json: { name: 'laptop', password: PASSWORD } })
  const content = { name: 'Team', absences: true, work: false, language: 'en', password: PASSWORD }
  const feed = (await grace.browser.call('POST', '/api/me/feeds', { json: content })).body
  const { path } = (await admin.call('POST', `/api/admin/users/${grace.id}/link`, proof)).body
  const answer = await change(admin, grace.id, { active: false })
  expect(answer.body).toMatchObject({ state: 'deactivated', sessions: 0 })
  expect((await grace.browser.call('GET', '/api/me')).status).toBe(401)
  expect((await service.call('GET', '/api/me', { token: made.body.token })).status).toBe(401)
  expect((await service.call('GET', feed.path)).status).toBe(404)
  expect((await usePassword(service, path.split('#')[1])).status).toBe(404)
  expect((await admin.call('POST', `/api/admin/users/${grace.id}/link`, proof)).status).toBe(409)
  const browser = openBrowser(service)
  const credentials = { email: 'grace@example.com', password: PASSWORD }
  const refused = await browser.call('POST', '/api/auth/sign-in', { json: credentials })
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
  // Without the password nobody learns that there is an account.
  const guessed = await browser.call('POST', '/api/auth/sign-in', { json: { ...credentials, password: NEXT } })
  expect(guessed.status).toBe(401)
  await change(admin, grace.id, { active: true })
  expect((await grace.browser.call('GET', '/api/me')).status).toBe(401)
  // Programs go on; a link that went to the person before does not.
  expect((await service.call('GET', '/api/me', { token: made.body.token })).status).toBe(200)
  expect((await service.call('GET', feed.path)).status).toBe(200)
  expect((await usePassword(service, path.split('#')[1])).status).toBe(404)
  const again = await signIn(service, 'grace@example.com')
  expect((await again.call('GET', '/api/entries')).body.items).toHaveLength(1)
})

test('[D19.10] an erased account can be kept for 14 days; then nothing of it is left', async () => {
  const { service, admin } = await start()
  const [kept, gone] = [await member(service, admin), await member(service, admin, 'gone@example.com')]
  for (const { browser } of [kept, gone]) {
    await browser.call('POST', '/api/entries', { json: { kind: 'sick', date: '2026-11-20' } })
  }
  for (const { id } of [kept, gone]) {
    const { body } = await admin.call('DELETE', `/api/admin/users/${id}`)
    expect(body).toMatchObject({ state: 'erasing', erase_at: '2026-12-07T12:00:00.000Z' })
  }
  service.clock.advance(14 * DAY_MS - 1)
  await service.service.eraseDue()
  expect((await change(admin, kept.id, { active: true })).body.state).toBe('active')
  service.clock.advance(1)
  await service.service.eraseDue()
  expect((await admin.call('POST', '/api/admin/user-search', { json: {} })).body.count).toBe(2)
  expect((await change(admin, gone.id, { active: true })).status).toBe(404)
  const again = await signIn(service, 'grace@example.com')
  expect((await again.call('GET', '/api/entries')).body.items).toHaveLength(1)
})

test('[D19.3] no answer to an admin has a record of another user', async () => {
  const { service, admin } = await start()
  const grace = await member(service, admin)
  const note = 'Kellerschlüssel'
  const entry = await grace.browser.call('POST', '/api/entries', { json: { kind: 'sick', date: '2026-11-20', note } })
  const answers = [
    await admin.call('POST', '/api/admin/user-search', { json: {} }),
    await admin.call('PATCH', `/api/admin/users/${grace.id}`, { json: {} }),
    await admin.call('GET', `/api/entries/${entry.body.id}`),
    await admin.call('GET', '/api/sync/pull?since=0'),
    await admin.call('GET', '/api/me/export'),
  ]
  for (const { text } of answers) expect(text).not.toMatch(new RegExp(`${note}|${entry.body.id}`))
})

test('[D19.27] an admin corrects name and address, unless it is taken or the account is deactivated', async () => {
  const { admin, service } = await start()
  const grace = await member(service, admin)
  const { body } = await change(admin, grace.id, { name: 'Grace Hopper', email: 'HOPPER@example.com' })
  expect(body).toMatchObject({ name: 'Grace Hopper', email: 'hopper@example.com' })
  // Sessions stay, and she signs in by the new address alone.
  expect((await grace.browser.call('GET', '/api/me')).body).toMatchObject({ email: 'hopper@example.com' })
  expect((await (await signIn(service, 'hopper@example.com')).call('GET', '/api/me')).status).toBe(200)
  expect((await change(admin, grace.id, { email: 'ada@example.com' })).status).toBe(409)
  expect((await change(admin, grace.id, { email: 'nowhere' })).status).toBe(400)
  await change(admin, grace.id, { active: false })
  expect((await change(admin, grace.id, { email: 'other@example.com' })).status).toBe(409)
})

test('[D19.27] an invitation that nobody has used is withdrawn at once, and its address is free', async () => {
  const { admin, service } = await start()
  const invite = () =>
    admin.call('POST', '/api/admin/users', { json: { email: 'new@example.com', name: 'New', password: PASSWORD } })
  const { account, link } = (await invite()).body
  const withdraw = (id: number) => admin.call('DELETE', `/api/admin/users/${id}/invitation`)
  expect((await withdraw(account.user_id)).status).toBe(204)
  expect((await usePassword(service, link.path.split('#')[1])).status).toBe(404)
  expect((await withdraw(account.user_id)).status).toBe(404)
  const again = (await invite()).body
  await usePassword(service, again.link.path.split('#')[1])
  expect((await withdraw(again.account.user_id)).status).toBe(409)
})

test('[D19.5] lists of accounts are filtered by state, use and second factor, and sorted', async () => {
  const { admin, service } = await start()
  const [grace, ben] = [await member(service, admin), await member(service, admin, 'ben@example.com')]
  await change(admin, ben.id, { name: 'älter' })
  await invite(admin, 'new@example.com', 'Zoe')
  await grace.browser.call('POST', '/api/entries', {
    json: { kind: 'sick', date: '2026-11-20', note: 'n'.repeat(999) },
  })
  await enrol(service, grace.browser)
  const list = async (json: object): Promise<string[]> => {
    const { body } = await admin.call('POST', '/api/admin/user-search', { json })
    return body.items.map(({ email }: { email: string }) => email.slice(0, email.indexOf('@')))
  }
  expect(await list({ show: 'invited' })).toEqual(['new'])
  expect(await list({ show: 'admins' })).toEqual(['ada'])
  expect(await list({ show: 'one_factor' })).toEqual(['ada', 'ben'])
  expect(await list({ show: 'quiet' })).toEqual([])
  expect(await list({ order: 'name' })).toEqual(['ada', 'ben', 'grace', 'new'])
  expect(await list({ search: 'hopper', show: 'one_factor' })).toEqual([])
  service.clock.advance(31 * DAY_MS)
  expect(await list({ show: 'quiet' })).toEqual(['ben', 'grace'])
  await change(admin, ben.id, { active: false })
  expect(await list({ show: 'deactivated', order: 'last_active' })).toEqual(['ben'])
  expect((await admin.call('POST', '/api/admin/user-search', { json: { show: 'everybody' } })).status).toBe(400)
})
