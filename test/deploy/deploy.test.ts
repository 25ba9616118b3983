import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DCLinter } from 'dclint'
import { type Cmd, type Entrypoint, From, Healthcheck } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import { afterAll, expect, test } from 'vitest'
import { Program, temporaryDir, whenServing } from '../../packages/server/test/faults/program.ts'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { buildImage, dockerfile, filesIn, root, wordsOf } from './image.ts'

const { programFiles } = (await import(join(root, 'scripts/program-files.mjs'))) as { programFiles(): string[] }

/** About a tenth above the size when this was written. */
const MAX_IMAGE_BYTES = 17_500_000

const folder = mkdtempSync(join(tmpdir(), 'saldo-image-'))
afterAll(() => rmSync(folder, { recursive: true }))

const instructions = dockerfile.getInstructions()
const lastStage = instructions.slice(instructions.findLastIndex((instruction) => instruction instanceof From))
const last = (keyword: string) => lastStage.findLast((instruction) => instruction.getKeyword() === keyword)

test('the Dockerfile is valid; its image runs unprivileged, and its health check needs only Node', () => {
  expect(validate(readFileSync(join(root, 'Dockerfile'), 'utf8'))).toEqual([])
  const images = instructions.filter((instruction) => instruction instanceof From).map((from) => from.getImage())
  expect(new Set(images)).toEqual(new Set(['node:26-alpine']))
  expect(last('USER')?.getArgumentsContent()).toBe('node')
  expect(last('VOLUME')?.getArgumentsContent()).toBe('["/data"]')
  expect(last('RUN')).toBeUndefined()
  expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).not.toMatch(/curl|wget|apk|apt|sudo/)
})

heavyTest('the Dockerfile’s steps make a service that starts, stops and writes only its data', async () => {
  const image = buildImage(folder, { borrowed: true })
  const files = filesIn(image)
  expect([...files.values()].reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_IMAGE_BYTES)
  expect([...files.keys()].filter((path) => path.endsWith('.node'))).toHaveLength(1)

  const toHere = (word: string) => (word === 'node' ? process.execPath : word)
  const serving = [last('ENTRYPOINT') as Entrypoint, last('CMD') as Cmd].flatMap(wordsOf).map(toHere)
  const dataDir = temporaryDir()
  const service = new Program(serving, {
    cwd: join(image, last('WORKDIR')?.getArgumentsContent() ?? ''),
    env: { NODE_ENV: 'production', SALDO_HOST: '0.0.0.0', SALDO_PORT: '0', SALDO_DATA_DIR: dataDir },
  })
  const { url } = await whenServing(service)
  expect((await fetch(`${url}/api/version`)).status).toBe(200)
  expect(await (await fetch(url, { headers: { accept: 'text/html' } })).text()).toContain('<div id="root"')
  const page = await (await fetch(`${url}/api/docs`)).text()
  const assets = [...page.matchAll(/(?:href|src)="(\/api\/docs\/[^"]+)"/g)].map(([, path]) => path)
  expect(assets.length).toBeGreaterThan(2)
  for (const asset of assets) expect((await fetch(`${url}${asset}`)).status, asset).toBe(200)

  const health = lastStage.find((instruction) => instruction instanceof Healthcheck) as Healthcheck
  const probe = /CMD (\[.*\])/s.exec(health.getArgumentsContent() ?? '')?.[1] as string
  const [, ...args] = JSON.parse(probe) as string[]
  const isHealthy = () =>
    promisify(execFile)(process.execPath, args, { env: { SALDO_PORT: new URL(url).port } }).then(
      () => true,
      ({ code }) => code !== 1,
    )
  expect(await isHealthy()).toBe(true)
  expect(await service.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(await isHealthy()).toBe(false)
  expect(filesIn(image)).toEqual(files)
  expect([...filesIn(dataDir).keys()].sort()).toEqual(['auth-secret', 'saldo.db', 'saldo.db.lock'])

  // Everything that is loaded later is there too.
  const command = join(image, 'saldo/packages/cli/bin/saldo.js')
  const kit = new Program([process.execPath, command, 'conformance', 'http://127.0.0.1:1', '--token', 'x'], { env: {} })
  expect(await kit.exited).toEqual({ code: 1, signal: null })
  expect(kit.stderr).toBe('saldo: no service answers at http://127.0.0.1:1\n')
})

test('an image has exactly the files that the last build of the program wrote, all that they load among them', () => {
  const image = join(folder, 'collected')
  execFileSync(process.execPath, [join(root, 'scripts/collect-image.mjs'), image])
  const copied = filesIn(join(image, 'packages/cli/dist'))
  const written = programFiles()
  expect([...copied.keys()].sort()).toEqual(written.toSorted())
  const scripts = written.filter((path) => path.endsWith('.js') && !path.includes('/'))
  const loaded = scripts.flatMap((path) =>
    [...readFileSync(join(image, 'packages/cli/dist', path), 'utf8').matchAll(/["'`]\.\/([\w~.-]+\.js)["'`]/g)].map(
      ([, name]) => name as string,
    ),
  )
  expect([...new Set(['saldo.js', ...loaded])].toSorted()).toEqual(scripts.toSorted())
})

test('the units run the Node that the image brings, with the same settings for the service and its backup', () => {
  for (const name of ['saldo.service', 'saldo-backup.service']) {
    const unit = readFileSync(join(root, 'deploy', name), 'utf8')
    expect(unit).toMatch(/^ExecStart=.*\/opt\/saldo\/bin\/node \/opt\/saldo\/packages\/cli\/bin\/saldo\.js /m)
    expect(unit).toMatch(/^EnvironmentFile=-\/etc\/saldo\.env$/m)
  }
})

test('the compose files are valid and formatted', () => {
  // Services and their keys have the most readable order.
  const rules = { 'service-keys-order': 0, 'services-alphabetical-order': 0 } as const
  const linter = new DCLinter({ rules, exclude: [], quiet: false, debug: false })
  const findings = linter
    .lintFiles(
      ['compose.yaml', 'compose.postgres.yaml'].map((name) => join(root, name)),
      false,
    )
    .flatMap(({ filePath, messages }: Findings) =>
      messages.map(({ line, message }) => `${filePath}:${line} ${message}`),
    )
  expect(findings).toEqual([])
})

test('with PostgreSQL, any password works, and the service waits for the final server', () => {
  const compose = readFileSync(join(root, 'compose.postgres.yaml'), 'utf8')
  // In a URL, some characters would mean something else.
  expect(compose).toMatch(/ SALDO_DATABASE_URL: [^$\n]+\n/)
  expect(compose).toMatch(/ PGPASSWORD: \$\{POSTGRES_PASSWORD:/)
  // The one that makes the database listens at a socket alone.
  expect(compose).toMatch(/"pg_isready", "--host", "127\.0\.0\.1"/)
})

interface Findings {
  filePath: string
  messages: { line: number; message: string }[]
}
