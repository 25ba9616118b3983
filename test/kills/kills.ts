// `npm run kills -- --database sqlite|postgres --kills N`, `--power-loss N`, `--browser N`: ends at the first thing
// that is not as it must be.
import { parseArgs } from 'node:util'
import { folderInMemory } from '../../packages/server/test/memory.ts'
import { killBrowser } from './browser-kills.ts'
import { losePowerOfDevice, losePowerOfService, type PowerLossResult } from './power/power-loss.ts'
import { killInRounds, type Victim } from './rounds.ts'

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    kills: { type: 'string' },
    'power-loss': { type: 'string' },
    lies: { type: 'string' },
    browser: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
})
// A killed process loses no written data, so a sync would only cost time.
const inMemory = folderInMemory()
if (inMemory !== undefined) process.env.TMPDIR ??= inMemory

const seed = Number(values.seed)
const tell = (line: string) => process.stderr.write(`${line}\n`)

/** Does something, and says what came of it. */
async function phase<T extends object>(what: string, work: () => Promise<T>): Promise<T> {
  const began = Date.now()
  const result = await work()
  console.log(`${what}, seed ${seed}: ${JSON.stringify(result)} in ${Math.round((Date.now() - began) / 1_000)} s`)
  return result
}

if (values.kills !== undefined) {
  const kills = Number(values.kills)
  const more = { kills, seed, users: 2, changes: 60, tell }
  const ofFile: Victim[] = ['service', 'service', 'service', 'starting service']
  const ofServer: Victim[] = ['service', 'database', 'service', 'session']
  const result =
    values.database === 'postgres'
      ? await phase('kills on PostgreSQL', () => killInRounds({ database: 'postgres', victims: ofServer, ...more }))
      : await phase('kills on SQLite', () => killInRounds({ database: 'sqlite', victims: ofFile, ...more }))
  console.log(`${kills} kills, ${result.changes} changes acknowledged, 0 lost, 0 doubled`)
}

if (values['power-loss'] !== undefined) {
  const { lies } = values
  const options = { losses: Number(values['power-loss']), seed, lies, tell }
  judge(await phase('power losses of the service', () => losePowerOfService(options)))
  judge(await phase('power losses of a device', () => losePowerOfDevice(options)))
}

if (values.browser !== undefined) {
  const kills = Number(values.browser)
  const result = await phase('kills of the browser', () => killBrowser({ kills, seed, tell }))
  console.log(`${kills} kills, ${result.acknowledged} entries acknowledged, 0 lost, 0 doubled`)
}

function judge({ losses, promised, problems }: PowerLossResult): void {
  console.log(`${losses} power losses, ${promised} promises, ${problems.length} problems`)
  if (problems.length > 0) process.exitCode = 1
}
