import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Program, temporaryDir, whenServing } from '../../packages/server/test/faults/program.ts'
import { type Packed, packPackages } from './packed.ts'

let packed: Packed
beforeAll(async () => {
  packed = await packPackages()
})
afterAll(() => rmSync(packed.folder, { recursive: true, force: true }))

const program = `
import 'temporal-polyfill/global'
import { openSaldo } from '@saldo/client'
import { sqliteStore } from '@saldo/client/node'
const saldo = await openSaldo({ user: 1, url: 'http://127.0.0.1:9', token: 'none', store: sqliteStore('device.db') })
const entry = { kind: 'work', started_at: '2026-11-20T08:00:00Z', ended_at: '2026-11-20T16:30:00Z' }
const { result } = await saldo.entries.create(entry).settled
const rows = await saldo.entries.all().read()
await saldo.close()
console.log(process.versions.node.split('.')[0], result, rows.length)
`

test.for(['24', '26'])(
  'npm installs the packages on Node %s: a program keeps records, and npx saldo serves',
  async (node) => {
    const cwd = temporaryDir()
    const npm = (command: string, ...args: string[]) => execFileSync(command, args, { cwd, encoding: 'utf8' })
    // The package of Node fetches the binary of the machine by its script.
    writeFileSync(join(cwd, 'package.json'), '{ "type": "module", "allowScripts": { "node": true } }')
    npm(
      'npm',
      'install',
      '--no-audit',
      '--no-fund',
      `node@${node}`,
      'temporal-polyfill',
      ...Object.values(packed.files),
    )
    // It reports each installation to its maker.
    expect(existsSync(join(cwd, 'node_modules/@scarf'))).toBe(false)
    writeFileSync(join(cwd, 'program.js'), program)
    expect(npm('npx', 'node', 'program.js')).toBe(`${node} queued 1\n`)
    expect(npm('npx', 'saldo', '--version')).toMatch(/^\d+\.\d+\.\d+/)
    // A group of its own: npx does not pass signals on.
    const command = ['setsid', 'npx', 'saldo', 'serve']
    const service = new Program(command, { cwd, env: { SALDO_PORT: '0', SALDO_DATA_DIR: temporaryDir() } })
    const { url } = await whenServing(service)
    expect(await (await fetch(`${url}/api/version`)).json()).toMatchObject({ build: expect.any(String) })
    expect(await (await fetch(url, { headers: { accept: 'text/html' } })).text()).toContain('<div id="root"')
    process.kill(-service.pid, 'SIGTERM')
    await service.exited
  },
)
