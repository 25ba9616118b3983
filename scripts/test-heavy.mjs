// `npm run test:heavy`: everything that takes too long for `npm test`. Writes the result to `test/heavy-results.json`.
// Arguments name the parts to run.
import './node-version.mjs'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { build, environment, install, node, root, run } from './setup.mjs'

/** The parts: a name and the arguments of Node. */
const parts = {
  tests: ['node_modules/vitest/vitest.mjs', 'run', '--project', '!distributed'],
  // Where SALDO_TEST_CITUS names the programs of a PostgreSQL that has the extension Citus.
  ...(process.env.SALDO_TEST_CITUS && {
    distributed: ['node_modules/vitest/vitest.mjs', 'run', '--project', 'distributed'],
  }),
  // Seeds that no run had before; the recorded command says which.
  simulation: ['test/simulation/simulate.ts', '--seeds', '2000', '--from', String(Math.floor(Date.now() / 1_000))],
  'simulation-pair': ['test/simulation/simulate.ts', '--database', 'postgres-pair', '--seeds', '20'],
  kills: ['test/kills/kills.ts', '--kills', '100', '--power-loss', '100', '--browser', '20'],
  'kills-postgres': ['test/kills/kills.ts', '--database', 'postgres', '--kills', '40'],
  fuzz: ['test/fuzzing/fuzz.ts', '--requests', '20000'],
  'fuzz-postgres': ['test/fuzzing/fuzz.ts', '--requests', '20000', '--database', 'postgres'],
  planted: ['test/planted/planted.ts'],
  months: ['bench/run.ts', '--months'],
}
/** The most lines of a part's output that the result keeps. */
const MAX_LINES = 40
/** Matches a path of this machine, or a text as long as a token, cookie or hash of the tested service. */
const NOT_KEPT = /\/tmp\/|\/dev\/shm\/|[\w-]{40}/

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in parts))
if (unknown.length > 0) throw new Error(`unknown parts: ${unknown.join(', ')}`)

install()
await build()
const env = { ...environment(), SALDO_TEST_TIER: 'heavy', NO_COLOR: '1' }
run(node, ['test/provide.ts'], { env })

const file = join(root, 'test/heavy-results.json')
const { parts: before } = JSON.parse(readFileSync(file, 'utf8'))
const names = wanted.length > 0 ? wanted : Object.keys(parts)
for (const name of names) {
  before[name] = await runPart(parts[name])
  writeFileSync(file, `${JSON.stringify({ parts: before }, null, 2)}\n`)
}
process.exitCode = names.every((name) => before[name].passed) ? 0 : 1

/**
 * Runs a part and prints its output as it comes. Returns the result, without lines that may show a path of this machine
 * or a secret.
 */
async function runPart(args) {
  const startedMs = performance.now()
  const part = spawn(node, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  part.stdout.setEncoding('utf8').on('data', (text) => {
    process.stdout.write(text)
    output += text
  })
  const [exitCode] = await once(part, 'close')
  const lines = output.split('\n').map((line) => line.trim())
  return {
    command: `node ${args.join(' ')}`,
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    cores: availableParallelism(),
    passed: exitCode === 0,
    seconds: Math.round((performance.now() - startedMs) / 1000),
    output: lines.filter((line) => line !== '' && !NOT_KEPT.test(line) && !line.includes(root)).slice(-MAX_LINES),
  }
}

function commit() {
  const { stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return stdout?.trim() || 'unknown'
}
