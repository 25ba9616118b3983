import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService } from '../packages/server/test/harness.ts'

const root = join(import.meta.dirname, '..')
/** The date of the tools in `test/generators/`. */
const INSTALLED_AS_OF = '2026-11-27'
let folder: string

/** Runs a program in the folder of the tools. Resolves to its output, with how it ended if it failed. */
async function run(program: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`, CI: '1' }
  const ended = promisify(execFile)(program, args, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 })
  return ended.then(
    ({ stdout, stderr }) => stdout + stderr,
    ({ code, stdout, stderr }) => `ended with ${code}: ${stdout}${stderr}`,
  )
}
const tool = (name: string, ...args: string[]) => run(join(folder, 'node_modules/.bin', name), ...args)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'saldo-generators-'))
  cpSync(join(root, 'test/generators'), folder, { recursive: true })
  cpSync(join(root, '.npmrc'), join(folder, '.npmrc'))
  const service = await startTestService()
  const { text } = await service.call('GET', '/api/openapi.json')
  await service.close()
  writeFileSync(join(folder, 'openapi.json'), text)
  // As of a date instead of a lock file: npm then takes what had been published until that day.
  const installed = await run('npm', 'install', '--ignore-scripts', '--no-package-lock', `--before=${INSTALLED_AS_OF}`)
  expect(installed).toContain('added')
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true }))

test('[D9.11] clients of two more generators have numbers, and may leave out defaults', async () => {
  expect(await tool('openapi-typescript', 'openapi.json', '-o', 'types.ts')).not.toMatch(/ended with|warn/i)
  expect(await tool('openapi-ts', '-i', 'openapi.json', '-o', 'hey')).not.toMatch(/ended with|error/i)
  // The file has another name in the repository, where what it imports does not exist.
  renameSync(join(folder, 'use.ts.txt'), join(folder, 'use.ts'))
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [], allowImportingTsExtensions: true },
    ...{ target: 'ES2023', module: 'ESNext', moduleResolution: 'bundler', lib: ['ES2023', 'DOM', 'DOM.Iterable'] },
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  expect(await tool('tsc', '-p', '.')).toBe('')
}, 300_000)

test('[D9.11] Redocly and Spectral find no error in the document', async () => {
  const redocly = await tool('redocly', 'lint', 'openapi.json', '--extends', 'spec', '--format', 'stylish')
  expect(redocly).toContain('Your API description is valid')
  writeFileSync(join(folder, '.spectral.json'), JSON.stringify({ extends: 'spectral:oas' }))
  const spectral = await tool('spectral', 'lint', 'openapi.json', '--fail-severity', 'error')
  expect(spectral).not.toMatch(/ended with/)
}, 300_000)
