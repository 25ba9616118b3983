import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { runSaldo, saldo, temporaryDir } from '../../server/test/faults/program.ts'
import { startTestService } from '../../server/test/harness.ts'
import { heavyTest } from '../../server/test/heavy-test.ts'
import { enrol, wrongCodeAt } from '../../server/test/http/authenticator.ts'
import { PASSWORD, signUp } from '../../server/test/http/browser.ts'

const EMAIL = 'ada@example.com'
const SIGNED_IN = /signed in as ada@example\.com at \S+; 0 entries on this computer\r?\n$/

/** A command that runs another at a terminal: what is written to its stdin is typed there. */
const AT_A_TERMINAL = [
  'python3',
  '-c',
  'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))',
]

/** Starts a service with a user who needs a code to sign in, and returns the folders of a computer of theirs. */
async function begin() {
  // Sessions live by the computer's clock.
  const service = await startTestService({ now: new Date().toISOString() })
  onTestFinished(() => service.close())
  const browser = await signUp(service, EMAIL)
  const factor = await enrol(service, browser)
  // The code that turned them on is used up.
  service.clock.advance(60_000)
  const home = temporaryDir()
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, 'config'), XDG_DATA_HOME: join(home, 'data'), TZ: 'UTC' }
  return {
    ...factor,
    service,
    browser,
    env,
    isSignedIn: () => existsSync(join(env.XDG_CONFIG_HOME, 'saldo/account.json')),
  }
}

test('a password and a code come from standard input; without the right code nothing is stored', async () => {
  const { service, env, key, code, isSignedIn } = await begin()
  const login = (...lines: string[]) =>
    runSaldo(['login', service.url, '--email', EMAIL], { env, input: lines.map((line) => `${line}\n`).join('') })
  expect(await login(PASSWORD)).toMatchObject({
    ...{ code: 2, stdout: '' },
    stderr: 'saldo: a code is needed: give it on the second line of standard input\n',
  })
  expect(await login(PASSWORD, wrongCodeAt(key, service.clock.now()))).toMatchObject({
    ...{ code: 1, stdout: '' },
    stderr: expect.stringMatching(/^saldo: That code is not valid or was already used\. .*\n$/),
  })
  expect(isSignedIn()).toBe(false)
  expect(await login(PASSWORD, code())).toMatchObject({ code: 0, stdout: expect.stringMatching(SIGNED_IN), stderr: '' })
  expect(isSignedIn()).toBe(true)
})

test('at a terminal, login asks for e-mail address, password and code, and does not show the password', async () => {
  const { service, env, browser, recoveryCodes } = await begin()
  const [recoveryCode = ''] = recoveryCodes
  // Spaces are part of a password, and not of an address.
  const password = ` ${PASSWORD} `
  const passwords = { current_password: PASSWORD, new_password: password }
  expect((await browser.call('POST', '/api/me/password', { json: passwords })).status).toBe(204)
  const login = saldo(['login', service.url], { through: AT_A_TERMINAL, env, isTyped: true })
  const answers = [
    [/E-mail address .*: /, ` ${EMAIL} `],
    [/Password of ada@example\.com: /, password],
    [/Code of .*: /, recoveryCode],
  ] as const
  for (const [question, answer] of answers) {
    await login.wrote('stdout', question)
    login.type(answer)
  }
  expect(await login.exited, login.stdout).toEqual({ code: 0, signal: null })
  expect(login.stdout).toMatch(SIGNED_IN)
  expect(login.stdout).toContain(recoveryCode)
  expect(login.stdout).not.toContain(PASSWORD)
  expect(await runSaldo(['status'], { env })).toMatchObject({ code: 0, stdout: expect.stringMatching(/^balance /m) })
})

heavyTest('at a terminal, add asks which meaning is meant, and logout if changes may be lost', async () => {
  const { service, env, browser, code } = await begin()
  await runSaldo(['login', service.url, '--email', EMAIL], { env, input: `${PASSWORD}\n${code()}\n` })
  const answered = async (args: string[], question: RegExp, answer: string) => {
    const command = saldo([...args], { through: AT_A_TERMINAL, env, isTyped: true })
    const [asked] = await command.wrote('stdout', question)
    command.type(answer)
    return {
      asked: stripVTControlCharacters(asked).replaceAll('\r', ''),
      code: (await command.exited).code,
      stdout: command.stdout,
    }
  }
  const line = ['add', '8-12 offline work', '--date', '2026-11-18', '--offline']
  const added = await answered(line, /^1\) .*Which one\? /s, '2')
  const work = '2026-11-18 08:00-12:00 (4:00) offline work'
  expect(added.asked).toBe(`1) ${work} (new project offline)\n2) ${work}\nWhich one? `)
  expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining(`added ${work}`) })
  expect((await runSaldo(['log', '--to', '2026-11-18', '--json', '--offline'], { env })).stdout).toContain(
    '"note":"offline work"',
  )

  const { items } = (await browser.call('GET', '/api/me/tokens')).body
  for (const { id } of items) await browser.call('DELETE', `/api/me/tokens/${id}`)
  const question = /1 change on this computer only would be lost\. Sign out all the same\? \[y\/N\] /
  expect((await answered(['logout'], question, '')).code).toBe(1)
  expect((await answered(['logout'], question, 'y')).code).toBe(0)
  expect(await runSaldo(['status'], { env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('sign in first'),
  })
})
