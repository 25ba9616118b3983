import type { UserNumber } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../src/env.ts'
import { startTestService, type TestService } from '../harness.ts'
import { type MailBox, openMailBox } from '../mail/smtp-server.ts'
import { enrol } from './authenticator.ts'
import { type Browser, openBrowser, PASSWORD, signUp } from './browser.ts'
import { SoftAuthenticator } from './passkey-authenticator.ts'

const ORIGIN = 'https://saldo.example'
const ADMIN = 'admin@example.com'
const VICTIM = 'victim@example.com'
const NEXT = 'a new horse battery'
const EVIL = 'URGENT: your account is locked, go to http://evil.example/login'

/** A service with open sign-up whose first user is an admin; it sends mails unless the test says otherwise. */
async function start(config: Partial<Config> = {}) {
  const box = await openMailBox()
  const mail = { smtpUrl: box.url, mailFrom: 'Saldo <saldo@example.com>', publicUrl: ORIGIN }
  const service = await startTestService({ now: new Date().toISOString(), config: { ...mail, ...config } })
  onTestFinished(() => service.close())
  return { service, box, admin: await signUp(service, ADMIN) }
}

const WITHOUT_MAIL = { smtpUrl: undefined, mailFrom: undefined }

const me = async (browser: Browser) => (await browser.call('GET', '/api/me')).body
const accounts = async (admin: Browser) =>
  (await admin.call('POST', '/api/admin/user-search', { json: {} })).body.items as { user_id: number; email: string }[]
const confirmationOf = async (admin: Browser) =>
  Object.fromEntries(
    (await accounts(admin)).map((row) => [row.email, (row as Record<string, unknown>).email_confirmed]),
  )

const signIn = async (service: TestService, email: string, password = PASSWORD) => {
  const browser = openBrowser(service)
  const { status } = await browser.call('POST', '/api/auth/sign-in', { json: { email, password } })
  return { status, browser }
}
const askForAddress = (browser: Browser, email: string) =>
  browser.call('POST', '/api/me/email', { json: { email, password: PASSWORD } })
const confirm = (browser: Browser, secret: string) => browser.call('POST', '/api/auth/email', { json: { secret } })
const setPassword = (service: TestService, secret: string, password = NEXT) =>
  openBrowser(service).call('POST', '/api/auth/link/password', { json: { secret, password } })
const forgotten = (service: TestService, email: string) =>
  openBrowser(service).call('POST', '/api/auth/forgotten-password', { json: { email } })

/** Waits until an address has got so many mails, and returns the secrets of their links, the oldest first. */
async function secretsTo(box: MailBox, address: string, count: number): Promise<string[]> {
  await expect.poll(() => box.to(address)).toHaveLength(count)
  return box.to(address).map(({ text = '' }) => /#([\w-]+)/.exec(text)?.[1] ?? '')
}

/** Gives an account all keys that a user can make, and returns what tells which of them still open it. */
async function makeKeys(service: TestService, browser: Browser) {
  const key = new SoftAuthenticator()
  const ask = async () => (await browser.call('POST', '/api/me/passkey-options', { json: { password: PASSWORD } })).body
  const add = (authenticator: SoftAuthenticator, options: Parameters<SoftAuthenticator['create']>[0], by = browser) =>
    by.call('POST', '/api/me/passkeys', {
      json: { name: 'Telephone', credential: authenticator.create(options, { origin: ORIGIN }) },
    })
  expect((await add(key, await ask())).status).toBe(201)
  await enrol(service, browser)
  const pending = await ask()
  const password = { password: PASSWORD }
  const { token } = (await browser.call('POST', '/api/me/tokens', { json: { name: 'cron', ...password } })).body
  const asked = { name: 'Team', absences: true, work: true, language: 'en', ...password }
  const feed = (await browser.call('POST', '/api/me/feeds', { json: asked })).body
  const hook = { url: 'https://example.com/hook', events: ['week.closed'], ...password }
  expect((await browser.call('POST', '/api/webhooks', { json: hook })).status).toBe(201)
  const { user_id } = await me(browser)
  const { driver, close } = await service.openBeside()
  onTestFinished(close)
  await driver.run('INSERT INTO oidc_identities (issuer, subject, user_id, created_at) VALUES ($1, $2, $3, $4)', [
    ...['https://id.example', 'mallory', user_id as UserNumber, '2026-01-01T00:00:00.000Z'],
  ])
  return {
    /** Returns the keys that still open the account. */
    async left(): Promise<string[]> {
      const other = openBrowser(service)
      const challenge = (await other.call('POST', '/api/auth/passkey/options')).body
      const credential = key.get(challenge, { origin: ORIGIN })
      const opened: Record<string, boolean> = {
        passkey: (await other.call('POST', '/api/auth/passkey', { json: { credential } })).status === 200,
        token: (await service.call('GET', '/api/me', { token })).status === 200,
        feed: (await service.call('GET', feed.path)).status === 200,
        session: (await browser.call('GET', '/api/me')).status === 200,
      }
      for (const table of ['passkeys', 'second_factors', 'recovery_codes', 'webhooks', 'oidc_identities']) {
        const rows = await driver.all(`SELECT user_id FROM ${table} WHERE user_id = $1`, [user_id])
        opened[table] = rows.length > 0
      }
      return Object.keys(opened).filter((name) => opened[name])
    },
    /** Answers the challenge for a passkey that was asked for at the end, in a session of the account. */
    answerPending: (by: Browser) => add(new SoftAuthenticator(), pending, by),
  }
}

test('[D8.40] an address is unconfirmed until somebody has shown or vouched that it is its user’s', async () => {
  const { service, box, admin } = await start()
  const grace = await signUp(service, 'grace@example.com')
  const json = { email: 'invited@example.com', name: 'Ida', password: PASSWORD }
  expect((await admin.call('POST', '/api/admin/users', { json })).status).toBe(201)
  expect(await confirmationOf(admin)).toEqual({
    [ADMIN]: true,
    'grace@example.com': false,
    'invited@example.com': true,
  })
  expect([(await me(admin)).email_confirmed, (await me(grace)).email_confirmed]).toEqual([true, false])
  expect((await grace.call('GET', '/api/me/export')).body.user.email_confirmed).toBe(false)
  const [secret = ''] = await secretsTo(box, 'grace@example.com', 1)
  expect((await confirm(grace, secret)).body).toEqual({ email: 'grace@example.com' })
  expect((await me(grace)).email_confirmed).toBe(true)
  // Confirmed by a link, the next address is too.
  await askForAddress(grace, 'hopper@example.com')
  const [next = ''] = await secretsTo(box, 'hopper@example.com', 1)
  expect((await confirm(grace, next)).status).toBe(200)
  expect(await me(grace)).toMatchObject({ email: 'hopper@example.com', email_confirmed: true })
})

test('[D8.40] [D19.27] without mail, an address that a user gives is unconfirmed; an admin puts it right', async () => {
  const { service, admin } = await start({ ...WITHOUT_MAIL })
  const grace = await signUp(service, 'grace@example.com')
  const { user_id } = await me(grace)
  const change = (email: string) =>
    admin.call('PATCH', `/api/admin/users/${user_id}`, { json: { email, password: PASSWORD } })
  expect((await change('grace@example.com')).body).toMatchObject({ email_confirmed: true })
  // A colleague's address, by mistake.
  expect((await askForAddress(grace, 'colleague@example.com')).body).toEqual({ outcome: 'changed' })
  expect(await me(grace)).toMatchObject({ email: 'colleague@example.com', email_confirmed: false })
  expect(await confirmationOf(admin)).toMatchObject({ 'colleague@example.com': false })
  expect((await admin.call('POST', '/api/admin/user-search', { json: { show: 'unconfirmed' } })).body).toMatchObject({
    count: 1,
    items: [{ email: 'colleague@example.com' }],
  })
  const invitation = { email: 'colleague@example.com', name: 'Colleague', password: PASSWORD }
  expect((await admin.call('POST', '/api/admin/users', { json: invitation })).status).toBe(409)
  expect((await change('hopper@example.com')).body).toMatchObject({
    email: 'hopper@example.com',
    email_confirmed: true,
  })
  expect((await admin.call('POST', '/api/admin/users', { json: invitation })).status).toBe(201)
  expect((await grace.call('GET', '/api/me')).status).toBe(200)
  // An admin vouches for their own address too, and a change to the same address takes nothing away.
  expect((await askForAddress(admin, 'boss@example.com')).body).toEqual({ outcome: 'changed' })
  expect((await me(admin)).email_confirmed).toBe(true)
  await askForAddress(grace, 'hopper@example.com')
  expect((await me(grace)).email_confirmed).toBe(true)
  const acts = service.log.flatMap(({ fields }) => ('act' in fields ? [fields.act] : []))
  expect(acts).toEqual(['confirm_email', 'change_email', 'invite'])
})

test('[D8.41] the first reset by mail ends every key of whoever used the address before', async () => {
  const { service, box } = await start()
  const stranger = await signUp(service, VICTIM)
  const keys = await makeKeys(service, stranger)
  expect(await keys.left()).toHaveLength(9)
  await forgotten(service, VICTIM)
  const [, secret = ''] = await secretsTo(box, VICTIM, 2)
  expect(box.to(VICTIM)[1]?.text).toMatch(/^Hello,\n.*not been confirmed.*passkeys, the second factor/s)
  expect((await openBrowser(service).call('POST', '/api/auth/link', { json: { secret } })).body).toEqual({
    purpose: 'reset',
    email: VICTIM,
    name: '',
  })
  expect((await setPassword(service, secret, PASSWORD)).status).toBe(204)
  expect(await keys.left()).toEqual([])
  // No second factor of the stranger locks the owner out, and no challenge waits for a passkey of the stranger.
  const { status, browser } = await signIn(service, VICTIM)
  expect(status).toBe(200)
  expect((await keys.answerPending(browser)).status).toBe(403)
  expect(await me(browser)).toMatchObject({ email: VICTIM, email_confirmed: true, name: '' })
  await expect.poll(() => box.to(VICTIM).at(-1)?.subject).toBe('Your e-mail address for Saldo is confirmed')
  expect(box.to(VICTIM).at(-1)?.text).toMatch(/^Hello,\n.*passkeys, the second factor/s)

  // Once the address is confirmed, a reset leaves what it always leaves (D19.7).
  await browser.call('PATCH', '/api/me', { json: { name: 'Vic' } })
  const own = await makeKeys(service, browser)
  // Of a passkey, the second factor, a token, a feed and a webhook (D19.33).
  await secretsTo(box, VICTIM, 3 + 5)
  await forgotten(service, VICTIM)
  const later = (await secretsTo(box, VICTIM, 3 + 5 + 1)).at(-1) ?? ''
  expect(box.to(VICTIM).at(-1)?.text).toMatch(/^Hello Vic,\n/)
  expect((await setPassword(service, later)).status).toBe(204)
  expect(await own.left()).toEqual(['passkey', 'passkeys', 'second_factors', 'recovery_codes', 'oidc_identities'])
})

test('[D8.41] confirming in the account leaves the password and the session, and ends all else', async () => {
  const { service, box } = await start()
  const grace = await signUp(service, 'grace@example.com')
  const keys = await makeKeys(service, grace)
  const [secret = ''] = await secretsTo(box, 'grace@example.com', 1)
  expect(box.to('grace@example.com')[0]?.text).toMatch(/removes passkeys, the second factor/)
  expect((await confirm(grace, secret)).status).toBe(200)
  expect(await keys.left()).toEqual(['session'])
  expect((await keys.answerPending(grace)).status).toBe(403)
  expect((await signIn(service, 'grace@example.com')).status).toBe(200)
  expect((await confirm(grace, secret)).status).toBe(404)

  // A confirmed address that moves ends nothing.
  const later = await makeKeys(service, grace)
  await askForAddress(grace, 'hopper@example.com')
  const [next = ''] = await secretsTo(box, 'hopper@example.com', 1)
  expect((await confirm(grace, next)).status).toBe(200)
  expect(await later.left()).toHaveLength(9)
})

test('[D19.16] a link confirms an address in the account that asked alone, whoever opens it', async () => {
  const { service, box, admin } = await start()
  const mallory = await signUp(service, 'mallory@example.com')
  await askForAddress(mallory, VICTIM)
  const [secret = ''] = await secretsTo(box, VICTIM, 1)
  const before = await accounts(admin)
  expect((await confirm(openBrowser(service), secret)).status).toBe(401)
  expect((await confirm(admin, secret)).status).toBe(404)
  expect(await accounts(admin)).toEqual(before)
  // The owner of the address gets an account of their own.
  const victim = await signUp(service, VICTIM)
  expect((await confirm(mallory, secret)).status).toBe(409)
  const [, own = ''] = await secretsTo(box, VICTIM, 2)
  expect((await confirm(victim, own)).status).toBe(200)
})

test('[D19.30] a letter to an unconfirmed address greets nobody and has no text of the user', async () => {
  const { service, box, admin } = await start()
  const browser = openBrowser(service)
  await browser.call('POST', '/api/auth/sign-up', { json: { email: VICTIM, name: EVIL, password: PASSWORD } })
  const { user_id } = await me(browser)
  const json = { current_password: PASSWORD, new_password: NEXT }
  expect((await browser.call('POST', '/api/me/password', { json })).status).toBe(204)
  await forgotten(service, VICTIM)
  for (const role of ['admin', 'user']) {
    await admin.call('PATCH', `/api/admin/users/${user_id}`, { json: { role, password: PASSWORD } })
  }
  // A confirmation, a reset, and two of the admin; none about the password (D19.33).
  await expect.poll(() => box.to(VICTIM)).toHaveLength(4)
  // To another stranger, by a change of the address that is an advertisement itself.
  const evil = 'go-to.evil.example@example.org'
  const ask = { json: { email: evil, password: NEXT } }
  expect((await browser.call('POST', '/api/me/email', ask)).body.outcome).toBe('confirmation_sent')
  const [secret = ''] = await secretsTo(box, evil, 1)
  expect((await confirm(browser, secret)).status).toBe(200)
  await service.restart()
  expect(box.to(VICTIM)).toHaveLength(4)
  for (const { text = '', html = '' } of box.mails) expect(`${text}${html}`).not.toMatch(/URGENT|evil\.example/)
  // An admin who corrects an address tells the new one, and not a stranger whose address it was.
  const typo = openBrowser(service)
  await typo.call('POST', '/api/auth/sign-up', {
    json: { email: 'typo@example.com', name: 'Tyler', password: PASSWORD },
  })
  const { user_id: other } = await me(typo)
  const corrected = { json: { email: 'tyler@example.com', password: PASSWORD } }
  expect((await admin.call('PATCH', `/api/admin/users/${other}`, corrected)).status).toBe(200)
  await expect.poll(() => box.to('tyler@example.com')).toHaveLength(1)
  await service.restart()
  expect(box.to('typo@example.com').map(({ subject }) => subject)).toEqual(['Confirm your e-mail address for Saldo'])
})

test('[D19.31] whoever asks for a reset once more leaves the links that were mailed before valid', async () => {
  const { service, box, admin } = await start()
  const [own] = await accounts(admin)
  await Promise.all([1, 2, 3].map(() => forgotten(service, ADMIN)))
  const secrets = await secretsTo(box, ADMIN, 3)
  const open = async () =>
    Promise.all(
      secrets.map(async (secret) => {
        const { status } = await openBrowser(service).call('POST', '/api/auth/link', { json: { secret } })
        return status
      }),
    )
  expect(new Set(secrets).size).toBe(3)
  expect(await open()).toEqual([200, 200, 200])
  expect((await setPassword(service, secrets[1] ?? '')).status).toBe(204)
  expect(await open()).toEqual([404, 404, 404])
  // A link of an admin ends the earlier ones.
  const { browser } = await signIn(service, ADMIN, NEXT)
  const link = () =>
    browser.call('POST', `/api/admin/users/${own?.user_id}/link`, { json: { show: true, password: NEXT } })
  const [first, second] = [(await link()).body.path as string, (await link()).body.path as string]
  const statusOf = async (path: string) =>
    (await openBrowser(service).call('POST', '/api/auth/link', { json: { secret: path.split('#')[1] } })).status
  expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200])
})

test('[D8.40] a link that an admin passes on sets a password and proves no address', async () => {
  const { service, box, admin } = await start()
  const grace = await signUp(service, 'grace@example.com')
  const { user_id } = await me(grace)
  await secretsTo(box, 'grace@example.com', 1)
  const path = `/api/admin/users/${user_id}/link`
  const { body } = await admin.call('POST', path, { json: { show: true, password: PASSWORD } })
  expect((await setPassword(service, body.path.split('#')[1])).status).toBe(204)
  expect(await confirmationOf(admin)).toMatchObject({ 'grace@example.com': false })
  // Neither does one whose mail failed, and which the admin got instead.
  const refused = await signUp(service, 'refused@example.com')
  const { user_id: other } = await me(refused)
  const failed = await admin.call('POST', `/api/admin/users/${other}/link`, { json: { password: PASSWORD } })
  expect(failed.body.mail).toBe('failed')
  expect((await setPassword(service, failed.body.path.split('#')[1])).status).toBe(204)
  expect(await confirmationOf(admin)).toMatchObject({ 'refused@example.com': false })
})

test('[D19.32] the link that confirms an address is mailed when signing up, and again if asked', async () => {
  const { service, box, admin } = await start()
  const grace = await signUp(service, 'grace@example.com')
  const again = (browser: Browser) => browser.call('POST', '/api/me/email-confirmation')
  await secretsTo(box, 'grace@example.com', 1)
  expect((await again(grace)).status).toBe(202)
  const [first = '', second = ''] = await secretsTo(box, 'grace@example.com', 2)
  expect([(await confirm(grace, first)).status, (await confirm(grace, second)).status]).toEqual([404, 200])
  // Whoever needs no link uses up none of those to another address.
  for (let n = 0; n < 6; n += 1) expect([(await again(grace)).status, (await again(admin)).status]).toEqual([409, 409])
  const other = { json: { email: 'hopper@example.com', password: PASSWORD } }
  expect((await grace.call('POST', '/api/me/email', other)).status).toBe(200)
  expect((await again(openBrowser(service))).status).toBe(401)
  // Five a day, the one of signing up too.
  const eve = await signUp(service, 'eve@example.com')
  const statuses = []
  for (let n = 0; n < 6; n += 1) statuses.push((await again(eve)).status)
  expect(statuses).toEqual([202, 202, 202, 202, 429, 429])
  await secretsTo(box, 'eve@example.com', 5)

  const { service: silent } = await start({ ...WITHOUT_MAIL })
  expect((await again(await signUp(silent, 'grace@example.com'))).status).toBe(409)
})
