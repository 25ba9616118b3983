import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { build as buildPage, preview } from 'vite'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { Program, temporaryDir, whenServing } from '../../packages/server/test/faults/program.ts'
import { pageOfTest } from '../browser/pages.ts'
import { folders, type Packed, packPackages, root, unpackInto } from './packed.ts'

let packed: Packed
let folder: string
beforeAll(async () => {
  packed = await packPackages()
  folder = join(packed.folder, 'program')
  unpackInto(folder, packed)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  link('valibot', 'react', 'react-dom', '@types/node', '@types/react', '@types/react-dom')
  writeFileSync(join(folder, 'page.tsx'), `${pageBegin}${readmeExample('@saldo/client', 'tsx')}`)
})
afterAll(() => rmSync(packed.folder, { recursive: true, force: true }))

const manifestOf = (name: string) =>
  JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')) as {
    exports?: Record<string, unknown>
  } & Record<string, unknown>

/** The entries of a package as programs import them. */
const entriesOf = (name: string) =>
  Object.keys(manifestOf(name).exports ?? {})
    .filter((path) => path !== './package.json')
    .map((path) => name + path.slice(1))

const readmeExample = (name: string, language = 'ts') => {
  const text = readFileSync(join(folder, 'node_modules', name, 'README.md'), 'utf8')
  return new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(text)?.[1] ?? ''
}

/** Gives the program packages of the workspace. */
const link = (...names: string[]) => {
  for (const name of names) {
    mkdirSync(join(folder, 'node_modules', name, '..'), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
}

/** The part of a page before the example of the README: a device without a service. */
const pageBegin = `
import { openSaldo } from '@saldo/client'
import { dexieStore } from '@saldo/client/dexie'
import type { UserNumber } from '@saldo/core'
const user = 1 as UserNumber
const saldo = await openSaldo({ user, url: 'http://127.0.0.1:9', token: 'none', store: dexieStore() })
`

test.for(Object.keys(folders))('%s says what it is and has only what programs need', async (name) => {
  expect(manifestOf(name)).toMatchObject({
    name,
    description: expect.any(String),
    license: 'MIT',
    type: 'module',
    engines: { node: '>=24' },
    files: expect.any(Array),
  })
  expect(manifestOf(name)).not.toHaveProperty('private')
  const files = execFileSync('tar', ['-tzf', packed.files[name] ?? ''], { encoding: 'utf8' }).split('\n')
  expect(files).toEqual(expect.arrayContaining(['package/LICENSE', 'package/README.md']))
  expect(files.filter((path) => /\.test\.|tsconfig|node_modules/.test(path))).toEqual([])
})

test('the command brings the licences of the libraries that it bundles', () => {
  const text = readFileSync(join(folder, 'node_modules/saldo/THIRD-PARTY.txt'), 'utf8')
  for (const name of [
    '@mantine/core',
    '@better-auth/utils',
    'dexie',
    'ical.js',
    '@noble/ciphers',
    'nodemailer',
    'react',
  ]) {
    expect(text).toMatch(new RegExp(`(^|, )${name} \\d`, 'm'))
  }
  expect(text).toContain('Permission is hereby granted')
  expect(text).not.toMatch(/^vite \d/m)
})

test.for(Object.keys(folders).filter((name) => name !== 'saldo'))(
  'publint finds nothing in %s, and its types are those of its modules, however they are resolved',
  async (name) => {
    const { messages, pkg } = await publint({ pkgDir: join(packed.folder, folders[name] ?? ''), pack: false })
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([])
    const result = await checkPackage(createPackageFromTarballData(readFileSync(packed.files[name] ?? '')))
    const problems = 'problems' in result ? result.problems : [{ kind: 'no types' }]
    // The packages are modules only, and their entries need a resolution that reads `exports`.
    const isExpected = (problem: { kind: string; resolutionKind?: string }) =>
      problem.kind === 'CJSResolvesToESM' || problem.resolutionKind === 'node10'
    expect(problems.filter((problem) => !isExpected(problem))).toEqual([])
  },
)

test('a program in a clean folder imports every entry, keeps records and type-checks by itself', () => {
  const entries = Object.keys(folders).flatMap(entriesOf)
  expect(entries.length).toBeGreaterThan(9)
  writeFileSync(
    join(folder, 'program.ts'),
    `${entries.map((entry, index) => `import * as entry${index} from '${entry}'`).join('\n')}
${entries.map((_, index) => `if (Object.keys(entry${index}).length === 0) throw new Error('${entries[index]}')`).join('\n')}
${readmeExample('@saldo/core')}
import { openSaldo } from '@saldo/client'
import type { UserNumber } from '@saldo/core'
import { sqliteStore } from '@saldo/client/node'
import { aWork } from '@saldo/client/testing'
const user = 1 as UserNumber
const nowhere = 'http://127.0.0.1:9'
const saldo = await openSaldo({ user, url: nowhere, token: 'none', store: sqliteStore('device.db') })
const { result } = await saldo.entries.create({
  kind: 'work',
  started_at: '2026-11-20T08:00:00+01:00',
  ended_at: '2026-11-20T16:30:00+01:00',
}).settled
const shown = await saldo.entries.all().read()
await saldo.close()
const made: string = aWork(0, null).kind
console.log(JSON.stringify({ worked_ms, delta_ms, result, shown: shown.length, made }))
`,
  )
  const printed = execFileSync(process.execPath, ['program.ts'], { cwd: folder, encoding: 'utf8' })
  expect(JSON.parse(printed)).toEqual({
    worked_ms: 32_400_000,
    delta_ms: 3_600_000,
    result: 'queued',
    shown: 1,
    made: 'work',
  })
  const options = [
    '--noEmit',
    '--jsx',
    'react-jsx',
    '--strict',
    '--target',
    'es2024',
    '--lib',
    'esnext,dom',
    '--module',
    'nodenext',
  ]
  const args = [...options, '--types', 'node', 'program.ts', 'page.tsx']
  expect(spawnSync(join(root, 'node_modules/.bin/tsc'), args, { cwd: folder, encoding: 'utf8' }).stdout).toBe('')
})

test('a page that Vite builds keeps records in Chromium and shows them with the hooks for React', async () => {
  writeFileSync(join(folder, 'index.html'), '<body><script type="module" src="/page.tsx"></script></body>')
  await buildPage({ root: folder, logLevel: 'error', build: { target: 'es2024' } })
  const server = await preview({ root: folder, logLevel: 'error', preview: { port: 0, host: '127.0.0.1' } })
  onTestFinished(() => server.close())
  const { page } = await pageOfTest(server.resolvedUrls?.local[0] ?? '')
  await page.getByRole('button', { name: 'start' }).click()
  await page.getByRole('button', { name: 'stop' }).waitFor()
  await page.getByText('Unsent: 1').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'stop' }).click()
  await page.getByRole('button', { name: 'start' }).waitFor()
  await page.getByText('Balance: 0 h').waitFor()
})

test('the packed command serves the API and the web app', async () => {
  const command = join(folder, 'node_modules/saldo/bin/saldo.js')
  const service = new Program([process.execPath, command, 'serve'], {
    cwd: folder,
    env: { SALDO_PORT: '0', SALDO_DATA_DIR: temporaryDir() },
  })
  const { url } = await whenServing(service)
  expect(await (await fetch(`${url}/api/version`)).json()).toMatchObject({ build: expect.any(String) })
  expect(await (await fetch(url, { headers: { accept: 'text/html' } })).text()).toContain('<div id="root"')
  expect((await fetch(`${url}/api/docs/swagger-ui-bundle.js`)).status).toBe(200)
  expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null })
})

test('the packed program has what its commands load: the kit, importers, exports, an assistant’s tools', async () => {
  const command = join(folder, 'node_modules/saldo/bin/saldo.js')
  const nobody = ['--url', 'http://127.0.0.1:1', '--token', 'x']
  const noService = 'saldo: no service answers at http://127.0.0.1:1\n'
  const said = {
    'conformance http://127.0.0.1:1 --token x': noService,
    [`export ${nobody.join(' ')}`]: noService,
    [`import --undo batch ${nobody.join(' ')}`]: noService,
    mcp: 'saldo: set SALDO_URL and SALDO_TOKEN for the assistant\n',
    status: 'saldo: sign in first: saldo login https://saldo.example\n',
  }
  for (const [args, message] of Object.entries(said)) {
    const home = temporaryDir()
    const run = new Program([process.execPath, command, ...args.split(' ')], {
      cwd: folder,
      env: { XDG_CONFIG_HOME: home, XDG_DATA_HOME: home },
    })
    await run.exited
    expect(run.stderr).toBe(message)
  }
})
