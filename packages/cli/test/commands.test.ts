import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addAccount, caller, EMAIL, PASSWORD } from '../../server/test/faults/full-time.ts'
import { Program, type ProgramOptions, runSaldo, serve, temporaryDir } from '../../server/test/faults/program.ts'
import { heavyTest } from '../../server/test/heavy-test.ts'
import { codeAt } from '../../server/test/http/authenticator.ts'
import { type Asked, SoftAuthenticator } from '../../server/test/http/passkey-authenticator.ts'
import { openMailBox } from '../../server/test/mail/smtp-server.ts'

const NUMBER = expect.stringMatching(/^\d+$/)
const TODAY = /^\d{4}-\d\d-\d\d$/
const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/

/** Runs a command on a folder. */
function on(dataDir: string) {
  return (args: readonly string[], options: ProgramOptions = {}) =>
    runSaldo(args, { ...options, env: { SALDO_DATA_DIR: dataDir } })
}

const done = { code: 0, signal: null, stdout: '', stderr: '' }
const failed = (line: string, code = 1) => ({ code, signal: null, stdout: '', stderr: `saldo: ${line}\n` })
const add = (email: string) => ['admin', 'user', 'add', email, '--password-stdin']

test('[D8.20] [D8.27] user add creates the database, the first and further users; user list prints them', async () => {
  const dir = join(temporaryDir(), 'new')
  const run = on(dir)
  expect(await run(add('  Ada@Example.COM '), { input: `${PASSWORD}\n` })).toEqual(done)
  expect(await run(add('grace@example.com'), { input: PASSWORD })).toEqual(done)
  expect(await run(add('ADA@example.com'), { input: PASSWORD })).toEqual(
    failed('ada@example.com has an account already'),
  )
  const { code, stdout, stderr } = await run(['admin', 'user', 'list'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const rows = stdout.split('\n').map((line) => line.split('\t'))
  const rest = ['active', '0', 'never active', '0', 'no', '']
  const columns = [
    'number',
    'email',
    'confirmed',
    'created',
    'name',
    'role',
    'state',
    'sessions',
    'last_active',
    'bytes',
  ]
  expect(rows).toEqual([
    [...columns, 'second_factor', 'erased_on'],
    [NUMBER, 'ada@example.com', 'yes', expect.stringMatching(TODAY), '', 'admin', ...rest],
    [NUMBER, 'grace@example.com', 'yes', expect.stringMatching(TODAY), '', 'user', ...rest],
    [''],
  ])
})

heavyTest(
  '[D19.2] [D19.6] [D19.9] [D19.10] commands invite users, and deactivate, erase and reactivate them',
  async () => {
    const dir = join(temporaryDir(), 'new')
    const run = on(dir)
    const state = async () => {
      const [, ...rows] = (await run(['admin', 'user', 'list'])).stdout.split('\n')
      return rows.map((line) => line.split('\t')[6])
    }
    const invited = await run(['admin', 'user', 'invite', 'ada@example.com', '--name', 'Ada Lovelace'])
    expect(invited.stdout).toMatch(/^http:\/\/localhost:7253\/link#\d+_[\w-]{43}\n$/)
    expect((await run(['admin', 'user', 'link', 'ada@example.com'])).stdout).not.toBe(invited.stdout)
    const last = failed('ada@example.com is the last admin: make somebody else one first')
    for (const change of ['deactivate', 'erase'])
      expect(await run(['admin', 'user', change, 'ada@example.com'])).toEqual(last)
    await run(add('grace@example.com'), { input: PASSWORD })
    expect(await run(['admin', 'user', 'role', 'grace@example.com', 'admin'])).toEqual(done)
    expect(await run(['admin', 'user', 'deactivate', 'ada@example.com'])).toEqual(done)
    expect(await run(['admin', 'user', 'link', 'ada@example.com'])).toEqual(
      failed('ada@example.com is deactivated: reactivate the account first'),
    )
    expect(await state()).toEqual(['deactivated', 'active', undefined])
    expect(await run(['admin', 'user', 'erase', 'ada@example.com'])).toEqual(done)
    expect(await state()).toEqual(['erasing', 'active', undefined])
    expect(await run(['admin', 'user', 'reactivate', 'ada@example.com'])).toEqual(done)
    expect(await state()).toEqual(['invited', 'active', undefined])
  },
)

test('[D19.25] user export writes what the user would export, into a new file that only its owner reads', async () => {
  const dataDir = temporaryDir()
  const token = await addAccount(dataDir)
  const { url } = await serve(dataDir)
  const call = caller(url, token)
  for (const date of ['2026-11-19', '2026-11-20']) await call('POST', '/api/entries', { kind: 'sick', date })
  const { exported_at: _at, ...own } = (await call('GET', '/api/me/export')).body
  const file = join(temporaryDir(), 'ada.json')
  expect(await on(dataDir)(['admin', 'user', 'export', EMAIL, file])).toEqual(done)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject(own)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await on(dataDir)(['admin', 'user', 'export', EMAIL, file])).toEqual(
    failed(`${file} exists: Saldo does not overwrite it`),
  )
  const nowhere = join(file, 'ada.json')
  const { code, stderr } = await on(dataDir)(['admin', 'user', 'export', EMAIL, nowhere])
  expect([code, stderr]).toEqual([1, expect.stringContaining(nowhere)])
  expect(stderr).not.toContain('exists')
})

heavyTest('[D19.13] an invitation by command is mailed where mail is configured, else printed', async () => {
  const box = await openMailBox()
  const mail = {
    SALDO_SMTP_URL: box.url,
    SALDO_MAIL_FROM: 'saldo@example.com',
    SALDO_PUBLIC_URL: 'https://saldo.example',
  }
  const run = (args: string[]) => runSaldo(args, { env: { SALDO_DATA_DIR: dataDir, ...mail } })
  const dataDir = join(temporaryDir(), 'new')
  const invite = ['admin', 'user', 'invite', 'ada@example.com', '--name', 'Ada', '--language', 'de']
  const { stdout, code } = await run(invite)
  expect([code, stdout]).toEqual([0, 'mailed to ada@example.com\n'])
  expect(box.mails[0]).toMatchObject({
    subject: 'Deine Einladung zu Saldo',
    text: expect.stringMatching(/saldo\.example\/link#\d+_[\w-]{43}/),
  })
  const refused = await run(['admin', 'user', 'invite', 'refused@example.com', '--name', 'Eve'])
  expect(refused.code).toBe(1)
  expect(refused.stdout).toMatch(/^https:\/\/saldo\.example\/link#/)
  expect(refused.stderr).toBe('saldo: the mail could not be sent (550): pass the link on yourself\n')
})

heavyTest('an invalid e-mail address or password is one line and code 2, and creates no database', async () => {
  const dir = join(temporaryDir(), 'new')
  const run = on(dir)
  const noEmail = failed('the e-mail address must be an e-mail address of at most 254 characters', 2)
  const noPassword = failed('the password must have 10 to 128 characters', 2)
  expect(await run(add('ada'), { input: PASSWORD })).toEqual(noEmail)
  expect(await run(add(`${'a'.repeat(250)}@b.cc`), { input: PASSWORD })).toEqual(noEmail)
  expect(await run(add(EMAIL), { input: 'too short' })).toEqual(noPassword)
  expect(await run(add(EMAIL), { input: '' })).toEqual(noPassword)
  const common = failed('the password must not be a common password', 2)
  expect(await run(add(EMAIL), { input: 'password123' })).toEqual(common)
  expect(await run(add(EMAIL), { input: `\n${PASSWORD}\n` })).toEqual(noPassword)
  expect(await run(add(EMAIL), { input: 'x'.repeat(129) })).toEqual(noPassword)
  // Closed from the beginning.
  expect(await run(add(EMAIL))).toEqual(noPassword)
  expect(existsSync(dir)).toBe(false)
})

heavyTest('[D3.59] undo-auto-close reopens what was closed since a time, of one user or of all', async () => {
  const dir = temporaryDir()
  const run = on(dir)
  const since = ['--since', '2027-11-23T08:00:00Z']
  expect(await run(add(EMAIL), { input: PASSWORD })).toEqual(done)
  expect(await run(['admin', 'undo-auto-close', ...since])).toEqual(done)
  expect(await run(['admin', 'undo-auto-close', EMAIL, ...since])).toEqual(done)
  expect(await run(['admin', 'undo-auto-close', 'grace@example.com', ...since])).toEqual(
    failed('there is no user grace@example.com'),
  )
  expect((await run(['admin', 'undo-auto-close', '--since', 'yesterday'])).code).toBe(2)
})

heavyTest('a password typed at a terminal, where others could see it, is refused', async () => {
  const node = process.execPath
  const bundle = new URL('../dist/saldo.js', import.meta.url).pathname
  const command = `${node} ${bundle} admin user add ${EMAIL} --password-stdin`
  const terminal = new Program(['script', '--quiet', '--return', '--command', command, '/dev/null'], {
    env: { SALDO_DATA_DIR: temporaryDir() },
  })
  expect(await terminal.exited).toEqual({ code: 2, signal: null })
  expect(terminal.stdout).toMatch(/^saldo: the password is read from standard input: give it as a file or a pipe/)
})

heavyTest('the password is the exact first line of standard input without its line end', async () => {
  const dir = temporaryDir()
  const run = on(dir)
  const passwords = [
    '  spaces around it  ',
    'päßwört-über-öde',
    '密码密码密码密码密码',
    '🔑🔑🔑🔑🔑',
    'tab\there-and-there',
  ]
  const lineEnds = ['', '\n', '\r\n', '\nand more\n', '\n\n']
  for (const [index, password] of passwords.entries()) {
    const input = password + (lineEnds[index] as string)
    expect(await run(add(`user${index}@example.com`), { input })).toEqual(done)
  }
  const { url } = await serve(dir)
  for (const [index, password] of passwords.entries()) {
    const answer = await caller(url)('POST', '/api/auth/sign-in', { email: `user${index}@example.com`, password })
    expect(answer.status, password).toBe(200)
  }
})

heavyTest(
  'concurrent user add keeps every acknowledged user and each address once, on a new database too',
  async () => {
    const dir = temporaryDir()
    const run = on(dir)
    const outcomes = await Promise.all(
      ['ada', 'grace', 'ada', 'edsger', 'ada'].map((name) => run(add(`${name}@example.com`), { input: PASSWORD })),
    )
    const ofAda = [0, 2, 4].map((index) => outcomes[index])
    expect(ofAda.filter((outcome) => outcome?.code === 0)).toEqual([done])
    expect(ofAda.filter((outcome) => outcome?.code === 1)).toEqual(
      Array(2).fill(failed('ada@example.com has an account already')),
    )
    expect([outcomes[1], outcomes[3]]).toEqual([done, done])
    const { stdout } = await run(['admin', 'user', 'list'])
    const emails = stdout
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t')[1])
    expect(emails.sort()).toEqual(['ada@example.com', 'edsger@example.com', 'grace@example.com'])
  },
)

heavyTest('[D8.12] a token works at once on a running service, its use is listed, revoking is immediate', async () => {
  const dir = temporaryDir()
  const { url } = await serve(dir)
  const run = on(dir)
  expect(await run(add(EMAIL), { input: PASSWORD })).toEqual(done)
  expect((await caller(url)('POST', '/api/auth/sign-in', { email: EMAIL, password: PASSWORD })).status).toBe(200)

  const made = await run(['admin', 'token', 'add', EMAIL.toUpperCase(), '--name', 'laptop'])
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(made.stdout).toMatch(/^saldo_\d+_[\w-]{43}\n$/)
  const limits = ['--scope', 'read', '--expires', '2999-12-31T00:00:00Z']
  await run(['admin', 'token', 'add', EMAIL, '--name', 'übrig 🔑', ...limits])
  const call = caller(url, made.stdout.trim())
  expect((await call('GET', '/api/me')).body.email).toBe(EMAIL)

  const listed = await run(['admin', 'token', 'list', EMAIL])
  const rows = listed.stdout
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
  const laptop = rows.find(([, name]) => name === 'laptop')
  const [today, minute] = [expect.stringMatching(TODAY), expect.stringMatching(MINUTE)]
  expect(laptop?.slice(2)).toEqual([today, minute, 'full', 'never expires'])
  const limited = rows.find(([, name]) => name === 'übrig 🔑')
  expect(limited?.slice(3)).toEqual(['never used', 'read', 'expires 2999-12-31T00:00Z'])
  const ended = await run(['admin', 'token', 'add', EMAIL, '--name', 'x', '--expires', '2020-01-01T00:00:00Z'])
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: 'saldo: the time must be in the future\n' })

  const id = laptop?.[0] as string
  expect(await run(['admin', 'token', 'revoke', 'grace@example.com', id])).toEqual(
    failed('there is no user grace@example.com'),
  )
  expect((await call('GET', '/api/me')).status).toBe(200)
  expect(await run(['admin', 'token', 'revoke', EMAIL, id])).toEqual(done)
  expect((await call('GET', '/api/me')).status).toBe(401)
  expect(await run(['admin', 'token', 'revoke', EMAIL, id])).toEqual(failed(`${EMAIL} has no token ${id}`))
})

heavyTest('[D8.32] a password that the operator sets revokes all tokens, unless they keep them', async () => {
  const dir = temporaryDir()
  const run = on(dir)
  const token = await addAccount(dir)
  await run(['admin', 'token', 'add', EMAIL, '--name', 'laptop'])
  const { url } = await serve(dir)
  const isValid = async () => (await caller(url, token)('GET', '/api/me')).status === 200
  const command = ['admin', 'user', 'set-password', EMAIL, '--password-stdin']
  expect(await run([...command, '--keep-tokens'], { input: 'battery staple horse' })).toEqual(done)
  expect(await isValid()).toBe(true)
  expect(await run(command, { input: 'staple battery horse' })).toEqual(done)
  expect(await isValid()).toBe(false)
  expect((await run(['admin', 'token', 'list', EMAIL, '--json'])).stdout).toBe('[]\n')
})

heavyTest('[D1.39] a name that would break a line of the list or steer the terminal is refused', async () => {
  const dir = temporaryDir()
  await addAccount(dir)
  const run = on(dir)
  for (const name of ['a\tb', 'a\nb', 'c\u001b[2Jd', 'a\u202eb']) {
    const { code, stderr } = await run(['admin', 'token', 'add', EMAIL, '--name', name])
    expect([code, stderr]).toEqual([2, 'saldo: the name must be one line of text\n'])
  }
})

test('output that cannot be written is an error of one line', async () => {
  const dir = temporaryDir()
  await addAccount(dir)
  const bundle = new URL('../dist/saldo.js', import.meta.url).pathname
  const args = ['-c', '"$0" "$1" admin user list > /dev/full', process.execPath, bundle]
  const full = new Program(['sh', ...args], { env: { SALDO_DATA_DIR: dir } })
  expect(await full.exited).toEqual({ code: 1, signal: null })
  expect(full.stderr).toMatch(/^saldo: the output cannot be written: ENOSPC[^\n]*\n$/)
})

test('closing the output before its end is no error', async () => {
  const dir = temporaryDir()
  await addAccount(dir)
  const bundle = new URL('../dist/saldo.js', import.meta.url).pathname
  const command = 'set -o pipefail; "$0" "$1" admin user list | true'
  const pipe = new Program(['bash', '-c', command, process.execPath, bundle], { env: { SALDO_DATA_DIR: dir } })
  expect(await pipe.exited).toEqual({ code: 0, signal: null })
  expect(pipe.stderr).toBe('')
})

heavyTest('[D8.27] user commands reset password, second factor and passkeys, and end sessions', async () => {
  const dir = temporaryDir()
  const run = on(dir)
  await addAccount(dir)
  const remove = ['admin', 'user', 'remove-second-factor', EMAIL]
  expect(await run(remove)).toEqual(failed(`${EMAIL} signs in without codes`))
  const { url } = await serve(dir)
  let cookie = ''
  const post = async (path: string, json: object) => {
    const headers = { 'content-type': 'application/json', origin: url, cookie }
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(json) })
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    return { status: response.status, body: (await response.json()) as Asked & { key: string } }
  }
  const signIn = async (password = PASSWORD) => (await post('/api/auth/sign-in', { email: EMAIL, password })).status
  const isSignedIn = async () => (await fetch(`${url}/api/me`, { headers: { cookie } })).ok
  expect(await signIn()).toBe(200)
  const { key } = (await post('/api/me/second-factor', { password: PASSWORD })).body
  const confirmed = await post('/api/me/second-factor/confirmation', { code: codeAt(key, Date.now()) })
  expect(confirmed.status).toBe(200)
  expect(await signIn()).toBe(403)

  // A new password is no way around it.
  const next = 'battery staple horse'
  expect(await isSignedIn()).toBe(true)
  expect(await run(['admin', 'user', 'set-password', EMAIL, '--password-stdin'], { input: next })).toEqual(done)
  expect(await isSignedIn()).toBe(false)
  expect([await signIn(), await signIn(next)]).toEqual([401, 403])
  expect(await run(remove)).toEqual(done)
  expect(await signIn(next)).toBe(200)
  expect(await run(['admin', 'user', 'end-sessions', EMAIL])).toEqual(done)
  expect(await isSignedIn()).toBe(false)

  const removeCompanySignIn = ['admin', 'user', 'remove-company-sign-in', EMAIL]
  expect(await run(removeCompanySignIn)).toEqual(failed(`${EMAIL} has no company sign-in`))
  const removePasskeys = ['admin', 'user', 'remove-passkeys', EMAIL]
  expect(await run(removePasskeys)).toEqual(failed(`${EMAIL} has no passkeys`))
  const passkey = new SoftAuthenticator()
  const signInByPasskey = async () => {
    const asked = (await post('/api/auth/passkey/options', {})).body
    return (await post('/api/auth/passkey', { credential: passkey.get(asked, { origin: url }) })).status
  }
  await signIn(next)
  const credential = passkey.create((await post('/api/me/passkey-options', { password: next })).body, { origin: url })
  expect((await post('/api/me/passkeys', { name: 'Key ring', credential })).status).toBe(201)
  expect(await signInByPasskey()).toBe(200)
  expect(await run(removePasskeys)).toEqual(done)
  expect(await isSignedIn()).toBe(false)
  expect([await signInByPasskey(), await signIn(next)]).toEqual([401, 200])
})
