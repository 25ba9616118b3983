import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isHeavy } from '../../core/test/tier.ts'
import { addAccount } from '../../server/test/faults/full-time.ts'
import { runSaldo, serve, temporaryDir } from '../../server/test/faults/program.ts'
import { startTestService } from '../../server/test/harness.ts'
import { heavyTest } from '../../server/test/heavy-test.ts'
import { signUp } from '../../server/test/http/browser.ts'
import { commandsIn } from './in-process.ts'

test('conformance checks a service and reports in text, JSON and JUnit; a check that fails is code 1', async () => {
  const dir = temporaryDir()
  const token = await addAccount(dir)
  const { url } = await serve(dir)
  const conformance = (...args: string[]) => runSaldo(['conformance', url, '--token', token, ...args])

  const all = await conformance('--only', isHeavy ? 'R3' : 'R3.6')
  expect(all).toMatchObject({ code: 0, stderr: '' })
  expect(all.stdout).toMatch(/\n\d+ passed, 0 failed, \d+ not applicable\n$/)

  const json = await conformance('--only', 'R3.6', '--format', 'json')
  expect(json.code).toBe(0)
  expect(JSON.parse(json.stdout)).toMatchObject({ subject: url, failed: 0, leftovers: [] })

  // A clock that ignores the command to move.
  const broken = await conformance('--only', 'R4.1', '--advance-clock', 'true', '--format', 'junit')
  expect(broken).toMatchObject({ code: 1, stderr: '' })
  expect(broken.stdout).toMatch(/<testsuite name="[^"]+" tests="1" failures="1" skipped="0"/)
  const refused = await conformance('--only', 'R4.1', '--advance-clock', 'exit 3;')
  expect(refused.stdout).toMatch(/«exit 3; \d+» ended with 3/)
})

test('with --bail, the first failed check is the last', async () => {
  const service = await startTestService()
  onTestFinished(() => service.close())
  const { token } = await service.user()
  const check = (...args: string[]) =>
    commandsIn({}).run('conformance', service.url, '--token', token, '--advance-clock', 'false', ...args)
  const isFailed = /^FAIL/gm
  const [all, first] = [await check('--only', 'R4'), await check('--only', 'R4', '--bail')]
  process.exitCode = 0
  expect(all.stdout.match(isFailed)?.length).toBeGreaterThan(1)
  expect(first.stdout.match(isFailed)).toHaveLength(1)
})

heavyTest('conformance checks a client through its command', async () => {
  const script = join(temporaryDir(), 'mute.mjs')
  writeFileSync(script, "process.stdin.on('data', () => console.log('{\"ok\": false}'))")
  const { code, stdout } = await runSaldo([
    'conformance',
    '--client',
    `${process.execPath} ${script}`,
    '--only',
    'R5.2',
  ])
  expect(code).toBe(1)
  expect(stdout).toMatch(/^FAIL {2}R5\.1 R5\.2 R1\.5 {2}[^\n]+\n {7}the client failed at \{"do":"open"/)
})

test('an error of the command line is one line', async () => {
  const cases: [args: string[], code: number, line: string][] = [
    [[], 2, 'give the address of a service and a token, or a client'],
    [['http://localhost:1'], 2, 'give the address of a service and a token, or a client'],
    [['localhost:1', '--token', 'x'], 2, 'the address must begin with http: or https:'],
    [['http://localhost:1', '--client', 'x'], 2, 'give either the address of a service or a client'],
    [['http://localhost:1', '--token', 'x'], 1, 'no service answers at http://localhost:1'],
    [['http://localhost:1/week?x#y', '--token', 'x'], 1, 'no service answers at http://localhost:1'],
    [['--client', 'true', '--only', 'R99'], 2, 'no check is about «R99»'],
  ]
  const { run } = commandsIn({})
  for (const [args, code, line] of cases) {
    expect(await run('conformance', ...args)).toEqual({ code, stdout: '', stderr: `saldo: ${line}\n` })
  }
})

test('the token of another account lets the kit check that users do not see each other', async () => {
  const service = await startTestService()
  onTestFinished(() => service.close())
  const [own, other] = [await service.user(), await service.user()]
  const { run } = commandsIn({})
  const check = async (token: string, ...args: string[]) => {
    const { stdout } = await run(
      'conformance',
      service.url,
      '--token',
      token,
      '--only',
      'D8.3',
      '--format',
      'json',
      ...args,
    )
    return JSON.parse(stdout)
  }
  expect(await check(own.token)).toMatchObject({ passed: 0, failed: 0, not_applicable: 1 })
  expect(await check(own.token, '--other-token', other.token)).toMatchObject({ passed: 1, failed: 0 })
  expect(await run('conformance', service.url, '--token', 'wrong')).toEqual({
    ...{ code: 1, stdout: '', stderr: `saldo: the service at ${service.url} rejects the token\n` },
  })
})

test('the sessions of a company let the kit check companies', async () => {
  const service = await startTestService()
  onTestFinished(() => service.close())
  const { token } = await service.user()
  const [cookie] = [...(await signUp(service)).cookies].map(([name, value]) => `${name}=${value}`)
  const file = join(temporaryDir(), 'team.json')
  writeFileSync(file, JSON.stringify({ member: cookie, colleague: cookie, lead: cookie, stranger: cookie }))
  const check = async (...args: string[]) => {
    const { run } = commandsIn({})
    const all = [service.url, '--token', token, '--only', 'D24.1', '--format', 'json', ...args]
    return JSON.parse((await run('conformance', ...all)).stdout)
  }
  expect(await check()).toMatchObject({ passed: 0, failed: 0, not_applicable: 1 })
  expect(await check('--team', file)).toMatchObject({ passed: 1, failed: 0 })
  writeFileSync(file, '{"member": "a"}')
  const refused = await commandsIn({}).run('conformance', service.url, '--token', token, '--team', file)
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('no JSON with the cookies of member') })
})
