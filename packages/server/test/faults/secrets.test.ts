import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addAccount, caller, EMAIL, fullTime, PASSWORD, work } from './full-time.ts'
import { runSaldo, serve, temporaryDir } from './program.ts'

const NEXT_PASSWORD = 'staple battery horse'
const NOTE = 'a private note'

test('no secret and no record is in what a whole run logs and prints, at any level and in any failure', async () => {
  const dir = temporaryDir()
  const token = await addAccount(dir)
  const env = { SALDO_LOG_LEVEL: 'debug', SALDO_SIGNUP: 'open', SALDO_FAILED_SIGN_INS: '2' }
  const { program, url } = await serve(dir, { env })
  const cookies: string[] = []
  const secrets = [token, PASSWORD, NEXT_PASSWORD, NOTE, readFileSync(join(dir, 'auth-secret'), 'utf8')]
  const json = { 'content-type': 'application/json', origin: url }
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(url + path, { method: 'POST', ...init, headers: { ...json, ...init.headers } })
    for (const cookie of response.headers.getSetCookie()) cookies.push(cookie.split(';')[0] as string)
    return response
  }
  const session = () => ({ cookie: cookies.join('; ') })
  const body = (value: unknown) => ({ body: JSON.stringify(value) })

  const bearer = { authorization: `Bearer ${token}` }
  await caller(url, token)('POST', '/api/entries', work('2024-01-02', 8, NOTE))
  await caller(url, token)('POST', '/api/settings', fullTime('2024-01-01'))
  await send('/api/auth/sign-in', body({ email: EMAIL, password: PASSWORD }))
  const made = await send('/api/me/tokens', { ...body({ name: 'laptop', password: PASSWORD }), headers: session() })
  expect(made.status).toBe(201)
  secrets.push(((await made.json()) as { token: string }).token)
  await send('/api/auth/sign-up', body({ email: 'grace@example.com', name: 'Grace', password: PASSWORD }))
  await send('/api/me/password', {
    ...body({ current_password: PASSWORD, new_password: NEXT_PASSWORD }),
    headers: session(),
  })

  // Requests that fail.
  for (let attempt = 0; attempt < 4; attempt += 1) {
    await send('/api/auth/sign-in', body({ email: EMAIL, password: `${NEXT_PASSWORD}!` }))
  }
  await send('/api/auth/sign-in', { body: `{"email":"${EMAIL}","password":"${PASSWORD}"` })
  await send('/api/auth/sign-up', body({ email: EMAIL, name: 'Ada', password: NEXT_PASSWORD, setup_code: 1 }))
  await send('/api/entries', { ...body({ ...work('2024-01-02', 8, NOTE), kind: NOTE }), headers: bearer })
  await send('/api/sync/push', { ...body({ changes: [NOTE] }), headers: { authorization: `Bearer ${token}x` } })
  await send(`/api/balance?token=${token}`, { method: 'GET', headers: { cookie: `${cookies[0]}x` } })

  expect(await program.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(program.stderr.split('\n').length).toBeGreaterThan(15)
  const { stdout: users } = await runSaldo(['admin', 'user', 'list'], { env: { SALDO_DATA_DIR: dir } })
  const named = [...users.matchAll(/^(\d+)\t(\S+)/gm)].flatMap(([, ...names]) => names)
  expect(named).toHaveLength(4)
  for (const name of named) expect(program.stderr).not.toMatch(new RegExp(`\\b${name}\\b`))
  expect(program.stdout).toMatch(/^Saldo is at http:\/\/localhost:\d+\/\n$/)
  const commands = await Promise.all(
    [
      ['admin', 'user', 'list'],
      ['admin', 'token', 'list', EMAIL],
      ['admin', 'migrate'],
    ].map((args) => runSaldo(args, { env: { SALDO_DATA_DIR: dir } })),
  )
  const said = [program.stderr, program.stdout, ...commands.flatMap(({ stdout, stderr }) => [stdout, stderr])].join('')
  for (const cookie of cookies) secrets.push(cookie.slice(cookie.indexOf('=') + 1))
  for (const secret of secrets.filter((secret) => secret !== '')) {
    expect(said).not.toContain(secret)
    expect(said).not.toContain(decodeURIComponent(secret))
  }
})
