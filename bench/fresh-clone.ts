import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Result, within } from './result.ts'

const MOST_S = 20
const PORT = '7497'

/** Measures `npm start` in a fresh clone until it serves the app, with installing and building. */
export async function freshClone(): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'saldo-bench-'))
  const clone = join(folder, 'clone')
  execFileSync('git', ['clone', '--quiet', join(import.meta.dirname, '..'), clone])
  const env = { ...process.env, SALDO_PORT: PORT, SALDO_DATA_DIR: join(folder, 'data') }
  const beganMs = performance.now()
  const npm = spawn('npm', ['start'], { cwd: clone, env, stdio: 'ignore', detached: true })
  while (!(await isServed())) {
    if (npm.exitCode !== null) throw new Error('npm start ended before it served')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const seconds = (performance.now() - beganMs) / 1_000
  const ended = new Promise((resolve) => npm.once('exit', resolve))
  npm.kill('SIGTERM')
  await ended
  rmSync(folder, { recursive: true, force: true })
  return [within('npm start in a fresh clone, until it serves', seconds, MOST_S, 's')]
}

async function isServed(): Promise<boolean> {
  return fetch(`http://127.0.0.1:${PORT}/`).then(
    ({ ok }) => ok,
    () => false,
  )
}
