// Runs seeds until one fails, and says in a line of JSON which, of how many, and why: `{seed, seeds, message}`, or `null`.
import { parseArgs } from 'node:util'
import { problemOf } from './run.ts'
import { scheduleOf } from './schedule.ts'

const { values } = parseArgs({ options: { seeds: { type: 'string' }, from: { type: 'string' } } })
const from = Number(values.from ?? 1)
let found: object | null = null
for (let seed = from; seed < from + Number(values.seeds ?? 2_000) && !found; seed += 1) {
  const problem = await problemOf(scheduleOf(seed))
  if (problem) found = { seed, seeds: seed - from + 1, message: problem.message }
}
process.stdout.write(`${JSON.stringify(found)}\n`)
