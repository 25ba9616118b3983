import { parseArgs } from 'node:util'
import { problemOf, shrink } from './run.ts'
import { scheduleOf } from './schedule.ts'

const { values } = parseArgs({ options: { seeds: { type: 'string' }, from: { type: 'string' } } })
const from = Number(values.from ?? 1)
const count = Number(values.seeds ?? 500)
let failed = 0
for (let seed = from; seed < from + count && failed < 12; seed += 1) {
  const schedule = scheduleOf(seed)
  const problem = await problemOf(schedule)
  if (!problem) continue
  failed += 1
  const shrunk = await shrink(schedule)
  const again = await problemOf(shrunk)
  console.log(`seed ${seed}: ${problem.message.slice(0, 300)}\n  shrunk: ${(again?.stack ?? 'passes!').slice(0, 600)}`)
  console.log(`  ${JSON.stringify(shrunk)}`)
}
console.log(`${count} seeds from ${from}: ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
