import { DAY_MS, MINUTE_MS, type UserNumber } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import { IdentityStore } from '../../src/store/users/identities.ts'
import { startTestService } from '../harness.ts'
import { openMailBox } from '../mail/smtp-server.ts'
import { type Browser, PASSWORD, signUp } from './browser.ts'
import { askForEvents } from './event-client.ts'
import { SoftAuthenticator } from './passkey-authenticator.ts'

const NOW = '2026-11-23T12:00:00.000Z'
const PATH = '/api/admin/users'
const ORIGIN = 'https://saldo.example'

/** A service that sends mails, with an admin, Ada, and a user, Grace. */
async function start() {
  const box = await openMailBox()
  const mail = { smtpUrl: box.url, mailFrom: 'Saldo <saldo@example.com>', publicUrl: ORIGIN }
  const service = await startTestService({ now: NOW, config: { signup: 'open', failedSignIns: 100, ...mail } })
  onTestFinished(() => service.close())
  const admin = await signUp(service, 'ada@example.com')
  const grace = await signUp(service, 'grace@example.com')
  const { user_id: id } = (await grace.call('GET', '/api/me')).body
  await admin.call('PATCH', `${PATH}/${id}`, { json: { email: 'grace@example.com', password: PASSWORD } })
  // The mail about signing up leaves after the response.
  await expect.poll(() => box.mails).toHaveLength(1)
  box.mails.length = 0
  return { service, box, admin, grace, id: id as number }
}

/** The requests that give somebody a key or power, for a user; each is refused without a proof. */
const proven = (id: number): [method: string, path: string, json: object][] => [
  ['POST', PATH, { email: 'new@example.com', name: 'New' }],
  ['POST', `${PATH}/${id}/link`, {}],
  ['POST', `${PATH}/${id}/link`, { show: true }],
  ['PATCH', `${PATH}/${id}`, { role: 'admin' }],
  ['PATCH', `${PATH}/${id}`, { role: 'user' }],
  ['PATCH', `${PATH}/${id}`, { email: 'mallory@example.com' }],
  ['PATCH', `${PATH}/${id}`, { active: true }],
  ['PATCH', `${PATH}/${id}`, { name: 'Mallory', active: false, role: 'admin' }],
]
/** The other writing requests, which take access away or change a name. */
const plain = ['PATCH', 'DELETE', 'DELETE /sessions', 'DELETE /invitation']

test('[D19.28] the session of an admin alone gives nobody a key: each such request needs a proof', async () => {
  const { service, admin, id } = await start()
  const own = (await admin.call('GET', '/api/me')).body.user_id as number
  const list = async () => (await admin.call('GET', PATH)).text
  const before = await list()
  for (const [method, path, json] of [...proven(id), ...proven(own)]) {
    const call = (proof: object) => admin.call(method, path, { json: { ...json, ...proof } })
    expect([path, json, (await call({})).status]).toEqual([path, json, 400])
    expect([path, json, (await call({ password: 'a wrong password' })).status]).toEqual([path, json, 403])
  }
  expect(await list()).toBe(before)

  // A new route under this path belongs into one of the lists above.
  const { paths } = (await service.call('GET', '/api/openapi.json')).body as { paths: Record<string, object> }
  const writing = Object.entries(paths).flatMap(([path, operations]) =>
    path.startsWith(PATH) ? Object.keys(operations).flatMap((name) => (name === 'get' ? [] : [[name, path]])) : [],
  )
  const known = [
    ...proven(1).map(([method, path]) => `${method} ${path.slice(PATH.length).replace('1', '{id}')}`),
    ...plain.map((route) => route.replace(/^(\w+) ?/, '$1 /{id}')),
  ]
  const names = writing.map(([name = '', path = '']) => `${name.toUpperCase()} ${path.slice(PATH.length)}`)
  expect(names.filter((name) => !known.includes(name))).toEqual([])
})

test('[D19.28] the password or a passkey of the admin is a proof, that of somebody else is none', async () => {
  const { admin, grace, id } = await start()
  const keyOf = async (browser: Browser) => {
    const key = new SoftAuthenticator()
    const options = (await browser.call('POST', '/api/me/passkey-options', { json: { password: PASSWORD } })).body
    const credential = key.create(options, { origin: ORIGIN })
    expect((await browser.call('POST', '/api/me/passkeys', { json: { name: 'Key', credential } })).status).toBe(201)
    return key
  }
  const signedBy = async (key: SoftAuthenticator) =>
    key.get((await admin.call('POST', '/api/auth/passkey/options')).body, { origin: ORIGIN })
  const [own, other] = [await keyOf(admin), await keyOf(grace)]
  const makeAdmin = async (proof: object) =>
    (await admin.call('PATCH', `${PATH}/${id}`, { json: { role: 'admin', ...proof } })).status
  expect(await makeAdmin({ credential: await signedBy(other) })).toBe(403)
  expect(await makeAdmin({ credential: await signedBy(own) })).toBe(200)
  expect(await makeAdmin({ password: PASSWORD })).toBe(200)
})

test('[D19.28] [D20.15] an admin without a password proves by having just signed in', async () => {
  const { admin, id, service } = await start()
  const own = (await admin.call('GET', '/api/me')).body.user_id
  const { driver, close } = await service.openBeside()
  await driver.run('UPDATE users SET password_hash = NULL WHERE id = $1', [own])
  await close()
  const makeAdmin = async () => (await admin.call('PATCH', `${PATH}/${id}`, { json: { role: 'admin' } })).status
  expect(await makeAdmin()).toBe(200)
  service.clock.advance(10 * MINUTE_MS)
  expect(await makeAdmin()).toBe(403)
})

test('[D19.28] a link that was mailed is not in the answer, and a mail says that one was shown', async () => {
  const { admin, box, id } = await start()
  const invited = await admin.call('POST', PATH, {
    json: { email: 'new@example.com', name: 'New', password: PASSWORD },
  })
  expect(invited.body.link).toMatchObject({ path: null, mail: 'sent' })
  const link = async (json: object) =>
    (await admin.call('POST', `${PATH}/${id}/link`, { json: { ...json, password: PASSWORD } })).body
  expect(await link({})).toMatchObject({ path: null, mail: 'sent' })
  expect(await link({ show: true })).toMatchObject({ path: expect.stringMatching(/^\/link#/), mail: null })
  await expect
    .poll(() => box.to('grace@example.com').map(({ subject }) => subject))
    .toEqual(['Set a new password for Saldo', 'A link to set a new password for Saldo was created'])
})

test('[D19.7] [D19.26] whoever sets a password by a link gets a mail, and the log names them', async () => {
  const { admin, box, service } = await start()
  const json = { email: 'new@example.com', name: 'New', password: PASSWORD }
  await admin.call('POST', PATH, { json })
  const secret = /#([\w-]+)/.exec(box.to('new@example.com')[0]?.text ?? '')?.[1] ?? ''
  const set = { json: { secret, password: 'a new horse battery' } }
  expect((await service.call('POST', '/api/auth/link/password', set)).status).toBe(204)
  await expect.poll(() => box.to('new@example.com').at(-1)?.subject).toBe('Your Saldo account has a password now')
  const line = service.log.find(({ message }) => message === 'user set a password by a link')
  expect(line?.fields).toEqual({ user: expect.stringMatching(/^[0-9a-f]{12}$/) })
})

test('[D19.8] a link for somebody who signs in at the company is a reset of a day, not an invitation', async () => {
  const { admin, id, box, service } = await start()
  const { driver, users, close } = await service.openBeside()
  onTestFinished(close)
  const identities = new IdentityStore(driver, users)
  const person = { issuer: 'https://login.example', subject: '1', verifiedEmail: undefined, name: '' }
  await identities.admit(person, () => ({ outcome: 'link', user: id as UserNumber }), NOW)
  const link = await admin.call('POST', `${PATH}/${id}/link`, { json: { show: true, password: PASSWORD } })
  expect(Date.parse(link.body.expires_at) - service.clock.now()).toBe(DAY_MS)
  const secret = link.body.path.split('#')[1]
  expect((await service.call('POST', '/api/auth/link', { json: { secret } })).body.purpose).toBe('reset')
  await expect.poll(() => box.to('grace@example.com')).toHaveLength(1)
})

test('[D19.27] both addresses get a notice of a correction, and those of an invitation get none', async () => {
  const { admin, box, id } = await start()
  const correct = (user: number, email: string) =>
    admin.call('PATCH', `${PATH}/${user}`, { json: { email, password: PASSWORD } })
  await correct(id, 'hopper@example.com')
  await expect
    .poll(() => box.mails.map(({ to, subject }) => [to?.[0]?.address, subject]))
    .toEqual(
      expect.arrayContaining([
        ['grace@example.com', 'Your e-mail address for Saldo was changed'],
        ['hopper@example.com', 'Your e-mail address for Saldo was changed'],
      ]),
    )
  const json = { email: 'mistyped@example.com', name: 'New', password: PASSWORD }
  const invited = (await admin.call('POST', PATH, { json })).body.account.user_id
  await correct(invited, 'right@example.com')
  await admin.call('POST', `${PATH}/${invited}/link`, { json: { password: PASSWORD } })
  await expect.poll(() => box.to('right@example.com')).toHaveLength(1)
  // The mistyped address may be a stranger's.
  expect(box.to('mistyped@example.com').map(({ subject }) => subject)).toEqual(['Your invitation to Saldo'])
})

test('[D19.27] a change of several fields is made whole or not at all', async () => {
  const { admin, id } = await start()
  const own = (await admin.call('GET', '/api/me')).body.user_id
  const change = (user: number, json: object) =>
    admin.call('PATCH', `${PATH}/${user}`, { json: { ...json, password: PASSWORD } })
  expect((await change(own, { name: 'Renamed', email: 'new@example.com', role: 'user' })).status).toBe(409)
  expect((await change(id, { name: 'Renamed', role: 'admin', email: 'ada@example.com' })).status).toBe(409)
  const { items } = (await admin.call('POST', '/api/admin/user-search', { json: {} })).body
  expect(items).toMatchObject([
    { name: 'Ada Lovelace', email: 'ada@example.com', role: 'admin' },
    { email: 'grace@example.com', role: 'user' },
  ])
  expect(JSON.stringify(items)).not.toContain('Renamed')
})

test('[D19.9] deactivating ends the event streams of a token, which gets events again after reactivating', async () => {
  const { admin, grace, id, service } = await start()
  const { token } = (await grace.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })).body
  const authorization = `Bearer ${token}`
  const [ofToken, ofSession] = [
    await askForEvents(service, { authorization }),
    await askForEvents(service, { cookie: [...grace.cookies].map((pair) => pair.join('=')).join('; ') }),
  ]
  expect([ofToken.status, ofSession.status]).toEqual([200, 200])
  await admin.call('PATCH', `${PATH}/${id}`, { json: { active: false } })
  await service.service.heartbeat()
  await Promise.all([ofToken.ended(), ofSession.ended()])
  expect((await askForEvents(service, { authorization })).status).toBe(401)
  await admin.call('PATCH', `${PATH}/${id}`, { json: { active: true, password: PASSWORD } })
  const again = await askForEvents(service, { authorization })
  await service.call('POST', '/api/entries', { json: { kind: 'sick', date: '2026-11-20' }, token })
  await again.receivesVersion(1)
})
