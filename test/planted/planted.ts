// `npm run planted`: plants each fault, or those that are named, and hunts it: patches of the program by the simulation
// or a test, faults of services and clients by the conformance kit.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { clientFaults } from './client-faults.ts'
import { huntInClient, openServiceHunt } from './hunt.ts'
import { ProgramCopy, patches } from './patches.ts'
import { serviceFaults } from './service-faults.ts'

const { values, positionals } = parseArgs({ options: { seeds: { type: 'string' } }, allowPositionals: true })
const seeds = Number(values.seeds ?? 2_000)
const isWanted = ({ name }: { name: string }) => positionals.length === 0 || positionals.includes(name)
let missed = 0

function print(name: string, what: string, found: string | undefined): void {
  if (found === undefined) missed += 1
  process.stdout.write(`| ${name} | ${what} | ${(found ?? 'NOT FOUND').replaceAll('\n', ' ')} |\n`)
}

const copy = new ProgramCopy()
try {
  for (const patch of patches().filter(isWanted)) {
    const found = await copy.hunt(patch, seeds)
    const by = found && `${patch.property ?? 'simulation'}, seeds: ${found.seeds}, ${found.check.slice(0, 120)}`
    print(patch.name, patch.what, by)
  }
} finally {
  copy.remove()
}

const services = await openServiceHunt()
for (const fault of serviceFaults.filter(isWanted)) {
  print(fault.rule, `a service that ${fault.name}`, (await services.hunt(fault))?.title)
}
await services.close()

const cache = mkdtempSync(join(tmpdir(), 'saldo-compiled-'))
for (const [name, { rule }] of Object.entries(clientFaults).filter(([name]) => isWanted({ name }))) {
  print(rule, `a client that ${name}`, (await huntInClient(name, cache))?.title)
}
rmSync(cache, { recursive: true, force: true })

process.stdout.write(`${missed} not found; ${seeds} seeds\n`)
process.exitCode = missed > 0 ? 1 : 0
