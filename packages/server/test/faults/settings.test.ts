import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/env.ts'
import { ConfigError } from '../../src/errors.ts'
import { heavyTest } from '../heavy-test.ts'
import { addAccount, caller, EMAIL, PASSWORD } from './full-time.ts'
import { runSaldo, saldo, serve, temporaryDir, whenServing } from './program.ts'

const secret = 'too-short-to-be-a-secret'
const SMTP_EXAMPLES = 'smtps://mail.example.com or smtp://localhost:25'

test('an invalid or unknown setting is named with what it must be', () => {
  const wrong: [name: string, value: string, says: string][] = [
    ['SALDO_HOST', '', 'must be a host name or an address'],
    ['SALDO_PORT', '65536', 'must be a whole number from 0 to 65535'],
    ['SALDO_PORT', '', 'must be a whole number from 0 to 65535'],
    ['SALDO_PORT', '80 ', 'must be a whole number from 0 to 65535'],
    ['SALDO_DATA_DIR', '', 'must be a folder'],
    ['SALDO_DATABASE_URL', 'mysql://localhost/saldo', 'must be a URL such as postgresql://saldo@localhost/saldo'],
    ['SALDO_DATABASE_CONNECTIONS', '1', 'must be a whole number from 2 to 1000'],
    ['SALDO_EVENT_STREAMS', 'many', 'must be a whole number from 1 to 1000000'],
    ['SALDO_SIGNUP', 'everybody', 'must be one of first, open, closed'],
    ['SALDO_LOG_LEVEL', 'INFO', 'must be one of silent, error, warn, info, debug'],
    ['SALDO_PUBLIC_URL', 'saldo.example', 'must be an origin such as https://saldo.example'],
    ['SALDO_PUBLIC_URL', 'https://saldo.example/app', 'must be an origin such as https://saldo.example'],
    ['SALDO_DEMO', 'yes', 'must be 1, or 0 for no demo'],
    ['SALDO_TRUSTED_PROXIES', '11', 'must be a whole number from 0 to 10'],
    ['SALDO_WRITES_PER_MINUTE', '0', 'must be a whole number from 1 to 1000000'],
    ['SALDO_FAILED_SIGN_INS', '1e3', 'must be a whole number from 1 to 1000000'],
    ['SALDO_SMTP_URL', 'mail.example.com', `must be a URL such as ${SMTP_EXAMPLES}`],
    ['SALDO_SMTP_URL', 'smtp://localhost', 'needs SALDO_PUBLIC_URL, to which links in mails lead'],
    ['SALDO_MAIL_FROM', 'Saldo', 'must be an address such as Saldo <saldo@example.com>'],
    ['SALDO_MAIL_FROM', 'saldo@example.com', 'needs SALDO_SMTP_URL'],
    ['SALDO_AUTH_SECRET', secret, 'must be at least 32 characters'],
  ]
  for (const [name, value, says] of wrong) {
    expect(() => readConfig({ [name]: value })).toThrow(new ConfigError(`${name} ${says}`))
  }
  expect(() => readConfig({ SALDO_PROT: '7253' })).toThrow(new ConfigError('Unknown setting SALDO_PROT'))
})

test('an invalid setting stops the start with one line and code 2, before a folder is made', async () => {
  const dataDir = join(temporaryDir(), 'data')
  const env = { SALDO_DATA_DIR: dataDir, SALDO_AUTH_SECRET: secret }
  const stderr = 'saldo: SALDO_AUTH_SECRET must be at least 32 characters\n'
  expect(await runSaldo(['serve'], { env })).toEqual({ code: 2, signal: null, stdout: '', stderr })
  expect(existsSync(dataDir)).toBe(false)
})

test('the printed line has the public address and the set-up code, and an interrupt stops the service', async () => {
  const env = { SALDO_PUBLIC_URL: 'https://saldo.example' }
  const { program } = await serve(join(temporaryDir(), 'made'), { env })
  expect(program.stdout).toMatch(/^Saldo is at https:\/\/saldo\.example\/#setup=[\w-]{22}\n$/)
  expect(await program.kill('SIGINT')).toEqual({ code: 0, signal: null })
})

heavyTest('the line that is printed carries the set-up code until there is a user', async () => {
  const dataDir = join(temporaryDir(), 'made', 'at', 'start')
  const first = await serve(dataDir)
  expect(first.program.stdout).toMatch(/^Saldo is at http:\/\/localhost:\d+\/#setup=[\w-]{22}\n$/)
  const code = first.setupCode
  await first.program.kill('SIGTERM')
  const second = await serve(dataDir)
  expect(second.setupCode).toBe(code)
  const call = caller(second.url)
  const newcomer = { email: EMAIL, name: 'Ada', password: PASSWORD }
  expect((await call('POST', '/api/auth/sign-up', { ...newcomer, setup_code: 'guessed' })).status).toBe(403)
  expect((await call('POST', '/api/auth/sign-up', { ...newcomer, setup_code: code })).status).toBe(201)
  await second.program.kill('SIGTERM')
  const third = await serve(dataDir)
  expect(third.program.stdout).toMatch(/^Saldo is at http:\/\/localhost:\d+\/\n$/)
})

heavyTest('where nobody can sign up, no set-up code is printed', async () => {
  const { setupCode } = await serve(temporaryDir(), { env: { SALDO_SIGNUP: 'closed' } })
  expect(setupCode).toBeUndefined()
})

heavyTest('the printed address is one that can be opened', async () => {
  const hosts: [host: string, address: RegExp][] = [
    ['127.0.0.1', /^http:\/\/localhost:\d+$/],
    ['0.0.0.0', /^http:\/\/localhost:\d+$/],
    ['::1', /^http:\/\/\[::1\]:\d+$/],
    ['localhost', /^http:\/\/localhost:\d+$/],
  ]
  for (const [host, address] of hosts) {
    const { url, program } = await serve(temporaryDir(), { env: { SALDO_HOST: host } })
    expect(url).toMatch(address)
    expect((await caller(url)('GET', '/api/health')).status, url).toBe(200)
    await program.kill('SIGTERM')
  }
  const behindProxy = await serve(temporaryDir(), { env: { SALDO_PUBLIC_URL: 'https://saldo.example' } })
  expect(behindProxy.url).toBe('https://saldo.example')
})

test('the defaults are ./data in the working folder, loopback, port 7253, and sign-up of the first user', async () => {
  const cwd = temporaryDir()
  mkdirSync(join(cwd, 'data'))
  await addAccount(join(cwd, 'data'))
  const users = await runSaldo(['admin', 'user', 'list'], { cwd })
  expect(users.stdout).toMatch(new RegExp(`\n\\d+\t${EMAIL}\t`))
  const program = saldo(['serve'], { cwd, env: {} })
  // Something else may have that port on this computer; then the line says which it was.
  const outcome = await Promise.race([whenServing(program), program.exited])
  if ('url' in outcome) {
    expect(outcome.url).toBe('http://localhost:7253')
    expect((await caller(outcome.url)('GET', '/api/version')).body.signup).toBe('closed')
  } else {
    expect(program.stderr).toBe('saldo: port 7253 is in use: set SALDO_PORT to another one\n')
  }
})

heavyTest('debug logs every request, info only refused ones, and silent nothing', async () => {
  const logged = async (level: string) => {
    const { url, program } = await serve(temporaryDir(), { env: { SALDO_LOG_LEVEL: level } })
    const code = /setup=(\S+)/.exec(program.stdout)?.[1]
    const call = caller(url)
    await call('POST', '/api/auth/sign-up', { email: EMAIL, name: 'Ada', password: PASSWORD, setup_code: code })
    await call('GET', '/api/version')
    await program.kill('SIGTERM')
    return program.stderr
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).msg)
  }
  expect(await logged('debug')).toEqual(['started', 'user signed up', 'request', 'request', 'stopping', 'stopped'])
  expect(await logged('info')).toEqual(['started', 'user signed up', 'stopping', 'stopped'])
  expect(await logged('silent')).toEqual([])
})
