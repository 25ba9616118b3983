import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PasskeyStore } from '../../server/src/store/users/passkeys.ts'
import { scryptHashing } from '../../server/src/users/password-hashing.ts'
import { serviceOfFile } from '../../server/test/file-service.ts'
import { startTestService } from '../../server/test/harness.ts'
import { enrol } from '../../server/test/http/authenticator.ts'
import { openBrowser, PASSWORD, signUp } from '../../server/test/http/browser.ts'
import { openMailBox } from '../../server/test/mail/smtp-server.ts'
import { commandsIn, temporaryFolder } from './in-process.ts'

/** The service's clock. Commands go by that of the computer. */
const NOW = '2030-01-02T03:04:05.000Z'
const TODAY = new Date().toISOString().slice(0, 10)
const NEXT_PASSWORD = ' battery staple horse '

// Commands hash as the service does, so it has to understand their hashes.
const service = await serviceOfFile({ now: NOW, hashing: scryptHashing })

/** Runs an operator's command on the database of the running service, with a text on standard input. */
const admin = (args: string[], { input = '', env = {} } = {}) =>
  commandsIn({ SALDO_DATA_DIR: service.dataDir, ...env })
    .given(input)
    .run('admin', ...args)
const user = (command: string, email: string, ...options: string[]) => admin(['user', command, email, ...options])
const rowsOf = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))

const done = { code: 0, stdout: '', stderr: '' }
const failed = (line: string, code = 1) => ({ code, stdout: '', stderr: `saldo: ${line}\n` })

test('[D8.12] a token by command has its scope and its end, is listed with its use, and is revoked', async () => {
  const email = 'tokens@example.com'
  await service.user(email)
  const token = (command: string, ...args: string[]) => admin(['token', command, email.toUpperCase(), ...args])
  const full = (await token('add', '--name', 'laptop')).stdout.trim()
  const ends = ['--expires', '2030-01-02T04:00:00Z']
  const reading = (await token('add', '--name', 'wall', '--scope', 'read', ...ends)).stdout.trim()
  const statusOf = async (token: string, method = 'GET', path = '/api/me') =>
    (await service.call(method, path, { token, ...(method === 'POST' && { json: { kind: 'sick', date: TODAY } }) }))
      .status
  expect([await statusOf(reading), await statusOf(reading, 'POST', '/api/entries')]).toEqual([200, 403])
  expect(await statusOf(full, 'POST', '/api/settings')).toBe(422)

  const rows = rowsOf((await token('list')).stdout)
  const rowOf = (name: string) => rows.find((row) => row[1] === name) ?? []
  expect(rowOf('laptop').slice(2)).toEqual([TODAY, '2030-01-02T03:04Z', 'full', 'never expires'])
  expect(rowOf('wall').slice(4)).toEqual(['read', 'expires 2030-01-02T04:00Z'])
  await token('add', '--name', 'spare')
  expect((await token('list')).stdout).toMatch(/\tspare\t[\d-]+\tnever used\tfull\tnever expires\n/)

  const [id = ''] = rowOf('laptop')
  expect(await token('revoke', id)).toEqual(done)
  expect([await statusOf(full), await statusOf(reading)]).toEqual([401, 200])
  expect(await token('revoke', id)).toEqual(failed(`${email.toUpperCase()} has no token ${id}`))
  const expiring = (at: string) => token('add', '--name', 'x', '--expires', at)
  expect(await expiring('2026-01-01T00:00:00Z')).toEqual(failed('the time must be in the future', 2))
  expect(await expiring('tomorrow')).toMatchObject({ code: 2, stdout: '' })
})

test('[D8.32] a password set by command is the exact first line, ends sessions, and revokes tokens', async () => {
  const email = 'password@example.com'
  const browser = await signUp(service, email)
  const token = (await admin(['token', 'add', email, '--name', 'laptop'])).stdout.trim()
  const statuses = async () => {
    const { status } = await browser.call('GET', '/api/me')
    return [status, (await service.call('GET', '/api/me', { token })).status]
  }
  const setPassword = (input: string, ...options: string[]) =>
    admin(['user', 'set-password', email, '--password-stdin', ...options], { input })
  const signIn = async (password: string) =>
    (await openBrowser(service).call('POST', '/api/auth/sign-in', { json: { email, password } })).status

  const short = failed('the password must have 10 to 128 characters', 2)
  for (const input of ['', 'too short', `\n${PASSWORD}\n`, 'x'.repeat(129)])
    expect(await setPassword(input)).toEqual(short)
  expect(await setPassword('password123\n')).toEqual(failed('the password must not be a common password', 2))
  expect(await statuses()).toEqual([200, 200])

  expect(await setPassword(`${NEXT_PASSWORD}\r\nand more\n`, '--keep-tokens')).toEqual(done)
  expect(await statuses()).toEqual([401, 200])
  expect([await signIn(PASSWORD), await signIn(NEXT_PASSWORD.trim()), await signIn(NEXT_PASSWORD)]).toEqual([
    401, 401, 200,
  ])
  expect(await setPassword(PASSWORD)).toEqual(done)
  expect(await statuses()).toEqual([401, 401])
})

test('[D8.27] commands end the sessions of a user, and remove second factor and passkeys, once', async () => {
  const email = 'access@example.com'
  const browser = await signUp(service, email)
  const { body: me } = await browser.call('GET', '/api/me')
  const isSignedIn = async () => (await browser.call('GET', '/api/me')).status === 200
  const signIn = async () =>
    (await browser.call('POST', '/api/auth/sign-in', { json: { email, password: PASSWORD } })).status

  expect(await user('remove-second-factor', email)).toEqual(failed(`${email} signs in without codes`))
  await enrol(service, browser)
  expect(await user('remove-second-factor', email)).toEqual(done)
  expect([await isSignedIn(), await signIn()]).toEqual([true, 200])
  expect(await user('end-sessions', email)).toEqual(done)
  expect(await isSignedIn()).toBe(false)

  expect(await user('remove-passkeys', email)).toEqual(failed(`${email} has no passkeys`))
  await signIn()
  const stores = await service.openBeside()
  const passkeys = new PasskeyStore(stores.driver)
  const key = { credentialId: 'a', publicKey: 'b', counter: 0 }
  await passkeys.add(
    me.user_id,
    { id: '00000000-0000-4000-8000-000000000001', name: 'Key ring', created_at: NOW, last_used_at: null },
    key,
  )
  expect(await user('remove-passkeys', email)).toEqual(done)
  expect([await passkeys.list(me.user_id), await isSignedIn()]).toEqual([[], false])
  await stores.close()
})

test('user list has the name, the last activity and the bytes of each user', async () => {
  const email = 'named@example.com'
  const add = (...options: string[]) =>
    admin(['user', 'add', email, '--password-stdin', ...options], { input: PASSWORD })
  expect(await add('--name', 'n'.repeat(201))).toMatchObject({ code: 2, stdout: '' })
  expect(await add('--name', 'Ada Lovelace')).toEqual(done)
  const row = async () => rowsOf((await admin(['user', 'list'])).stdout).find((each) => each[1] === email) ?? []
  expect((await row()).slice(2)).toEqual([
    'yes',
    TODAY,
    'Ada Lovelace',
    'user',
    'active',
    '0',
    'never active',
    '0',
    'no',
    '',
  ])
  const browser = openBrowser(service)
  await browser.call('POST', '/api/auth/sign-in', { json: { email, password: PASSWORD } })
  await browser.call('POST', '/api/entries', { json: { kind: 'sick', date: TODAY } })
  expect((await row()).slice(7)).toEqual(['1', '2030-01-02', expect.stringMatching(/^[1-9]\d+$/), 'no', ''])
})

test('[D19.13] a link by command is mailed in the language that it names', async () => {
  const box = await openMailBox()
  const email = 'linked@example.com'
  await service.user(email)
  const env = {
    SALDO_SMTP_URL: box.url,
    SALDO_MAIL_FROM: 'saldo@example.com',
    SALDO_PUBLIC_URL: 'https://saldo.example',
  }
  const link = async (...options: string[]) =>
    (await admin(['user', 'link', email, '--language', 'de', ...options], { env })).stdout
  expect(await link()).toBe('mailed to linked@example.com\n')
  expect(box.mails).toMatchObject([{ subject: expect.stringContaining('Passwort') }])
  // One that is printed is not mailed; the person learns that there is one.
  expect(await link('--show')).toMatch(/^https:\/\/saldo\.example\/link#\d+_[\w-]{43}\n$/)
  expect(box.mails.at(-1)).toMatchObject({ subject: 'Für dein Saldo-Passwort wurde ein Link erstellt' })
})

test('[D15.8] the words of a calendar feed by command are in the language that it names', async () => {
  const email = 'feed@example.com'
  const { call } = await service.user(email)
  const target_ms = Array(7).fill(0)
  await call('POST', '/api/settings', { json: { effective_from: '2026-01-01', time_zone: 'UTC', target_ms } })
  await call('POST', '/api/entries', { json: { kind: 'vacation', date: '2030-01-02' } })
  await call('POST', '/api/entries', {
    json: { kind: 'work', started_at: '2030-01-01T08:00:00Z', ended_at: '2030-01-01T09:00:00Z' },
  })
  const shown = async (...options: string[]) => {
    const { stdout } = await admin(['feed', 'add', email, '--name', 'Team', ...options])
    const feed = await (await fetch(service.url + new URL(stdout).pathname)).text()
    return [...feed.matchAll(/SUMMARY:(\S+)/g)].map(([, summary]) => summary)
  }
  expect(await shown('--absences')).toEqual(['Vacation'])
  expect(await shown('--absences', '--language', 'de')).toEqual(['Urlaub'])
  expect(await shown('--work')).toHaveLength(1)
})

test('backup and restore name the files, the one that is kept, and what devices and users will notice', async () => {
  const other = await startTestService()
  await other.user('copied@example.com')
  const env = { SALDO_DATA_DIR: other.dataDir }
  const [file, copy] = [join(other.dataDir, 'saldo.db'), join(temporaryFolder(), 'copy.db')]
  const backedUp = await admin(['backup', copy], { env })
  expect(backedUp.stdout).toBe(
    `${copy} holds the database, checked: ${statSync(copy).size} bytes.\n${copy}.auth-secret holds its secret: keep both.\n`,
  )
  const advice = [
    'Devices notice at their next sync: they fetch everything anew, and send again what they have and the copy lacks.',
    'Passwords, sessions and tokens are those of the copy: what was revoked since then is valid again.',
    '',
  ]
  await other.restart(async () => {
    const { stdout } = await admin(['restore', copy], { env })
    const [is = '', kept = '', ...rest] = stdout.split('\n')
    expect([is, ...rest]).toEqual([`${file} is now as ${copy} was.`, ...advice])
    expect(existsSync(/^What was there is kept as (.*)\.$/.exec(kept)?.[1] ?? '')).toBe(true)
  })
  await other.close()
  const empty = temporaryFolder()
  const { stdout } = await admin(['restore', copy], { env: { SALDO_DATA_DIR: empty } })
  expect(stdout.split('\n')).toEqual([`${join(empty, 'saldo.db')} is now as ${copy} was.`, ...advice])
})

test('[D23.1] with SALDO_DEMO, backup and restore are about the database of the demo', async () => {
  const dataDir = temporaryFolder()
  const demo = await startTestService({ dataDir, config: { demo: true } })
  await demo.close()
  const env = { SALDO_DATA_DIR: dataDir, SALDO_DEMO: '1' }
  const real = join(dataDir, 'saldo.db')
  writeFileSync(real, 'the real database')
  const copy = join(temporaryFolder(), 'copy.db')
  expect((await admin(['backup', copy], { env })).stdout).toContain(`${copy} holds the database`)
  expect((await admin(['restore', copy], { env })).stdout).toContain(
    `${join(dataDir, 'demo.db')} is now as ${copy} was`,
  )
  expect(readFileSync(real, 'utf8')).toBe('the real database')
})
