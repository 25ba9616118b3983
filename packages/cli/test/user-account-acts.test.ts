import { join } from 'node:path'
import { DAY_MS, type UserNumber } from '@saldo/core'
import { userAccountActs } from '@saldo/server'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { PasskeyStore } from '../../server/src/store/users/passkeys.ts'
import { startTestService } from '../../server/test/harness.ts'
import { enrol } from '../../server/test/http/authenticator.ts'
import { PASSWORD, signUp } from '../../server/test/http/browser.ts'
import { openMailBox } from '../../server/test/mail/smtp-server.ts'
import { commandsIn, temporaryFolder } from './in-process.ts'

const NEXT = 'battery staple horse'
const EMAIL = 'grace@example.com'

/** A service that sends mails, with an admin and a user, Grace, who has everything that can be removed. */
async function begin() {
  const box = await openMailBox()
  const settings = { smtpUrl: box.url, mailFrom: 'Saldo <saldo@example.com>', publicUrl: 'https://saldo.example' }
  const service = await startTestService({
    now: new Date().toISOString(),
    config: { signup: 'open', trustedProxies: 1, ...settings },
  })
  onTestFinished(() => service.close())
  const admin = await signUp(service, 'ada@example.com')
  const grace = await signUp(service, EMAIL)
  const { user_id: graceId } = (await grace.call('GET', '/api/me')).body
  // The mail about signing up leaves after the response.
  await expect.poll(() => box.mails).toHaveLength(1)
  box.mails.length = 0
  const env = {
    SALDO_DATA_DIR: service.dataDir,
    SALDO_SMTP_URL: box.url,
    SALDO_MAIL_FROM: settings.mailFrom,
    SALDO_PUBLIC_URL: settings.publicUrl,
  }
  /** The acts in the service's log, and the subjects of the mails to Grace, since the last call. */
  const since = { lines: 0, mails: 0 }
  const news = async () => {
    await service.service.logActsOfCommands()
    const lines = service.log.flatMap(({ fields }) => ('act' in fields ? [fields as { act: string; by: string }] : []))
    const mails = box.to(EMAIL).map(({ subject }) => subject)
    const fresh = { acts: lines.slice(since.lines), subjects: mails.slice(since.mails) }
    Object.assign(since, { lines: lines.length, mails: mails.length })
    return fresh
  }
  const run = async (args: string[], input = '') => {
    const { code, stdout, stderr } = await commandsIn(env)
      .given(input)
      .run('admin', ...args)
    expect({ args, code, stderr }).toMatchObject({ code: 0 })
    return stdout
  }
  return { service, box, admin, grace, graceId: graceId as UserNumber, run, news }
}

test('[D19.26] an act of an operator is in the log of the service, and mailed if it concerns keys', async () => {
  const { service, admin, grace, graceId, run, news } = await begin()
  const company = { name: 'Acme', hr: 'ada@example.com', password: PASSWORD }
  expect((await admin.call('POST', '/api/admin/companies', { json: company })).status).toBe(201)
  await enrol(service, grace)
  const { driver, close } = await service.openBeside()
  onTestFinished(close)
  await new PasskeyStore(driver).add(
    graceId,
    { id: crypto.randomUUID(), name: 'Key ring', created_at: '2026-01-01T00:00:00.000Z', last_used_at: null },
    { credentialId: 'a', publicKey: 'b', counter: 0 },
  )
  // As the provider's page would have linked it, without the sign-in that ends what was there before.
  await driver.run('INSERT INTO oidc_identities (issuer, subject, user_id, created_at) VALUES ($1, $2, $3, $4)', [
    'https://id.example',
    'grace',
    graceId,
    '2026-01-01T00:00:00.000Z',
  ])
  const auto_close = { day_after_ms: 0, week_after_days: 30 }
  const dayBefore = new Date(Date.now() - 2 * DAY_MS).toISOString().slice(0, 10)
  const target_ms = Array(7).fill(0)
  const settings = { effective_from: dayBefore, time_zone: 'UTC', target_ms, auto_close }
  expect((await grace.call('POST', '/api/settings', { json: settings })).status).toBe(201)
  await service.service.runDueJobs()
  await news()
  const idOf = async (kind: string): Promise<string> => JSON.parse(await run([kind, 'list', EMAIL, '--json']))[0].id

  const acts: [act: keyof typeof userAccountActs, does: () => Promise<unknown>, subject?: RegExp][] = [
    ['add', () => run(['user', 'add', 'eve@example.com', '--password-stdin'], PASSWORD)],
    ['invite', () => run(['user', 'invite', 'ben@example.com', '--name', 'Ben'])],
    ['withdraw', () => run(['user', 'withdraw', 'ben@example.com'])],
    ['confirm_email', () => run(['user', 'change', EMAIL, '--new-email', EMAIL])],
    ['change_name', () => run(['user', 'change', EMAIL, '--name', 'Grace Hopper'])],
    ['change_email', () => run(['user', 'change', 'eve@example.com', '--new-email', 'eva@example.com'])],
    ['link', () => run(['user', 'link', EMAIL]), /new password/],
    ['set_password', () => run(['user', 'set-password', EMAIL, '--password-stdin'], NEXT), /password .* changed/],
    ['remove_passkeys', () => run(['user', 'remove-passkeys', EMAIL]), /passkeys/],
    ['remove_second_factor', () => run(['user', 'remove-second-factor', EMAIL]), /second factor/],
    ['make_admin', () => run(['user', 'role', EMAIL, 'admin']), /now an admin/],
    ['make_user', () => run(['user', 'role', EMAIL, 'user']), /no longer an admin/],
    ['make_hr', () => run(['team', 'hr', 'Acme', EMAIL]), /Acme/],
    ['end_sessions', () => run(['user', 'end-sessions', EMAIL]), /signed out/],
    ['export', () => run(['user', 'export', EMAIL, join(temporaryFolder(), 'grace.json')]), /exported/],
    ['add_token', () => run(['token', 'add', EMAIL, '--name', 'laptop']), /token/],
    ['revoke_token', async () => run(['token', 'revoke', EMAIL, await idOf('token')]), /token .* revoked/],
    ['add_feed', () => run(['feed', 'add', EMAIL, '--name', 'Team', '--absences']), /calendar feed/],
    ['revoke_feed', async () => run(['feed', 'revoke', EMAIL, await idOf('feed')]), /feed .* revoked/],
    ['remove_company_sign_in', () => run(['user', 'remove-company-sign-in', EMAIL]), /company sign-in/],
    ['undo_auto_close', () => run(['undo-auto-close', EMAIL, '--since', '2026-01-01T00:00:00.000Z']), /reopened/],
    [
      'erase',
      async () => {
        // The only HR of a company stays.
        await run(['team', 'hr', 'Acme', 'ada@example.com'])
        await news()
        return run(['user', 'erase', EMAIL])
      },
      /deleted in 14 days/,
    ],
    ['reactivate', () => run(['user', 'reactivate', EMAIL]), /reactivated/],
    ['deactivate', () => run(['user', 'deactivate', EMAIL]), /deactivated/],
  ]
  for (const [act, does, subject] of acts) {
    await does()
    const fresh = await news()
    expect(fresh.acts, act).toMatchObject([{ act, by: 'operator', user: expect.stringMatching(/^[0-9a-f]{12}$/) }])
    expect(fresh.subjects, act).toEqual(subject ? [expect.stringMatching(subject)] : [])
  }
  await run(['user', 'deactivate', EMAIL])
  expect(await news()).toEqual({ acts: [], subjects: [] })
  expect(acts.map(([act]) => act as string).toSorted()).toEqual(Object.keys(userAccountActs).toSorted())
})

test('[D19.26] an act of an admin in the app is in the log with its doer, and mailed if it concerns keys', async () => {
  const { admin, box, graceId, news } = await begin()
  await news()
  const path = `/api/admin/users/${graceId}`
  const proof = { password: PASSWORD }
  const change = (json: object) => () => admin.call('PATCH', path, { json: { ...json, ...proof } })
  const invite = () =>
    admin.call('POST', '/api/admin/users', { json: { email: 'ben@example.com', name: 'Ben', ...proof } })
  let invited = 0
  const acts: [act: keyof typeof userAccountActs, does: () => Promise<{ status: number }>, subject?: RegExp][] = [
    [
      'invite',
      async () => {
        const made = await invite()
        invited = made.body.account.user_id
        return made
      },
    ],
    ['withdraw', () => admin.call('DELETE', `/api/admin/users/${invited}/invitation`)],
    ['link', () => admin.call('POST', `${path}/link`, { json: proof }), /new password/],
    ['confirm_email', change({ email: EMAIL })],
    ['change_name', change({ name: 'Grace Hopper' })],
    ['change_email', change({ email: 'hopper@example.com' }), /address .* changed/],
    ['make_admin', change({ role: 'admin' })],
    ['make_user', change({ role: 'user' })],
    ['end_sessions', () => admin.call('DELETE', `${path}/sessions`)],
    ['erase', () => admin.call('DELETE', path)],
    ['reactivate', change({ active: true })],
    ['deactivate', change({ active: false })],
  ]
  for (const [act, does, subject] of acts) {
    expect((await does()).status, act).toBeLessThan(300)
    // The mail leaves after the response.
    if (subject) await expect.poll(() => box.to(EMAIL).at(-1)?.subject).toMatch(subject)
    expect((await news()).acts, act).toMatchObject([{ act, by: expect.stringMatching(/^[0-9a-f]{12}$/) }])
  }
  await expect
    .poll(() => box.to('hopper@example.com').map(({ subject }) => subject))
    .toEqual([
      'Your e-mail address for Saldo was changed',
      'You are now an admin of Saldo',
      'You are no longer an admin of Saldo',
      'You were signed out of Saldo',
      'Your Saldo account will be deleted in 14 days',
      'Your Saldo account was reactivated',
      'Your Saldo account was deactivated',
    ])
  // All acts that the app has: those of the command alone have no route.
  const ofCommands = [
    ...['add', 'set_password', 'remove_second_factor', 'remove_passkeys', 'remove_company_sign_in', 'export'],
    ...['add_token', 'revoke_token', 'add_feed', 'revoke_feed', 'undo_auto_close', 'make_hr'],
  ]
  expect([...acts.map(([act]) => act as string), ...ofCommands].toSorted()).toEqual(
    Object.keys(userAccountActs).toSorted(),
  )
  // A state that is there already is no act.
  await admin.call('PATCH', path, { json: { role: 'user', active: false, name: 'Grace Hopper', ...proof } })
  expect((await news()).acts).toEqual([])
})

test('[D20.10] with company sign-in only, an invitation leads to the provider, in command and mail', async () => {
  const box = await openMailBox()
  const env = {
    SALDO_DATA_DIR: temporaryFolder(),
    SALDO_SMTP_URL: box.url,
    SALDO_MAIL_FROM: 'Saldo <saldo@example.com>',
    SALDO_PUBLIC_URL: 'https://saldo.example',
    SALDO_OIDC_ISSUER: 'https://login.example/realms/us',
    SALDO_OIDC_CLIENT_ID: 'saldo',
    SALDO_OIDC_CLIENT_SECRET: 'a secret',
    SALDO_OIDC_LABEL: 'Example Ltd',
    SALDO_OIDC_ONLY: 'yes',
  }
  const invited = await commandsIn(env).run('admin', 'user', 'invite', EMAIL, '--name', 'Grace')
  expect(invited).toEqual({
    code: 0,
    stdout:
      `https://saldo.example/\n${EMAIL} signs in there with Example Ltd, without a password\n` + `mailed to ${EMAIL}\n`,
    stderr: '',
  })
  expect((await commandsIn(env).run('admin', 'user', 'link', EMAIL, '--language', 'de')).code).toBe(0)
  const [english = '', german = ''] = box.to(EMAIL).map(({ text }) => text)
  expect(english).toContain('https://saldo.example')
  expect(english).toContain('sign in with your account at Example Ltd')
  expect(german).toContain('Melde dich mit deinem Konto bei Example Ltd an')
  for (const text of [english, german]) expect(text).not.toMatch(/#|Choose a password|Wähle/)
  // Where the user has given another address since, nobody has confirmed that it is theirs (D19.30).
  const database = new Database(join(env.SALDO_DATA_DIR, 'saldo.db'))
  database.exec('UPDATE users SET email_confirmed_at = NULL')
  database.close()
  expect((await commandsIn(env).run('admin', 'user', 'link', EMAIL)).code).toBe(0)
  expect([english, box.to(EMAIL).at(-1)?.text].map((text) => text?.split('\n')[0])).toEqual(['Hello Grace,', 'Hello,'])
})
