import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { PostgresCluster } from '../../packages/server/test/postgres/cluster.ts'
import { FuzzedService } from './fuzzed-service.ts'
import { fuzzRound, type Range, rangeOn } from './round.ts'
import { shrink } from './shrink.ts'
import type { Memory } from './wire.ts'

const options = {
  requests: { type: 'string', default: '100000' },
  seed: { type: 'string', default: '1' },
  database: { type: 'string', default: 'sqlite' },
} as const
const { values } = parseArgs({ options })
const REQUESTS_A_ROUND = 1_000
/** Number of rounds that run at the same time. */
const LANES = 4
/** Number of reported problems that ends the run. */
const MOST_PROBLEMS = 8

const cluster = values.database === 'postgres' ? await PostgresCluster.start() : undefined
const service = await FuzzedService.start(cluster?.url('postgres'))
const range = await rangeOn(service)
const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout?.trim() || 'unknown'
console.log(
  `commit ${commit}, ${values.database}, seed ${values.seed}, ${values.requests} requests, rounds of ${REQUESTS_A_ROUND}`,
)

const memoryText = ({ rss, heapUsed, external }: Memory) =>
  `RSS / heap / external ${[rss, heapUsed, external].map((bytes) => (bytes / 1024 ** 2).toFixed(1)).join(' / ')} MiB`
const startedMs = performance.now()
let problems = 0
let begun = 0
let ended = 0
const rounds = Math.ceil(Number(values.requests) / REQUESTS_A_ROUND)
const isDone = () => begun === rounds || problems >= MOST_PROBLEMS

/** Rounds of different users do not meet, but for the clock. */
async function lane(): Promise<void> {
  while (!isDone()) {
    const seed = Number(values.seed) + begun
    begun += 1
    const found = await fuzzRound(range, seed, REQUESTS_A_ROUND).then(
      () => 0,
      (error: Error) => tell(seed, error, range),
    )
    // Not in one statement with the round, which other lanes count beside.
    problems += found
    ended += 1
    if (ended % Math.ceil(rounds / 20) === 0) {
      console.log(
        `${range.tally.get('requests')} requests: ${memoryText(await service.memory())}, ${problems} problems`,
      )
    }
  }
}
await Promise.all(Array.from({ length: Math.min(LANES, rounds) }, lane))

async function tell(seed: number, error: Error, on: Range): Promise<number> {
  console.log(`seed ${seed}: ${error.message}`)
  console.log(`  of the requests, these do: ${await shrink(on, seed, REQUESTS_A_ROUND, error)}`)
  return 1
}

console.log(`end: ${memoryText(await service.memory())}, ${Math.round((performance.now() - startedMs) / 1_000)} s`)
console.log(
  [...range.tally]
    .sort()
    .map(([what, times]) => `${what}: ${times}`)
    .join('\n'),
)
console.log(`${problems} problems`)
await service.stop()
await cluster?.remove()
process.exitCode = problems > 0 ? 1 : 0
