import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addressOf, firstLineOfStdin, serviceOf } from '../src/input.ts'
import { userFolders } from '../src/system.ts'
import { localCopyOf, readSignIn, removeSignIn, writeSignIn } from '../src/user/sign-in-file.ts'
import { temporaryFolder } from './in-process.ts'

const account = { url: 'https://saldo.example', token: 'saldo_own', user: 7, email: 'ada@example.com' }

let home: string
beforeEach(() => {
  home = temporaryFolder()
  vi.stubEnv('XDG_CONFIG_HOME', join(home, 'config'))
  vi.stubEnv('XDG_DATA_HOME', join(home, 'data'))
  vi.stubEnv('SALDO_URL', undefined)
  vi.stubEnv('SALDO_TOKEN', undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
})

test('an account is stored for its owner alone, also where an unfinished file was left, and removed', () => {
  const file = join(home, 'config/saldo/account.json')
  mkdirSync(join(home, 'config/saldo'), { recursive: true })
  writeFileSync(`${file}.${process.pid}`, 'unfinished')
  chmodSync(`${file}.${process.pid}`, 0o644)
  expect(readSignIn()).toBeUndefined()
  writeSignIn(account)
  expect(readSignIn()).toEqual(account)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  localCopyOf(account)
  for (const folder of ['data/saldo', 'data']) expect(statSync(join(home, folder)).mode & 0o777, folder).toBe(0o700)
  removeSignIn()
  removeSignIn()
  expect(readSignIn()).toBeUndefined()
})

test('a damaged account file is named with what to do', () => {
  writeSignIn(account)
  const file = join(home, 'config/saldo/account.json')
  for (const text of ['', '{', 'null', '{}', JSON.stringify({ ...account, user: '7' }), JSON.stringify({ url: 'x' })]) {
    writeFileSync(file, text)
    expect(readSignIn, text).toThrow(`${file} is damaged: delete it, and run «saldo login» again`)
  }
})

test('each user of each service has a local copy of their own', () => {
  const others = [
    { ...account, user: 8 },
    { ...account, url: 'https://saldo.example:8443' },
    { ...account, url: 'https://saldo.example/team' },
    { ...account, url: 'https://other.example' },
  ]
  const copies = [account, ...others].map(localCopyOf)
  expect(new Set(copies).size).toBe(copies.length)
  expect(localCopyOf({ ...account, token: 'saldo_new' })).toBe(copies[0])
  expect(copies[0]).toBe(join(home, 'data/saldo/saldo.example-7.db'))
})

test('service and token come from options or the environment, else the account, never mixed with it', () => {
  const both = 'sign in with «saldo login», or give the service and a token'
  expect(() => serviceOf({})).toThrow(both)
  writeSignIn(account)
  expect(serviceOf({})).toMatchObject({ url: account.url, token: account.token })
  // The token of one service is not sent to another one.
  vi.stubEnv('SALDO_URL', 'https://env.example/')
  expect(() => serviceOf({})).toThrow(both)
  vi.stubEnv('SALDO_TOKEN', 'saldo_env')
  expect(serviceOf({})).toEqual({ url: 'https://env.example', token: 'saldo_env' })
  vi.stubEnv('SALDO_URL', undefined)
  expect(() => serviceOf({})).toThrow(both)
})

test('an address is of the web; that of any page of a service is the service', () => {
  for (const text of ['HTTPS://Saldo.example', 'https://saldo.example/', 'https://saldo.example/week?x=1#y']) {
    expect(addressOf(text), text).toBe('https://saldo.example')
  }
  expect(addressOf('http://localhost:4000/')).toBe('http://localhost:4000')
  for (const text of ['', 'saldo.example', 'file:///etc', 'ftp://saldo.example']) {
    expect(() => addressOf(text), text).toThrow('the address must begin with http: or https:')
  }
})

test('a secret is the exact first line of standard input, and is not read from a terminal', async () => {
  const lineOf = async (text: string, isTTY = false) => {
    const stdin = Object.assign(Readable.from([text]), { isTTY }) as typeof process.stdin
    const spy = vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin)
    return firstLineOfStdin('the password').finally(() => spy.mockRestore())
  }
  for (const end of ['', '\n', '\r\n', '\nmore\n'])
    expect(await lineOf(` tab\tand space ${end}`)).toBe(' tab\tand space ')
  expect(await lineOf('\nlate')).toBe('')
  await expect(lineOf('secret', true)).rejects.toThrow(
    'the password is read from standard input: give it as a file or a pipe, such as «< file»',
  )
})

test('folders are those of XDG or of the platform, and a relative one is ignored', () => {
  const at = (environment: Record<string, string>, platform: string) => userFolders(environment, platform, '/home/ada')
  expect(at({}, 'linux')).toEqual({ config: '/home/ada/.config/saldo', data: '/home/ada/.local/share/saldo' })
  expect(at({ XDG_CONFIG_HOME: '/etc/ada', XDG_DATA_HOME: 'data' }, 'linux')).toEqual({
    config: '/etc/ada/saldo',
    data: '/home/ada/.local/share/saldo',
  })
  const support = '/home/ada/Library/Application Support/saldo'
  expect(at({ APPDATA: '/roaming' }, 'darwin')).toEqual({ config: support, data: support })
  expect(at({ APPDATA: '/roaming', LOCALAPPDATA: '/local' }, 'win32')).toEqual({
    config: '/roaming/saldo',
    data: '/local/saldo',
  })
  expect(at({}, 'win32')).toEqual({
    config: '/home/ada/AppData/Roaming/saldo',
    data: '/home/ada/AppData/Local/saldo',
  })
})
