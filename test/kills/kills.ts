// `npm run kills`: kills what must lose nothing by it, many times under load.
import { parseArgs } from 'node:util'
import { killBrowser } from './browser-kills.ts'
import { losePowerOfJournal, losePowerOfService } from './power/power-loss.ts'
import { killInRounds, type Victim } from './rounds.ts'

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    kills: { type: 'string' },
    browser: { type: 'string' },
    'power-loss': { type: 'string' },
    lies: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
})
const tell = (line: string) => process.stderr.write(`${line}\n`)
const seed = Number(values.seed)
const began = Date.now()
const say = (what: string, figures: object) =>
  console.log(`${what}: ${JSON.stringify(figures)} in ${Math.round((Date.now() - began) / 1_000)} s`)

if (values.kills !== undefined) {
  const isFile = values.database === 'sqlite'
  const victims: Victim[] = isFile ? ['service', 'service', 'service', 'starting service'] : ['service', 'database', 'service', 'session']
  const database = isFile ? 'sqlite' : 'postgres'
  const result = await killInRounds({ database, victims, kills: Number(values.kills), seed, users: 2, longestMs: 600, tell })
  say(`kills on ${database}`, { ...result, lost: 0, doubled: 0 })
}

if (values['power-loss'] !== undefined) {
  const losses = Number(values['power-loss'])
  const { lies } = values
  say('power losses of the service', await losePowerOfService({ losses, seed, lies, tell }))
  say('power losses of a device', await losePowerOfJournal({ losses, seed, lies, tell }))
}

if (values.browser !== undefined) {
  say('kills of the browser', { ...(await killBrowser({ kills: Number(values.browser), seed, tell })), lost: 0, doubled: 0 })
}
