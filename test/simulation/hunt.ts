// Runs seeds until one fails, and says in a line of JSON which, of how many, and why: `{seed, seeds, message}`, or
// `null`.
import { huntOf } from './host.ts'
import { problemOf } from './run.ts'
import { scenarioOf } from './scenario.ts'

const { from, seeds, scale, host, end } = await huntOf(process.argv.slice(2))
let found: object | null = null
for (let seed = from; seed < from + seeds && !found; seed += 1) {
  const problem = await problemOf(scenarioOf(seed, scale), host)
  if (problem) found = { seed, seeds: seed - from + 1, message: problem.message }
}
await end()
// Requests of killed tabs leave timers behind, which would keep the process for half a minute.
process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit())
