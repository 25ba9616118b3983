// `npm run simulate`: runs seeds, and cuts the schedules that fail down to what it takes.
import { parseArgs } from 'node:util'
import { hostOf } from './host.ts'
import { problemOf, shrink } from './run.ts'
import { scheduleOf } from './schedule.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '500' },
    from: { type: 'string', default: '1' },
    database: { type: 'string', default: 'sqlite' },
    steps: { type: 'string', default: '0' },
    nodes: { type: 'string' },
    before: { type: 'string' },
  },
})
const [from, count] = [Number(values.from), Number(values.seeds)]
const scale = { steps: Number(values.steps), nodes: Number(values.nodes ?? (values.database === 'sqlite' ? 0 : 3)) }
const { host, end } = await hostOf(values.database, values.before)
const [begun, used] = [performance.now(), process.cpuUsage()]
let [failed, runs, steps] = [0, 0, 0]
for (let seed = from; seed < from + count && failed < 12; seed += 1) {
  const schedule = scheduleOf(seed, scale)
  const problem = await problemOf(schedule, host)
  runs += 1
  steps += schedule.steps.length
  if (!problem) continue
  failed += 1
  console.log(`seed ${seed}: ${problem.message.slice(0, 300)}`)
  const shrunk = await shrink(schedule, host)
  const again = await problemOf(shrunk, host)
  console.log(`  shrunk: ${(again?.stack ?? 'passes!').slice(0, 600)}\n  ${JSON.stringify(shrunk)}`)
}
const { user, system } = process.cpuUsage(used)
const [perMinute, perCore] = [performance.now() - begun, (user + system) / 1_000].map((ms) => Math.round((runs * 60_000) / ms))
console.log(`${runs} seeds from ${from}: ${failed} failed, ${steps} steps, ${perMinute} runs a minute, ${perCore} a core`)
process.exitCode = failed > 0 ? 1 : 0
await end()
