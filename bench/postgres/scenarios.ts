import { setTimeout as wait } from 'node:timers/promises'
import { execute } from '../../packages/server/test/postgres/global-setup.ts'
import { atConcurrency, atRate, pushBodies, send, type Target } from '../load.ts'
import { atLeast, atMost, median, type Result } from '../result.ts'
import { medianTime, PUSH, SNAPSHOT, settledMemory, timed } from '../scenarios.ts'
import type { RunningServer } from '../servers.ts'
import { fillQuickly } from './fill.ts'
import { type Database, type Nodes, startDatabase, startNodes, startTwin } from './servers.ts'
import { openStreams } from './streams.ts'

/** How much is done; the tiny sizes only show that everything runs. */
export interface PostgresSizes {
  rounds: number
  /** Of a snapshot. */
  records: number
  users: number
  pushes: number
  pulls: number
  /** Pulls one after another. */
  smallPull: number
  manyUsers: number
  recordsEach: number
  streams: number
  /** How long the streams are left alone, in milliseconds. */
  idleMs: number
}

export const fullPostgresSizes: PostgresSizes = {
  rounds: 5,
  records: 10_000,
  users: 50,
  pushes: 2_000,
  pulls: 2_000,
  smallPull: 200,
  manyUsers: 100_000,
  recordsEach: 100,
  streams: 5_000,
  idleMs: 30_000,
}

export const tinyPostgresSizes: PostgresSizes = {
  rounds: 1,
  records: 100,
  users: 3,
  pushes: 10,
  pulls: 10,
  smallPull: 3,
  manyUsers: 30,
  recordsEach: 5,
  streams: 20,
  idleMs: 100,
}

const PULL = '/api/sync/pull?since='
/** Requests at once. */
const AT_ONCE = 16
/** Changes in a push. */
const BATCH = 10
/** Requests a second that leave a node room. */
const STEADY = { pushes: 400, pulls: 1_200 } as const

/** All that is measured on PostgreSQL, each on a server of its own. */
export const postgres = [compareWithTwin, compareTwoNodes, flatness, streams].map(
  (scenario) => async (sizes: PostgresSizes) => {
    const database = await startDatabase()
    const results = await scenario(database, sizes)
    await database.remove()
    return results
  },
)

/** What is asked, of one node or of several in turn. */
interface Asked {
  servers: readonly RunningServer[]
  users: readonly number[]
  push: string
  pull: string
  snapshot: string
}

const ofSaldo = ({ nodes, users }: Pick<Nodes, 'nodes' | 'users'>): Asked => ({
  servers: nodes,
  users,
  push: PUSH,
  pull: PULL,
  snapshot: SNAPSHOT,
})

/** What requests cost each: how long they took together, and the processor's time of nodes and database, in milliseconds. */
interface Cost {
  ms: number
  nodeMs: number
  databaseMs: number
}

const totalMs = ({ nodeMs, databaseMs }: Cost) => nodeMs + databaseMs

/** Half of them took no more: node and database, in milliseconds. */
function apart(costs: readonly Cost[]): string {
  const [node, database] = [median(costs.map(({ nodeMs }) => nodeMs)), median(costs.map((cost) => cost.databaseMs))]
  return `${node.toFixed(2)} + ${database.toFixed(2)} ms`
}

function compareCosts(what: string, bare: readonly Cost[], full: readonly Cost[], most: number): Result {
  return atMost(what, apart(bare), apart(full), median(full.map(totalMs)) / median(bare.map(totalMs)), most)
}

/** Everything that is compared with the twin of the reference, in interleaved rounds. */
async function compareWithTwin(database: Database, sizes: PostgresSizes): Promise<Result[]> {
  const { url, nodes, users, stop } = await startNodes(database, 1, sizes.users)
  const sides: [Asked, Asked] = [await twinsOf(database, 1, users), ofSaldo({ nodes, users })]
  for (const side of sides) await warm(side, sizes)
  const rounds: (readonly [Measured, Measured])[] = []
  for (let round = 0; round < sizes.rounds; round += 1) {
    rounds.push([await measure(database, sides[0], sizes), await measure(database, sides[1], sizes)])
  }
  const connections = await connectionsOf(url)
  for (const twin of sides[0].servers) await twin.stop()
  await stop()

  const of = (side: 0 | 1, value: (measured: Measured) => number) => median(rounds.map((round) => value(round[side])))
  const rates = ([0, 1] as const).map((side) => 1_000 / of(side, ({ push }) => push.ms)) as [number, number]
  const time = (what: string, value: (measured: Measured) => number, most: number): Result => {
    const [bare, full] = [of(0, value), of(1, value)]
    return atMost(what, `${bare.toFixed(2)} ms`, `${full.toFixed(2)} ms`, full / bare, most)
  }
  const cost = (what: string, request: 'push' | 'pull', most: number): Result => {
    const [bare, full] = ([0, 1] as const).map((side) => rounds.map((round) => round[side][request])) as [
      Cost[],
      Cost[],
    ]
    return compareCosts(what, bare, full, most)
  }
  const inRates = (rate: number) => `${Math.round(rate).toLocaleString('en')} pushes/s`
  return [
    atLeast(
      `PostgreSQL: pushes of ${BATCH}, ${AT_ONCE} at a time`,
      inRates(rates[0]),
      inRates(rates[1]),
      rates[1] / rates[0],
      0.6,
    ),
    time('PostgreSQL: pull of one change', ({ pullMs }) => pullMs, 2),
    time(`PostgreSQL: snapshot of ${sizes.records} records`, ({ snapshotMs }) => snapshotMs, 1.5),
    cost(`PostgreSQL: processor, node + database, of a push of ${BATCH}`, 'push', 1.67),
    cost('PostgreSQL: processor, node + database, of a pull', 'pull', 2),
    atMost('PostgreSQL: connections of a node', '20', String(connections), connections / 20, 1),
  ]
}

interface Measured {
  push: Cost
  pull: Cost
  pullMs: number
  snapshotMs: number
}

/** A service runs for weeks: what counts is not its first second, when nothing is compiled or connected yet. */
async function warm(asked: Asked, sizes: PostgresSizes): Promise<void> {
  const { servers, users, push } = asked
  const [device] = users as [number, ...number[]]
  for (const { target } of servers) {
    for (const body of pushBodies(sizes.records / servers.length, 500)) await send(target, device, 'POST', push, body)
  }
  // Each of several compiles for itself.
  await pushMany(asked, sizes.pushes * servers.length)
  await (await pullMany(asked, sizes.pulls * servers.length))()
}

async function measure(database: Database, asked: Asked, sizes: PostgresSizes): Promise<Measured> {
  const { servers, users, pull, snapshot } = asked
  const [{ target }] = servers as [RunningServer]
  const [device, other] = users as [number, number]
  const push = await costOf(database, servers, sizes.pushes, () => pushMany(asked, sizes.pushes))
  const pulled = await costOf(database, servers, sizes.pulls, await pullMany(asked, sizes.pulls))
  const since = pull + ((await lastVersion(target, other, pull)) - 1)
  const pullMs = await medianTime(sizes.smallPull, () => send(target, other, 'GET', since))
  const compressing = { ...target, acceptEncoding: 'zstd' }
  const snapshotMs = await medianTime(9, () => send(compressing, device, 'GET', snapshot))
  return { push, pull: pulled, pullMs, snapshotMs }
}

function pushMany(asked: Asked, count: number): Promise<void> {
  return atConcurrency(AT_ONCE, pushes(asked, count))
}

type Jobs = readonly (() => Promise<unknown>)[]

/** Pushes by all users but the first, in turns. */
function pushes({ servers, users, push }: Asked, count: number): Jobs {
  const [, ...others] = users
  return pushBodies(count * BATCH, BATCH).map((body, index) => () => {
    const { target } = servers[index % servers.length] as RunningServer
    return send(target, others[index % others.length] as number, 'POST', push, body)
  })
}

/** First it is asked where each user stands, then the pulling is returned. */
async function pullMany(asked: Asked, count: number): Promise<() => Promise<void>> {
  const jobs = await pulls(asked, count)
  return () => atConcurrency(AT_ONCE, jobs)
}

/** Pulls of one change by all users but the first, in turns. */
async function pulls({ servers, users, pull }: Asked, count: number): Promise<Jobs> {
  const [, ...others] = users
  const [{ target }] = servers as [RunningServer]
  const paths: string[] = []
  for (const user of others) paths.push(pull + ((await lastVersion(target, user, pull)) - 1))
  return Array.from({ length: count }, (_, index) => () => {
    const { target } = servers[index % servers.length] as RunningServer
    const user = index % others.length
    return send(target, others[user] as number, 'GET', paths[user] as string)
  })
}

async function lastVersion(target: Target, user: number, pull: string): Promise<number> {
  const answer = await send(target, user, 'GET', pull + Number.MAX_SAFE_INTEGER)
  return (JSON.parse(answer.toString()) as { version: number }).version
}

async function costOf(
  database: Database,
  servers: readonly RunningServer[],
  requests: number,
  work: () => Promise<unknown>,
): Promise<Cost> {
  const nodesMs = () => servers.reduce((sum, server) => sum + server.cpuMs(), 0)
  const [nodesBefore, databaseBefore] = [nodesMs(), database.cpuMs()]
  const ms = (await timed(work)) / requests
  const nodeMs = (nodesMs() - nodesBefore) / requests
  return { ms, nodeMs, databaseMs: (database.cpuMs() - databaseBefore) / requests }
}

async function connectionsOf(url: string): Promise<number> {
  const { rows } = await execute(
    url,
    `SELECT count(*) AS open FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'saldo'`,
  )
  return Number(rows[0]?.open)
}

/**
 * What two nodes cost for the work of one, whether that is more than two of the twin cost for the work of one, and what they cost
 * where each of them has as much to do as one alone.
 */
async function compareTwoNodes(database: Database, sizes: PostgresSizes): Promise<Result[]> {
  const started = [await startNodes(database, 1, sizes.users), await startNodes(database, 2, sizes.users)] as const
  const sides = started.map(ofSaldo)
  const twins = [await twinsOf(database, 1, started[0].users), await twinsOf(database, 2, started[0].users)]
  for (const side of [...sides, ...twins]) await warm(side, sizes)
  const costs = sides.map(() => ({
    shared: [] as number[],
    ofTwins: [] as number[],
    pushes: [] as Cost[],
    pulls: [] as Cost[],
  }))
  const busy = async (side: Asked) => {
    const pushed = await costOf(database, side.servers, 1, () => pushMany(side, sizes.pushes))
    const pulled = await costOf(database, side.servers, 1, await pullMany(side, sizes.pulls))
    return totalMs(pushed) + totalMs(pulled)
  }
  for (let round = 0; round < sizes.rounds; round += 1) {
    for (const [index, side] of sides.entries()) {
      const { servers } = side
      const of = costs[index] as (typeof costs)[0]
      of.shared.push(await busy(side))
      of.ofTwins.push(await busy(twins[index] as Asked))
      const steady = (rate: number, jobs: Jobs) =>
        costOf(database, servers, jobs.length, () => atRate(rate * servers.length, jobs))
      of.pushes.push(await steady(STEADY.pushes, pushes(side, (sizes.pushes / 2) * servers.length)))
      of.pulls.push(await steady(STEADY.pulls, await pulls(side, sizes.pulls * servers.length)))
    }
  }
  for (const { stop } of [...started, ...twins.flatMap(({ servers }) => servers)]) await stop()
  const [one, two] = costs as [(typeof costs)[0], (typeof costs)[0]]
  const [alone, together] = [median(one.shared), median(two.shared)]
  const [ofOne, ofTwo] = [together / alone, median(two.ofTwins) / median(one.ofTwins)]
  const steadily = (kind: keyof typeof STEADY): Result => {
    const what = `PostgreSQL: processor of ${kind} at two nodes beside one, ${STEADY[kind]}/s each`
    return compareCosts(what, one[kind], two[kind], 1.1)
  }
  const what = 'PostgreSQL: processor of two nodes, for the work of one'
  return [
    atMost(what, `${alone.toFixed(0)} ms`, `${together.toFixed(0)} ms`, ofOne, 1.1),
    atMost(`${what}, beside two twins`, `× ${ofTwo.toFixed(2)}`, `× ${ofOne.toFixed(2)}`, ofOne / ofTwo, 1.1),
    steadily('pushes'),
    steadily('pulls'),
  ]
}

/** Twins of the reference on a new database. */
async function twinsOf(database: Database, count: number, users: readonly number[]): Promise<Asked> {
  const url = await database.create()
  const servers: RunningServer[] = []
  while (servers.length < count) servers.push(await startTwin(url))
  return { servers, users, push: '/push', pull: '/pull?since=', snapshot: '/pull' }
}

/** Whether requests of as many users cost as much in a large database as in a small one. */
async function flatness(database: Database, sizes: PostgresSizes): Promise<Result[]> {
  const { manyUsers, recordsEach, rounds, users } = sizes
  const counts = [users, manyUsers] as const
  const filled = (count: number) => startNodes(database, 1, (url) => fillQuickly(url, count, recordsEach, users))
  const started = [await filled(counts[0]), await filled(counts[1])] as const
  const sides = started.map(ofSaldo)
  for (const side of sides) await warm(side, { ...sizes, records: BATCH })
  const pushes: [Cost[], Cost[]] = [[], []]
  const pulls: [Cost[], Cost[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, side] of sides.entries()) {
      pushes[index as 0 | 1].push(
        await costOf(database, side.servers, sizes.pushes, () => pushMany(side, sizes.pushes)),
      )
      pulls[index as 0 | 1].push(await costOf(database, side.servers, sizes.pulls, await pullMany(side, sizes.pulls)))
    }
  }
  for (const { stop } of started) await stop()
  const [few, many] = counts.map((count) => (count * recordsEach).toLocaleString('en'))
  const compare = (what: string, costs: [Cost[], Cost[]]): Result => {
    const [small, large] = costs.map((of) => median(of.map(({ ms }) => ms))) as [number, number]
    const text = `PostgreSQL: ${what}, from ${few} to ${many} records`
    return atMost(text, `${small.toFixed(3)} ms`, `${large.toFixed(3)} ms`, large / small, 1.2)
  }
  return [compare(`push of ${BATCH}`, pushes), compare('pull of one change', pulls)]
}

/** Of a user who listens. */
const STREAMS_EACH = 5

/** What open event streams cost, and pushes beside them: of users who have none, and of those whose streams tell of each. */
async function streams(database: Database, sizes: PostgresSizes): Promise<Result[]> {
  const count = sizes.streams
  const { nodes, users, stop } = await startNodes(database, 1, sizes.users + count / STREAMS_EACH)
  const [node] = nodes as [RunningServer]
  const listening = users.slice(sizes.users)
  const silent = ofSaldo({ nodes, users: users.slice(0, sizes.users) })
  await warm(silent, { ...sizes, records: BATCH })
  const pushing = async (asked: Asked) => {
    const rates: number[] = []
    for (let round = 0; round < sizes.rounds; round += 1) {
      rates.push(1_000 / (await costOf(database, nodes, sizes.pushes, () => pushMany(asked, sizes.pushes))).ms)
    }
    return median(rates)
  }
  const alone = await pushing(silent)
  const before = await settledMemory(node)
  const open = await openStreams(node.target, listening, count)
  const idle = await costOf(database, nodes, 1, () => wait(sizes.idleMs))
  const beside = await pushing(silent)
  const told = await pushing(ofSaldo({ nodes, users: listening }))
  const after = node.memory().nowMb
  open.close()
  await stop()
  const rate = (value: number) => `${Math.round(value).toLocaleString('en')} pushes/s`
  const inShare = ((totalMs(idle) / sizes.idleMs) * 100).toFixed(1)
  return [
    atMost(
      `PostgreSQL: memory of a node with ${count} event streams`,
      '300 MB',
      `${after.toFixed(0)} MB`,
      after / 300,
      1,
    ),
    atLeast(
      `PostgreSQL: pushes of ${BATCH} beside ${count} event streams`,
      rate(alone),
      rate(beside),
      beside / alone,
      0.9,
    ),
    {
      what: `PostgreSQL: pushes of ${BATCH} that ${STREAMS_EACH} streams each are told of`,
      reference: rate(alone),
      saldo: rate(told),
      ratio: told / alone,
      target: '',
      met: true,
    },
    atMost(
      `PostgreSQL: processor of ${count} idle event streams`,
      '10 % of a core',
      `${inShare} % (${(((after - before) * 1000) / count).toFixed(0)} kB each)`,
      Number(inShare) / 10,
      1,
    ),
  ]
}
