import { execFileSync } from 'node:child_process'
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
/** How many problems are told before the run ends. */
const MOST_PROBLEMS = 8

const cluster = values.database === 'postgres' ? await PostgresCluster.start() : undefined
const service = await FuzzedService.start(cluster?.url('postgres'))
const range = await rangeOn(service)
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
console.log(
  `commit ${commit}, ${values.database}, seed ${values.seed}, ${values.requests} requests, rounds of ${REQUESTS_A_ROUND}`,
)

const megabytes = ({ rss, heapUsed, external }: Memory) =>
  [rss, heapUsed, external].map((bytes) => (bytes / 1024 ** 2).toFixed(1)).join(' / ')
const startedMs = performance.now()
let problems = 0
const rounds = Math.ceil(Number(values.requests) / REQUESTS_A_ROUND)
for (let round = 0; round < rounds && problems < MOST_PROBLEMS; round += 1) {
  if (round % Math.ceil(rounds / 10) === 0)
    console.log(`round ${round}: RSS / heap / external MiB ${megabytes(await service.memory())}`)
  const seed = Number(values.seed) + round
  problems += await fuzzRound(range, seed, REQUESTS_A_ROUND).then(
    () => 0,
    (error: Error) => tell(seed, error, range),
  )
}

async function tell(seed: number, error: Error, on: Range): Promise<number> {
  console.log(`seed ${seed}: ${error.message}`)
  console.log(`  of the requests, these do: ${await shrink(on, seed, REQUESTS_A_ROUND, error)}`)
  return 1
}

console.log(
  `end: RSS / heap / external MiB ${megabytes(await service.memory())}, ${Math.round((performance.now() - startedMs) / 1_000)} s`,
)
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
