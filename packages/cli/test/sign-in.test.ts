import { existsSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { systemRandom } from '@saldo/client'
import { sqliteStore } from '@saldo/client/node'
import { expect, onTestFinished, test } from 'vitest'
import { serviceOfFile } from '../../server/test/file-service.ts'
import { PASSWORD, signUp } from '../../server/test/http/browser.ts'
import { commandsIn, done, failed, ownFolders } from './in-process.ts'

// Sessions live by the computer's clock.
const service = await serviceOfFile({ now: new Date().toISOString() })

/** Returns the command on a computer on which nobody is signed in. */
function newComputer() {
  const env = ownFolders()
  const file = join(env.XDG_CONFIG_HOME, 'saldo/account.json')
  return { ...commandsIn(env), env, file, isSignedIn: () => existsSync(file) }
}

test('login by a token, the first line of standard input, reports the account and its entries as JSON', async () => {
  const email = 'token@example.com'
  const { token, user, call } = await service.user(email)
  await call('POST', '/api/entries', { json: { kind: 'sick', date: '2026-11-20' } })
  const { given } = newComputer()
  expect(await given(` ${token} \r\nmore\n`).json('login', `${service.url}/`)).toEqual({
    ...{ url: service.url, email, user, entries: 1 },
  })
})

test('login by a password creates a token that records, named after the computer, and ends its session', async () => {
  const email = 'password@example.com'
  const browser = await signUp(service, email)
  const login = (input: string, ...options: string[]) =>
    newComputer()
      .given(input)
      .run('login', service.url, '--email', email, ...options)
  const signedIn = done(`signed in as ${email} at ${service.url}; 0 entries on this computer`)
  expect(await login(`${PASSWORD}\n`)).toEqual(signedIn)
  // As a file from Windows has it.
  expect(await login(`${PASSWORD}\r\n`, '--scope', 'read')).toEqual(signedIn)
  const { items } = (await browser.call('GET', '/api/me/tokens')).body
  const name = `saldo on ${hostname()}`
  expect(items).toHaveLength(2)
  for (const scope of ['record', 'read']) expect(items).toContainEqual(expect.objectContaining({ name, scope }))
  expect((await browser.call('GET', '/api/me/sessions')).body.items).toHaveLength(1)

  const wrong = failed('the e-mail address or the password is wrong', 1)
  // Spaces are part of a password.
  for (const input of ['', ` ${PASSWORD}`, `${PASSWORD} \n`, `\n${PASSWORD}`])
    expect(await login(input), input).toEqual(wrong)
})

test('login says which service does not answer or rejects the token, and stores nothing', async () => {
  const { given, isSignedIn } = newComputer()
  expect(await given('saldo_x').run('login', 'http://127.0.0.1:1')).toEqual(
    failed('no service answers at http://127.0.0.1:1', 1),
  )
  expect(await given('saldo_x').run('login', service.url)).toEqual(
    failed(`the service at ${service.url} rejects the token`, 1),
  )
  // Another web server is not a network that is away, whether a token or a password is given.
  const other = createServer((_request, response) => response.end('<h1>Welcome</h1>'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  for (const args of [[], ['--email', 'ada@example.com']]) {
    const { code, stderr } = await given('secret').run('login', address, ...args)
    expect(code).toBe(1)
    expect(stderr).not.toContain('no service answers')
  }
  expect(await given('\nsaldo_x').run('login', service.url)).toMatchObject({
    ...{ code: 2, stderr: expect.stringContaining('give a token on standard input') },
  })
  expect(isSignedIn()).toBe(false)
})

test('login fails if the account cannot be copied, and names the command that tries again', async () => {
  const halfService = createServer(({ url }, response) => {
    const head = { 'saldo-protocol': '1', 'content-type': 'application/json' }
    response.writeHead(url === '/api/me' ? 200 : 503, head)
    response.end(url === '/api/me' ? JSON.stringify({ user: 1, user_id: 1, email: 'ada@example.com' }) : '{}')
  })
  await new Promise<void>((resolve) => halfService.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void halfService.close())
  const { port } = halfService.address() as AddressInfo
  const { given } = newComputer()
  expect(await given('saldo_x').run('login', `http://127.0.0.1:${port}`)).toEqual(
    failed('the account could not be copied: run «saldo sync»', 1),
  )
})

test('login stores nothing of a service that answers anything, and says so without a stack', async () => {
  let body = ''
  const head = { 'saldo-protocol': '1', 'content-type': 'application/json' }
  const odd = createServer((_request, response) => response.writeHead(200, head).end(body))
  await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void odd.close())
  const address = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`
  const { given, isSignedIn } = newComputer()
  for (const answer of ['null', '[[]]', '{"user_id":"../x","email":["x"],"token":{}}']) {
    body = answer
    for (const args of [[], ['--email', 'ada@example.com']]) {
      const ended = await given('secret').run('login', address, ...args)
      expect(ended).toEqual(failed(`${address} does not answer as Saldo does`, 1))
    }
  }
  expect(isSignedIn()).toBe(false)
})

test('logout keeps changes that were not sent, unless it is forced, and otherwise sends them first', async () => {
  const email = 'logout@example.com'
  const { token, call } = await service.user(email)
  const signedOut = done(
    `signed out of ${service.url}; revoke the token in the settings of the app if nobody else may use it`,
  )
  const { given, run, isSignedIn } = newComputer()
  const add = (date: string) => run('add', '9-10', '--date', date, '--offline')
  await given(token).run('login', service.url)
  await add('2026-11-18')
  expect(await run('logout')).toEqual(signedOut)
  expect((await call('GET', '/api/entries')).body.items).toHaveLength(1)
  expect(await run('logout')).toEqual(failed('sign in first: saldo login https://saldo.example', 1))

  await given(token).run('login', service.url)
  await service.openBeside().then(async (stores) => {
    const [{ id } = { id: '' }] = await stores.users.tokens((await call('GET', '/api/me')).body.user_id)
    await stores.users.revokeToken((await call('GET', '/api/me')).body.user_id, id)
    await stores.close()
  })
  for (const date of ['2026-11-18', '2026-11-19']) await add(date)
  expect(await run('logout')).toEqual(
    failed('2 changes on this computer only would be lost: «saldo sync» sends them, --force gives them up', 1),
  )
  expect(isSignedIn()).toBe(true)
  expect((await run('log', '--to', '2026-11-19', '--offline')).stdout).toContain('(not sent)')
  expect(await run('logout', '--force')).toEqual(signedOut)
  expect(isSignedIn()).toBe(false)
})

test('files that cannot be read or written are named', async () => {
  const { token } = await service.user('files@example.com')
  const login = async (variable: 'XDG_CONFIG_HOME' | 'XDG_DATA_HOME', spoil: (folder: string) => void) => {
    const { given, env } = newComputer()
    spoil(env[variable])
    const { code, stderr } = await given(token).run('login', service.url)
    return { code, stderr: stderr.replace(env[variable], '') }
  }
  const isFile = (folder: string) => writeFileSync(folder, 'no folder')
  const leadsNowhere = (folder: string) => symlinkSync('/nonexistent/folder', folder)
  const failedWith = (what: string) => ({ code: 1, stderr: `saldo: ${what}\n` })
  expect(await login('XDG_CONFIG_HOME', isFile)).toEqual(failedWith('/saldo/account.json cannot be read: ENOTDIR'))
  expect(await login('XDG_CONFIG_HOME', leadsNowhere)).toEqual(
    failedWith('/saldo/account.json cannot be written: ENOENT'),
  )
  expect(await login('XDG_DATA_HOME', isFile)).toEqual(failedWith('/saldo cannot be created: ENOTDIR'))
})

test('a damaged copy of the account is named, and «logout --force» followed by «login» replaces it', async () => {
  const { token } = await service.user('damaged@example.com')
  const { given, run, env } = newComputer()
  const folder = join(env.XDG_DATA_HOME, 'saldo')
  // Cut off by a power failure, and overwritten by something else.
  const faults: ((path: string) => void)[] = [
    (path) => truncateSync(path, 5_000),
    (path) => writeFileSync(path, 'no database '.repeat(1_000)),
  ]
  for (const spoil of faults) {
    await given(token).run('login', service.url)
    for (const name of readdirSync(folder)) spoil(join(folder, name))
    for (const command of [['status'], ['sync'], ['log'], ['logout']]) {
      const { code, stdout, stderr } = await run(...command)
      expect(stderr).toBe(
        'saldo: the local copy of the account is damaged: «saldo logout --force» removes it with what was not sent, ' +
          'then «saldo login» copies the account again\n',
      )
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    }
    expect(await run('logout', '--force')).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(folder).filter((name) => name.includes('.db'))).toEqual([])
    expect(await given(token).run('login', service.url)).toMatchObject({ code: 0, stderr: '' })
    expect(await run('status', '--offline')).toMatchObject({ code: 0, stderr: '' })
    await run('logout')
  }
})

test('a copy that another command has open is not deleted, not even if forced', async () => {
  const { token, user } = await service.user('busy@example.com')
  const { given, run, env } = newComputer()
  await given(token).run('login', service.url)
  const folder = join(env.XDG_DATA_HOME, 'saldo')
  const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.db'))
  const store = sqliteStore(join(folder, file))({ user, random: systemRandom })
  expect(await run('logout', '--force')).toEqual(
    failed('another command has the local copy open: try again when it has ended', 1),
  )
  await store.close()
  expect(await run('logout', '--force')).toMatchObject({ code: 0 })
})
