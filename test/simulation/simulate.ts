// `npm run simulate`: runs seeds, and cuts the schedules that fail down to what it takes.
import { huntOf } from './host.ts'
import { problemOf, shrink } from './run.ts'
import { scenarioOf, textOf } from './scenario.ts'

const { from, seeds, scale, host, end } = await huntOf(process.argv.slice(2))
const [begun, used] = [performance.now(), process.cpuUsage()]
let [failed, runs, steps] = [0, 0, 0]
for (let seed = from; seed < from + seeds && failed < 12; seed += 1) {
  const schedule = scenarioOf(seed, scale)
  const problem = await problemOf(schedule, host)
  runs += 1
  steps += schedule.steps.length
  if (!problem) continue
  failed += 1
  console.log(`seed ${seed}: ${problem.message.slice(0, 300)}`)
  const shrunk = await shrink(schedule, host)
  const again = await problemOf(shrunk, host)
  console.log(
    `  shrunk: ${(again?.stack ?? 'passes!').slice(0, 600)}\n  devices: ${shrunk.devices}, steps: ${textOf(shrunk.steps)}`,
  )
}
const { user, system } = process.cpuUsage(used)
const [perMinute, perCore] = [performance.now() - begun, (user + system) / 1_000].map((ms) =>
  Math.round((runs * 60_000) / ms),
)
console.log(
  `${runs} seeds from ${from}: ${failed} failed, ${steps} steps, ${perMinute} runs a minute, ${perCore} a core`,
)
process.exitCode = failed > 0 ? 1 : 0
await end()
