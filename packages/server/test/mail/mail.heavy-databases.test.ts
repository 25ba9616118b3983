import { DAY_MS } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import { startTestService, type TestService } from '../harness.ts'
import { heavyTest } from '../heavy-test.ts'
import { codeAt } from '../http/authenticator.ts'
import { type Browser, openBrowser, PASSWORD, signUp } from '../http/browser.ts'
import { type MailBox, openMailBox, openSilentServer } from './smtp-server.ts'

const NOW = '2026-11-23T12:00:00.000Z'
const NEXT = 'a new horse battery'
const PUBLIC_URL = 'https://saldo.example'
const german = { 'accept-language': 'de-DE,de;q=0.9' }

/** A service that sends mails, with its first user, who is an admin. */
async function start(smtpUrl?: string): Promise<{ service: TestService; admin: Browser; box: MailBox }> {
  const box = await openMailBox()
  const mail = { smtpUrl: smtpUrl ?? box.url, mailFrom: 'Saldo <saldo@example.com>', publicUrl: PUBLIC_URL }
  const service = await startTestService({ now: NOW, config: { signup: 'first', trustedProxies: 1, ...mail } })
  onTestFinished(() => service.close())
  return { service, admin: await signUp(service, 'ada@example.com'), box }
}

const invite = (admin: Browser, email: string, headers = {}) =>
  admin.call('POST', '/api/admin/users', { json: { email, name: 'Grace Hopper', password: PASSWORD }, headers })

/** Returns the secret of the link in the last mail to an address. */
function secretTo(box: MailBox, address: string): string {
  const text = box.to(address).at(-1)?.text ?? ''
  return /#([\w-]+)/.exec(text)?.[1] ?? ''
}

const usePassword = (service: TestService, secret: string, password = PASSWORD) =>
  openBrowser(service).call('POST', '/api/auth/link/password', { json: { secret, password } })

const forgotten = (service: TestService, email: string, headers = {}) =>
  openBrowser(service).call('POST', '/api/auth/forgotten-password', { json: { email }, headers })

const signIn = (service: TestService, email: string, password: string, code?: string) =>
  openBrowser(service).call('POST', '/api/auth/sign-in', { json: { email, password, code } })

async function member(service: TestService, admin: Browser, box: MailBox, email = 'grace@example.com') {
  const { body } = await invite(admin, email)
  await usePassword(service, secretTo(box, email))
  // The mail about it leaves after the response.
  await expect.poll(() => box.to(email)).toHaveLength(2)
  const browser = openBrowser(service)
  await browser.call('POST', '/api/auth/sign-in', { json: { email, password: PASSWORD } })
  return { id: body.account.user_id as number, browser }
}

test('[D19.13] [D19.19] an invitation is mailed in the language of the admin, and its link works', async () => {
  const { service, admin, box } = await start()
  const { body } = await invite(admin, 'grace@example.com', german)
  expect(body.link.mail).toBe('sent')
  expect(body.account.link_mail).toBe('sent')
  const [mail] = box.mails
  expect(mail?.from).toEqual({ address: 'saldo@example.com', name: 'Saldo' })
  expect(mail?.to).toEqual([{ address: 'grace@example.com', name: '' }])
  expect(mail?.subject).toBe('Deine Einladung zu Saldo')
  expect(mail?.text).toContain('Ada Lovelace hat dich zu Saldo eingeladen')
  expect(mail?.html).toContain(`href="${PUBLIC_URL}/link#${secretTo(box, 'grace@example.com')}"`)
  expect(mail?.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated')
  // The language chosen in the app goes before the header.
  await admin.call('PATCH', '/api/me', { json: { preferences: { language: 'en', durations: 'clock', hours: 'auto' } } })
  await admin.call('POST', `/api/admin/users/${body.account.user_id}/link`, {
    json: { password: PASSWORD },
    headers: german,
  })
  expect(box.mails[1]?.subject).toBe('Your invitation to Saldo')
  expect((await usePassword(service, secretTo(box, 'grace@example.com'))).status).toBe(204)
  expect((await signIn(service, 'grace@example.com', PASSWORD)).status).toBe(200)
  const [, row] = (await admin.call('POST', '/api/admin/user-search', { json: {} })).body.items
  expect(row).toMatchObject({ state: 'active', link_mail: null })
})

test('[D19.13] an admin without a name is not named in the invitation', async () => {
  const { admin, box } = await start()
  await admin.call('PATCH', '/api/me', { json: { name: '' } })
  await invite(admin, 'grace@example.com')
  await invite(admin, 'hedy@example.com', german)
  expect(box.mails[0]?.text).toMatch(/^You are invited to Saldo/m)
  expect(box.mails[1]?.text).toMatch(/^du bist zu Saldo eingeladen/m)
})

test('[D19.13] a mail that fails leaves the invitation, and admins see it; the log has no address', async () => {
  const { service, admin, box } = await start()
  const { status, body } = await invite(admin, 'refused@example.com')
  expect([status, body.link.mail]).toEqual([201, 'failed'])
  expect((await admin.call('POST', '/api/admin/user-search', { json: {} })).body.items[1]).toMatchObject({
    link_mail: 'failed',
  })
  const state = (await admin.call('GET', '/api/admin/service')).body
  expect(state.mail).toEqual({ on: true, last_failure: { at: NOW, reason: '550' } })
  expect(service.log).toContainEqual(
    expect.objectContaining({ level: 'error', fields: { letter: 'invitation', reason: '550' } }),
  )
  expect(JSON.stringify(service.log)).not.toContain('refused@')
  expect((await usePassword(service, body.link.path.split('#')[1])).status).toBe(204)
  await invite(admin, 'grace@example.com')
  expect((await admin.call('GET', '/api/admin/service')).body.mail.last_failure).toBeNull()
  expect(box.mails).toHaveLength(1)
})

test('[D19.13] an invitation goes on without a mail server', async () => {
  const { admin } = await start('smtp://127.0.0.1:1')
  const { status, body } = await invite(admin, 'grace@example.com')
  expect([status, body.link.mail]).toEqual([201, 'failed'])
  expect((await admin.call('GET', '/api/admin/service')).body.mail.last_failure.reason).toBe('ESOCKET')
})

test('[D19.14] a forgotten password answers alike for every address; only an active account gets a mail', async () => {
  const { service, admin, box } = await start()
  await member(service, admin, box)
  const gone = await member(service, admin, box, 'gone@example.com')
  await admin.call('PATCH', `/api/admin/users/${gone.id}`, { json: { active: false } })
  await invite(admin, 'invited@example.com')
  box.mails.length = 0
  const answers = []
  for (const name of ['grace', 'gone', 'invited', 'nobody']) {
    const { status, text, headers } = await forgotten(service, `${name}@example.com`, german)
    const { date: _date, 'x-request-id': _id, ...rest } = Object.fromEntries(headers)
    answers.push({ status, text, rest })
  }
  expect(answers[0]?.status).toBe(202)
  for (const answer of answers) expect(answer).toEqual(answers[0])
  await expect.poll(() => box.mails.length).toBe(2)
  expect(box.to('grace@example.com')[0]?.subject).toBe('Neues Passwort für Saldo')
  // Whoever never chose a password gets the invitation again.
  expect(box.to('invited@example.com')[0]?.subject).toBe('Deine Einladung zu Saldo')
  // Stopping waits for the mails on their way, so that none to the others can follow.
  await service.restart()
  expect(box.mails).toHaveLength(2)
})

test('[D19.14] [D19.7] [D19.18] a reset by mail needs the second factor still, and the user gets a mail', async () => {
  const { service, admin, box } = await start()
  const { browser } = await member(service, admin, box)
  const factor = '/api/me/second-factor'
  const { key } = (await browser.call('POST', factor, { json: { password: PASSWORD } })).body
  await browser.call('POST', `${factor}/confirmation`, { json: { code: codeAt(key, service.clock.now()) } })
  await expect.poll(() => box.mails.at(-1)?.subject).toBe('Your second factor for Saldo is on')
  box.mails.length = 0
  await forgotten(service, ' Grace@Example.com ')
  await expect.poll(() => box.mails.length).toBe(1)
  expect((await usePassword(service, secretTo(box, 'grace@example.com'), NEXT)).status).toBe(204)
  expect((await browser.call('GET', '/api/me')).status).toBe(401)
  const refused = await signIn(service, 'grace@example.com', NEXT)
  expect(refused.body.code).toBe('second_factor_required')
  const code = codeAt(key, service.clock.now() + 30_000)
  expect((await signIn(service, 'grace@example.com', NEXT, code)).status).toBe(200)
  await expect.poll(() => box.mails.at(-1)?.subject).toBe('Your password for Saldo was changed')
  expect(box.mails.at(-1)?.text).toContain(PUBLIC_URL)
})

test('[D19.14] a service that stops sends the mails that are on their way first', async () => {
  const { service, admin, box } = await start()
  await member(service, admin, box)
  box.mails.length = 0
  expect((await forgotten(service, 'grace@example.com')).status).toBe(202)
  await service.restart()
  expect(box.mails).toHaveLength(1)
})

heavyTest('[D19.14] the answer does not wait for the mail server', async () => {
  const { service } = await start(await openSilentServer())
  const [known, unknown] = [await forgotten(service, 'ada@example.com'), await forgotten(service, 'eve@example.com')]
  expect([known.status, unknown.status]).toEqual([202, 202])
})

test('[D19.15] mails with a reset are limited per address and per network of the client', async () => {
  const { service, box } = await start()
  for (let n = 0; n < 3; n += 1) expect((await forgotten(service, 'ada@example.com')).status).toBe(202)
  for (const email of ['ada@example.com', 'ADA@example.com']) {
    expect((await forgotten(service, email)).status).toBe(429)
  }
  const statuses = []
  for (let n = 0; n < 17; n += 1) statuses.push((await forgotten(service, `nobody-${n}@example.com`)).status)
  expect(statuses.filter((status) => status === 202)).toHaveLength(15)
  expect(statuses.slice(15)).toEqual([429, 429])
  const elsewhere = { 'x-forwarded-for': '192.0.2.1' }
  expect((await forgotten(service, 'nobody@example.com', elsewhere)).status).toBe(202)
  await expect.poll(() => box.mails.length).toBe(3)
})

test('[D19.14] without mail there is no reset by mail, and links answer no delivery', async () => {
  const service = await startTestService({ now: NOW, config: { signup: 'first' } })
  onTestFinished(() => service.close())
  const admin = await signUp(service, 'ada@example.com')
  expect((await forgotten(service, 'ada@example.com')).status).toBe(409)
  expect((await service.call('GET', '/api/version')).body.mail).toBe(false)
  expect((await invite(admin, 'grace@example.com')).body.link.mail).toBeNull()
  const state = (await admin.call('GET', '/api/admin/service')).body
  expect(state.mail).toEqual({ on: false, last_failure: null })
  expect(state.signup).toBe('closed')
})

test('[D19.16] a link confirms a new address, once within a day, and the old address gets a notice', async () => {
  const { service, admin, box } = await start()
  const { browser } = await member(service, admin, box)
  const ask = (email: string, password = PASSWORD) =>
    browser.call('POST', '/api/me/email', { json: { email, password }, headers: german })
  const confirm = (secret: string) => browser.call('POST', '/api/auth/email', { json: { secret } })
  expect((await ask('new@example.com', 'wrong password')).status).toBe(403)
  box.mails.length = 0
  const { status, body } = await ask(' New@Example.com ')
  expect([status, body]).toEqual([200, { outcome: 'confirmation_sent' }])
  await expect.poll(() => box.mails.length).toBe(1)
  expect(box.mails[0]?.subject).toBe('Bestätige deine E-Mail-Adresse für Saldo')
  const first = secretTo(box, 'new@example.com')
  expect(box.mails[0]?.text).toContain(`${PUBLIC_URL}/confirm-email#${first}`)
  expect((await browser.call('GET', '/api/me')).body.email).toBe('grace@example.com')
  // It sets no password, and expires.
  expect((await usePassword(service, first, NEXT)).status).toBe(404)
  expect((await service.call('POST', '/api/auth/link', { json: { secret: first } })).status).toBe(404)
  service.clock.advance(DAY_MS)
  expect((await confirm(first)).status).toBe(404)
  await ask('new@example.com')
  await expect.poll(() => box.mails.length).toBe(2)
  const reset = (await forgotten(service, 'grace@example.com')).status
  expect(reset).toBe(202)
  await expect.poll(() => box.to('grace@example.com').length).toBe(1)
  const resetSecret = secretTo(box, 'grace@example.com')
  const second = secretTo(box, 'new@example.com')
  expect((await confirm(resetSecret)).status).toBe(404)
  expect((await confirm(second)).body).toEqual({ email: 'new@example.com' })
  expect((await confirm(second)).status).toBe(404)
  // The session goes on; the link that went to the old mailbox does not.
  expect((await browser.call('GET', '/api/me')).body.email).toBe('new@example.com')
  expect((await usePassword(service, resetSecret, NEXT)).status).toBe(404)
  await expect.poll(() => box.to('grace@example.com').length).toBe(2)
  expect(box.to('grace@example.com')[1]?.text).toContain('new@example.com')
  expect((await signIn(service, 'grace@example.com', PASSWORD)).status).toBe(401)
  expect((await signIn(service, 'new@example.com', PASSWORD)).status).toBe(200)
})

test('[D19.16] a taken address shows in no answer and gets no mail; a new password ends the link', async () => {
  const { service, admin, box } = await start()
  const { browser } = await member(service, admin, box)
  box.mails.length = 0
  const ask = (email: string) => browser.call('POST', '/api/me/email', { json: { email, password: PASSWORD } })
  expect((await ask('ada@example.com')).body).toEqual({ outcome: 'confirmation_sent' })
  expect((await ask('new@example.com')).body).toEqual({ outcome: 'confirmation_sent' })
  await expect.poll(() => box.mails.length).toBe(1)
  expect(box.to('ada@example.com')).toEqual([])
  const json = { current_password: PASSWORD, new_password: NEXT }
  await browser.call('POST', '/api/me/password', { json })
  const secret = secretTo(box, 'new@example.com')
  expect((await browser.call('POST', '/api/auth/email', { json: { secret } })).status).toBe(404)
})

test('[D19.16] of two who confirm one address, one gets it', async () => {
  const { service, admin, box } = await start()
  const { browser } = await member(service, admin, box)
  box.mails.length = 0
  const secrets: (string | undefined)[] = []
  for (const by of [admin, browser]) {
    await by.call('POST', '/api/me/email', { json: { email: 'new@example.com', password: PASSWORD } })
    await expect.poll(() => box.mails.length).toBe(secrets.length + 1)
    secrets.push(secretTo(box, 'new@example.com'))
  }
  const answers = await Promise.all(
    [admin, browser].map((by, index) => by.call('POST', '/api/auth/email', { json: { secret: secrets[index] } })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('[D19.16] without mail the password is enough to change the address', async () => {
  const service = await startTestService({ now: NOW })
  onTestFinished(() => service.close())
  const [ada, grace] = [await signUp(service, 'ada@example.com'), await signUp(service, 'grace@example.com')]
  const ask = (email: string) => grace.call('POST', '/api/me/email', { json: { email, password: PASSWORD } })
  expect((await ask('ada@example.com')).status).toBe(409)
  expect((await ask('new@example.com')).body).toEqual({ outcome: 'changed' })
  expect((await grace.call('GET', '/api/me')).body.email).toBe('new@example.com')
  expect((await signIn(service, 'new@example.com', PASSWORD)).status).toBe(200)
  expect((await ada.call('GET', '/api/me')).body.email).toBe('ada@example.com')
  // Five times a day, whatever the outcome.
  for (const n of [3, 4, 5]) expect((await ask(`new-${n}@example.com`)).status).toBe(200)
  expect((await ask('new@example.com')).status).toBe(429)
  const json = { email: 'king@example.com', password: PASSWORD }
  expect((await ada.call('POST', '/api/me/email', { json })).status).toBe(200)
})
