import { expect, onTestFinished, test } from 'vitest'
import { noticeWords } from '../../src/mail/notices.ts'
import { startTestService, type TestService } from '../harness.ts'
import { codeAt } from '../http/authenticator.ts'
import { type Browser, PASSWORD, signUp } from '../http/browser.ts'
import { SoftAuthenticator } from '../http/passkey-authenticator.ts'
import { type MailBox, openMailBox } from './smtp-server.ts'

const PUBLIC_URL = 'https://saldo.example'
const ADMIN = 'ada@example.com'
const STRANGER = 'stranger@example.com'
const proof = { password: PASSWORD }

/** A service with open sign-up that sends mails. Its first user's address is confirmed by the set-up code. */
async function start(): Promise<{ service: TestService; admin: Browser; box: MailBox }> {
  const box = await openMailBox()
  const mail = { smtpUrl: box.url, mailFrom: 'Saldo <saldo@example.com>', publicUrl: PUBLIC_URL }
  const service = await startTestService({ now: new Date().toISOString(), config: mail })
  onTestFinished(() => service.close())
  return { service, admin: await signUp(service, ADMIN), box }
}

/** Makes each key that a user can make, and ends some. */
async function makeKeys(service: TestService, { call }: Browser): Promise<void> {
  const made = async (path: string, json: object) => {
    const { status, body, text } = await call('POST', path, { json })
    expect(status, text).toBeLessThan(300)
    return body
  }
  await made('/api/me/tokens', { ...proof, name: 'cron' })
  await made('/api/me/feeds', { ...proof, name: 'Team', absences: true, work: true, language: 'en' })
  await made('/api/webhooks', { ...proof, url: 'https://example.com/', events: ['day.closed'] })
  const options = await made('/api/me/passkey-options', proof)
  const credential = new SoftAuthenticator().create(options, { origin: PUBLIC_URL })
  const { id } = await made('/api/me/passkeys', { name: 'Telephone', credential })
  expect((await call('DELETE', `/api/me/passkeys/${id}`, { json: proof })).status).toBe(204)
  const { key } = await made('/api/me/second-factor', proof)
  await made('/api/me/second-factor/confirmation', { code: codeAt(key, service.clock.now()) })
  await made('/api/me/second-factor/recovery-codes', proof)
  expect((await call('DELETE', '/api/me/second-factor', { json: proof })).status).toBe(204)
}

test('[D19.33] a user gets a mail about each key that is made in the account', async () => {
  const { service, admin, box } = await start()
  await makeKeys(service, admin)
  const kinds = ['own_token', 'own_feed', 'own_webhook', 'passkey_added', 'passkey_removed'] as const
  const factors = ['second_factor_on', 'recovery_codes', 'second_factor_off'] as const
  const subjects = [...kinds, ...factors].map((kind) => noticeWords.en[kind].subject)
  await expect
    .poll(() =>
      box
        .to(ADMIN)
        .map(({ subject }) => subject)
        .toSorted(),
    )
    .toEqual(subjects.toSorted())
  expect(box.to(ADMIN)[0]?.text).toContain('If you did not expect this')
})

test('[D19.33] [D19.30] who signs up with a stranger’s address sends no mail but its confirmation', async () => {
  const { service, box } = await start()
  const eve = await signUp(service, STRANGER)
  await makeKeys(service, eve)
  let [current_password, new_password] = [PASSWORD, 'a new horse battery']
  for (let n = 0; n < 4; n += 1) {
    const json = { current_password, new_password }
    expect((await eve.call('POST', '/api/me/password', { json })).status).toBe(204)
    ;[current_password, new_password] = [new_password, current_password]
  }
  // Stopping sends what is on its way.
  await service.restart()
  expect(box.to(STRANGER).map(({ subject }) => subject)).toEqual(['Confirm your e-mail address for Saldo'])
})

test('[D19.33] a user makes 30 keys an hour that mail them, and what ends access beyond mails nothing', async () => {
  const { service, admin, box } = await start()
  const make = () => admin.call('POST', '/api/me/tokens', { json: { ...proof, name: 'cron' } })
  const change = (current_password: string, new_password: string) =>
    admin.call('POST', '/api/me/password', { json: { current_password, new_password, keep_tokens: true } })
  const statuses: number[] = []
  for (let n = 0; n < 30; n += 1) statuses.push((await make()).status)
  expect(new Set(statuses)).toEqual(new Set([201]))
  expect((await make()).status).toBe(429)
  expect((await change(PASSWORD, 'a new horse battery')).status).toBe(204)
  expect((await change('a new horse battery', PASSWORD)).status).toBe(204)
  // Another user has mails of their own.
  const other = await signUp(service, STRANGER)
  expect((await other.call('POST', '/api/me/tokens', { json: { ...proof, name: 'cron' } })).status).toBe(201)
  await service.restart()
  expect(box.to(ADMIN)).toHaveLength(30)
})

test('[D19.34] many accounts together send three mails an hour to an address that is none of theirs', async () => {
  const { service, admin, box } = await start()
  const statuses: number[] = []
  for (let n = 0; n < 3; n += 1) {
    const eve = await signUp(service, `eve-${n}@example.com`)
    for (const email of [STRANGER, ' Stranger@Example.com ']) {
      statuses.push((await eve.call('POST', '/api/me/email', { json: { email, ...proof } })).status)
    }
  }
  expect(statuses).toEqual([200, 200, 200, 429, 429, 429])
  // The address of an account, with or without one like it, is answered alike, and its own user is not held up.
  for (const status of [200, 200, 200, 429]) {
    const json = { email: 'eve-1@example.com', ...proof }
    expect((await admin.call('POST', '/api/me/email', { json })).status).toBe(status)
  }
  const owner = await signUp(service, STRANGER)
  expect((await owner.call('POST', '/api/me/email', { json: { email: STRANGER, ...proof } })).status).toBe(200)
  expect((await owner.call('POST', '/api/me/email-confirmation')).status).toBe(202)
  await service.restart()
  expect(box.to(STRANGER)).toHaveLength(3 + 3)
})

test('[D19.34] whoever signs up with a stranger’s address again and again sends five mails a day', async () => {
  const { service, box } = await start()
  for (let n = 0; n < 4; n += 1) {
    const eve = await signUp(service, STRANGER)
    await eve.call('POST', '/api/me/email-confirmation')
    const headers = { 'if-match': (await eve.call('GET', '/api/me/export')).headers.get('etag') ?? '' }
    expect((await eve.call('DELETE', '/api/me', { headers, json: proof })).status).toBe(204)
  }
  await service.restart()
  expect(box.to(STRANGER)).toHaveLength(5)
})
