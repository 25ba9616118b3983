import { setTimeout as wait } from 'node:timers/promises'
import { execute } from '../../packages/server/test/postgres/global-setup.ts'
import { atConcurrency, pushBodies, send, type Target } from '../load.ts'
import { atLeast, atMost, median, type Result, within } from '../result.ts'
import { medianTime, PUSH, SNAPSHOT, timed } from '../scenarios.ts'
import type { RunningServer } from '../servers.ts'
import { fillQuickly } from './fill.ts'
import { type Database, type Nodes, startDatabase, startNodes, startReference } from './servers.ts'
import { openStreams } from './streams.ts'

/** The amount of work. The tiny sizes only show that everything runs. */
export interface PostgresSizes {
  rounds: number
  /** Records in a snapshot. */
  records: number
  users: number
  pushes: number
  pulls: number
  /** Pulls of one change, one after another. */
  smallPull: number
  manyUsers: number
  recordsEach: number
  streams: number
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
const STREAMS_PER_USER = 5

/** The measurements on PostgreSQL, each on a server of its own. */
export const postgres = [compareWithReference, compareTwoNodes, flatness, streams].map(
  (scenario) => async (sizes: PostgresSizes) => {
    const database = await startDatabase()
    const results = await scenario(database, sizes)
    await database.remove()
    return results
  },
)

/** Servers that take requests in turn, with their users and paths. */
interface Side {
  servers: readonly RunningServer[]
  users: readonly number[]
  push: string
  pull: string
  snapshot: string
}

const asSaldo = ({ nodes, users }: Pick<Nodes, 'nodes' | 'users'>): Side => ({
  servers: nodes,
  users,
  push: PUSH,
  pull: PULL,
  snapshot: SNAPSHOT,
})

/** Cost of a request: time, and processor time of nodes and database, in milliseconds. */
interface Cost {
  ms: number
  nodeMs: number
  databaseMs: number
}

const totalMs = ({ nodeMs, databaseMs }: Cost) => nodeMs + databaseMs

/** Returns the medians of nodes and database as text. */
function apart(costs: readonly Cost[]): string {
  const [node, database] = [median(costs.map(({ nodeMs }) => nodeMs)), median(costs.map((cost) => cost.databaseMs))]
  return `${node.toFixed(2)} + ${database.toFixed(2)} ms`
}

function compareCosts(what: string, bare: readonly Cost[], full: readonly Cost[], most: number): Result {
  return atMost(what, apart(bare), apart(full), median(full.map(totalMs)) / median(bare.map(totalMs)), most)
}

/** Compares one node with the reference, in interleaved rounds. */
async function compareWithReference(database: Database, sizes: PostgresSizes): Promise<Result[]> {
  const { url, nodes, users, stop } = await startNodes(database, 1, sizes.users)
  const sides: [Side, Side] = [await referencesOn(database, 1, users), asSaldo({ nodes, users })]
  for (const side of sides) await warm(side, sizes)
  const rounds: (readonly [Measured, Measured])[] = []
  for (let round = 0; round < sizes.rounds; round += 1) {
    rounds.push([await measure(database, sides[0], sizes), await measure(database, sides[1], sizes)])
  }
  const connections = await connectionsOf(url)
  for (const server of sides[0].servers) await server.stop()
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
      0.5,
    ),
    time('PostgreSQL: pull of one change', ({ pullMs }) => pullMs, 2),
    time(`PostgreSQL: snapshot of ${sizes.records} records`, ({ snapshotMs }) => snapshotMs, 1.5),
    cost(`PostgreSQL: processor, node + database, of a push of ${BATCH}`, 'push', 2.5),
    cost('PostgreSQL: processor, node + database, of a pull', 'pull', 2.5),
    within('PostgreSQL: connections of a node', connections, 20, 'connections', String(connections)),
  ]
}

interface Measured {
  push: Cost
  pull: Cost
  pullMs: number
  snapshotMs: number
}

/** Compiles and connects, so that the first second of a server is not measured. */
async function warm(side: Side, sizes: PostgresSizes): Promise<void> {
  const { servers, users, push } = side
  const [device] = users as [number, ...number[]]
  for (const { target } of servers) {
    for (const body of pushBodies(sizes.records / servers.length, 500)) await send(target, device, 'POST', push, body)
  }
  // Each server compiles for itself.
  await pushMany(side, sizes.pushes * servers.length)
  await (await pullMany(side, sizes.pulls * servers.length))()
}

async function measure(database: Database, side: Side, sizes: PostgresSizes): Promise<Measured> {
  const { servers, users, pull, snapshot } = side
  const [{ target }] = servers as [RunningServer]
  const [device, other] = users as [number, number]
  const push = await costOf(database, servers, sizes.pushes, () => pushMany(side, sizes.pushes))
  const pulled = await costOf(database, servers, sizes.pulls, await pullMany(side, sizes.pulls))
  const since = pull + ((await lastVersion(target, other, pull)) - 1)
  const pullMs = await medianTime(sizes.smallPull, () => send(target, other, 'GET', since))
  const compressing = { ...target, acceptEncoding: 'zstd' }
  const snapshotMs = await medianTime(9, () => send(compressing, device, 'GET', snapshot))
  return { push, pull: pulled, pullMs, snapshotMs }
}

function pushMany(side: Side, count: number): Promise<void> {
  return atConcurrency(AT_ONCE, pushes(side, count))
}

type Jobs = readonly (() => Promise<unknown>)[]

/** Pushes by all users but the first, in turns. */
function pushes({ servers, users, push }: Side, count: number): Jobs {
  const [, ...others] = users
  return pushBodies(count * BATCH, BATCH).map((body, index) => () => {
    const { target } = servers[index % servers.length] as RunningServer
    return send(target, others[index % others.length] as number, 'POST', push, body)
  })
}

/** First it is side where each user stands, then the pulling is returned. */
async function pullMany(side: Side, count: number): Promise<() => Promise<void>> {
  const jobs = await pulls(side, count)
  return () => atConcurrency(AT_ONCE, jobs)
}

/** Pulls of one change by all users but the first, in turns. */
async function pulls({ servers, users, pull }: Side, count: number): Promise<Jobs> {
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

/** Compares the processor time of two nodes with that of one for the same work, and that ratio with the reference's. */
async function compareTwoNodes(database: Database, sizes: PostgresSizes): Promise<Result[]> {
  const started = [await startNodes(database, 1, sizes.users), await startNodes(database, 2, sizes.users)] as const
  const [{ users }] = started
  const references = [await referencesOn(database, 1, users), await referencesOn(database, 2, users)] as const
  const sides = [...started.map(asSaldo), ...references]
  for (const side of sides) await warm(side, sizes)
  const costs: number[][] = sides.map(() => [])
  for (let round = 0; round < sizes.rounds; round += 1) {
    for (const [index, side] of sides.entries()) {
      const pushed = await costOf(database, side.servers, 1, () => pushMany(side, sizes.pushes))
      const pulled = await costOf(database, side.servers, 1, await pullMany(side, sizes.pulls))
      costs[index]?.push(totalMs(pushed) + totalMs(pulled))
    }
  }
  for (const { stop } of [...started, ...references.flatMap(({ servers }) => servers)]) await stop()
  const [one, two, oneReference, twoReferences] = costs.map(median) as [number, number, number, number]
  const [saldo, reference] = [two / one, twoReferences / oneReference]
  const what = 'PostgreSQL: processor of two nodes / of one, for the same work'
  return [atMost(what, `× ${reference.toFixed(2)}`, `× ${saldo.toFixed(2)}`, saldo / reference, 1.1)]
}

/** Starts references on a new database. */
async function referencesOn(database: Database, count: number, users: readonly number[]): Promise<Side> {
  const url = await database.create()
  const servers: RunningServer[] = []
  while (servers.length < count) servers.push(await startReference(url))
  return { servers, users, push: '/push', pull: '/pull?since=', snapshot: '/pull' }
}

/** Compares requests of as many users in a small and in a large database. */
async function flatness(database: Database, sizes: PostgresSizes): Promise<Result[]> {
  const { manyUsers, recordsEach, rounds, users } = sizes
  const counts = [users, manyUsers] as const
  const filled = (count: number) => startNodes(database, 1, (url) => fillQuickly(url, count, recordsEach, users))
  const started = [await filled(counts[0]), await filled(counts[1])] as const
  const sides = started.map(asSaldo)
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

/** Measures the memory and idle processor time of open event streams, and pushes of other users beside them. */
async function streams(database: Database, sizes: PostgresSizes): Promise<Result[]> {
  const count = sizes.streams
  const { nodes, users, stop } = await startNodes(database, 1, sizes.users + count / STREAMS_PER_USER)
  const [node] = nodes as [RunningServer]
  const pushing = asSaldo({ nodes, users: users.slice(0, sizes.users) })
  await warm(pushing, { ...sizes, records: BATCH })
  const pushRate = async () => {
    const rates: number[] = []
    for (let round = 0; round < sizes.rounds; round += 1) {
      rates.push(1_000 / (await costOf(database, nodes, sizes.pushes, () => pushMany(pushing, sizes.pushes))).ms)
    }
    return median(rates)
  }
  const alone = await pushRate()
  const open = await openStreams(node.target, users.slice(sizes.users), count)
  const idle = await costOf(database, nodes, 1, () => wait(sizes.idleMs))
  const beside = await pushRate()
  const { nowMb } = node.memory()
  open.close()
  await stop()
  const rate = (value: number) => `${Math.round(value).toLocaleString('en')} pushes/s`
  const percent = (totalMs(idle) / sizes.idleMs) * 100
  const named = `${count} event streams`
  return [
    within(`PostgreSQL: memory of a node with ${named}`, nowMb, 300, 'MB'),
    atLeast(`PostgreSQL: pushes of ${BATCH} beside ${named}`, rate(alone), rate(beside), beside / alone, 0.9),
    within(`PostgreSQL: processor of ${named}, idle, of a core`, percent, 10, '%'),
  ]
}
