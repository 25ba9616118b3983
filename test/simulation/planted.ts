// `npm run planted`: plants each bug of `planted/` in a copy of the program, or those that are named, and hunts it.
import { parseArgs } from 'node:util'
import { ProgramCopy, plantedBugs } from './planting.ts'

const { values, positionals } = parseArgs({ options: { seeds: { type: 'string' } }, allowPositionals: true })
const seeds = Number(values.seeds ?? 2_000)
const copy = new ProgramCopy()
let missed = 0
try {
  for (const bug of plantedBugs().filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
    const found = await copy.hunt(bug, seeds)
    if (!found) missed += 1
    const how = found
      ? `${bug.property ?? 'simulation'} | ${found.seeds} | ${found.check.slice(0, 120)}`
      : 'NOT FOUND | | '
    process.stdout.write(`| ${bug.name} | ${bug.what} | ${how.replaceAll('\n', ' ')} |\n`)
  }
} finally {
  copy.remove()
}
process.stdout.write(`${missed} not found in ${seeds} seeds\n`)
process.exitCode = missed > 0 ? 1 : 0
