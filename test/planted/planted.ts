// `npm run planted`: plants each fault and hunts it: patches of the program, or those that are named, by the simulation
// or a test; faults of services and clients by the conformance kit.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ProgramCopy, patches } from './patches.ts'

const root = join(import.meta.dirname, '../..')
const { values, positionals } = parseArgs({ options: { seeds: { type: 'string' } }, allowPositionals: true })
const seeds = Number(values.seeds ?? 2_000)
const isWanted = ({ name }: { name: string }) => positionals.length === 0 || positionals.includes(name)
let missed = 0

const copy = new ProgramCopy()
try {
  for (const patch of patches().filter(isWanted)) {
    const found = await copy.hunt(patch, seeds)
    if (!found) missed += 1
    const by = found
      ? `${patch.property ?? 'simulation'}, seeds: ${found.seeds}, ${found.check.slice(0, 120)}`
      : 'NOT FOUND'
    process.stdout.write(`| ${patch.name} | ${patch.what} | ${by.replaceAll('\n', ' ')} |\n`)
  }
} finally {
  copy.remove()
}

process.stdout.write(`${missed} not found; ${seeds} seeds\n`)
const isWhole = positionals.length === 0
process.exitCode = missed > 0 || (isWhole && !huntOnTheWire()) ? 1 : 0

/** Hunts the faults of services and clients, which are tests. Returns false if one is not found. */
function huntOnTheWire(): boolean {
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', join(import.meta.dirname, 'planted.heavy.test.ts')]
  const env = { ...process.env, SALDO_TEST_TIER: 'heavy' }
  return spawnSync(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
}
