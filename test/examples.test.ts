import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addAccount, caller, fullTime } from '../packages/server/test/faults/full-time.ts'
import { Program, root, runSaldo, serve, temporaryDir } from '../packages/server/test/faults/program.ts'
import { heavyTest } from '../packages/server/test/heavy-test.ts'

const example = (name: string) => join(root, 'examples', name)

async function begin() {
  const dir = temporaryDir()
  const token = await addAccount(dir)
  const { url, program } = await serve(dir)
  return { url, token, program, call: caller(url, token) }
}

heavyTest('the device in Python passes the conformance kit for clients', async () => {
  const client = `python3 -B '${example('python/conformance_client.py')}'`
  const { code, stdout } = await runSaldo(['conformance', '--client', client])
  expect(code, stdout).toBe(0)
  expect(stdout).toMatch(/ passed, 0 failed, 0 not applicable\n$/)
})

test('the device in Python writes and hashes records as the fixtures say', async () => {
  const check = `
import json, sys
from saldo_sync import canonical, hash_of
fixtures = json.load(open(sys.argv[1]))
for case in fixtures["canonical"]:
    assert canonical(case["value"]) == case["text"], case["name"]
for case in fixtures["digests"]:
    total = 0
    for record in case["records"]:
        total ^= hash_of(canonical(record))
    assert f"{total:016x}" == case["digest"], case["name"]
`
  const options = { cwd: example('python') }
  const run = new Program(['python3', '-B', '-c', check, join(root, 'fixtures/digests.json')], options)
  expect({ ...(await run.exited), stderr: run.stderr }).toEqual({ code: 0, signal: null, stderr: '' })
})

heavyTest('the button in Node starts a timer, and stops it without a network', async () => {
  const { url, token, call, program } = await begin()
  const options = { cwd: temporaryDir(), env: { SALDO_URL: url, SALDO_TOKEN: token } }
  const press = async (...args: string[]) => {
    const run = new Program([process.execPath, example('node/timer.mjs'), ...args], options)
    expect(await run.exited, run.stderr).toEqual({ code: 0, signal: null })
    return run.stdout
  }
  expect(await press('Garden')).toBe('started, stored\nbalance 0.00 h, 0 unsent\n')
  expect((await call('GET', '/api/entries')).body.items).toMatchObject([{ project: 'Garden', ended_at: null }])
  await program.kill('SIGTERM')
  expect(await press()).toBe('stopped, queued\nbalance 0.00 h, 1 unsent\n')
})

heavyTest('the five minutes of the client begin without a network from the second start on', async () => {
  const { url, token, call, program } = await begin()
  const readme = readFileSync(join(root, 'packages/client/README.md'), 'utf8')
  const lines = /```ts\n(.*?)```/s.exec(readme)?.[1]?.replace('http://localhost:7253', url)
  const folder = temporaryDir()
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(root, 'packages'), join(folder, 'node_modules/@saldo'))
  const end = 'console.log(JSON.stringify([confirmedMs, forecastMs, result, shown.length > 0]))'
  const start = `const token = '${token}'\nconst shown = []\nconst show = (...row) => shown.push(row)\n${lines}\n${end}`
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'start.ts'), start)
  const run = async () => {
    const started = new Program([process.execPath, 'start.ts'], { cwd: folder })
    expect(await started.exited, started.stderr).toEqual({ code: 0, signal: null })
    return JSON.parse(started.stdout)
  }
  expect(await run()).toEqual([0, 0, 'stored', true])
  expect((await call('GET', '/api/entries')).body.items).toMatchObject([{ note: 'at home', kind: 'work' }])
  await program.kill('SIGTERM')
  expect(await run()).toEqual([0, 0, 'queued', true])
})

test('the sensors of Home Assistant find the numbers that their templates name', async () => {
  const { url, call } = await begin()
  await call('POST', '/api/settings', fullTime('2026-01-01'))
  const now = new Date().toISOString()
  await call('POST', '/api/entries', { kind: 'work', started_at: now, ended_at: null })
  const yaml = readFileSync(example('home-assistant/saldo.yaml'), 'utf8')
  const resources = yaml.split(/^- /m).slice(1)
  expect(resources).toHaveLength(2)
  const fields: string[] = []
  for (const resource of resources) {
    const [, address = ''] = /^resource(?:_template)?: "?(https:\/\/saldo\.example[^"\n]*)/.exec(resource) ?? []
    const today = '2026-11-20'
    const path = address.replace('https://saldo.example', '').replaceAll(/\{\{ now\(\)\.date\(\) \}\}/g, today)
    const { status, body } = await call('GET', path)
    expect(status, `${url}${path}`).toBe(200)
    for (const [, field = ''] of resource.matchAll(/value_json\.([\w.[\]]+)/g)) {
      const value = field.split(/[.[\]]+/).reduce((part, name) => part[name], body)
      expect(typeof value, field).toBe(field === 'running' ? 'string' : 'number')
      fields.push(field)
    }
  }
  expect(fields).toEqual(['projected_balance_ms', 'balance_ms', 'running', 'worked_ms'])
})
