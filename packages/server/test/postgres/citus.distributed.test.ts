import type { JsonObject, UserNumber } from '@saldo/core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { runsOf } from '../../../core/test/tier.ts'
import { copyDatabase } from '../../src/store/copy.ts'
import { layout } from '../../src/store/layout.ts'
import { distributeDatabase } from '../../src/store/postgres/distribute.ts'
import { openStores, type Stores } from '../../src/store/stores.ts'
import { systemRandom } from '../../src/system.ts'
import { startTestService, type TestService } from '../harness.ts'
import { askForEvents } from '../http/event-client.ts'
import { create, newId, push, resourceOf, timeOf } from '../http/resources.ts'
import { ManualClock } from '../manual-clock.ts'
import { contentsOfFile } from '../store/raw-database.ts'
import { hourOf, oneOfEachKind, uuidOf } from '../store/samples.ts'
import { openTemporary } from '../store/temporary.ts'
import { atWorker, DistributedPostgres, newDistributed, newPrepared } from './distributed.ts'
import { execute } from './global-setup.ts'

const entries = resourceOf('entries')
const AT = '2026-02-02T12:00:00.000Z'

let distributed: DistributedPostgres
beforeAll(async () => {
  distributed = await DistributedPostgres.start()
})
afterAll(() => distributed.remove())

async function open(url: string): Promise<Stores> {
  const stores = await openStores({ url, clock: new ManualClock(AT), random: systemRandom, as: 'service' })
  onTestFinished(() => stores.close())
  return stores
}

async function addUser({ users }: Stores): Promise<UserNumber> {
  const added = await users.add({ email: `${newId()}@example.com`, passwordHash: 'none', at: AT })
  if (added.outcome !== 'added') throw new Error(added.outcome)
  return added.user
}

/** A user at each of two workers. */
async function usersAtBoth(url: string, stores: Stores): Promise<[UserNumber, UserNumber]> {
  const one = await addUser(stores)
  const worker = await workerOf(url, one)
  for (;;) {
    const other = await addUser(stores)
    if ((await workerOf(url, other)) !== worker) return [one, other]
  }
}

/** The worker that has a user's records. */
async function workerOf(url: string, user: UserNumber) {
  for (const worker of distributed.workers) {
    const count = `SELECT count(*) FROM %s WHERE user_id = ${user}`
    const found = `SELECT result FROM run_command_on_placements('counters', '${count}')
      WHERE nodename = '${worker.host}' AND result = '1'`
    if ((await execute(url, found)).rows.length > 0) return worker
  }
  throw new Error('no worker has the user')
}

async function twoNodes(databaseUrl: string): Promise<[TestService, TestService]> {
  const config = { databaseUrl, authSecret: 'the same for all nodes '.repeat(2) }
  const nodes = [await startTestService({ config }), await startTestService({ config })] as [TestService, TestService]
  onTestFinished(async () => {
    for (const node of nodes) await node.close()
  })
  return nodes
}

test('[D4.18] distributing moves users who exist, leaves nothing at the coordinator, and can be repeated', async () => {
  const url = await newPrepared(distributed.servers)
  const before = await openStores({ url, clock: new ManualClock(AT), random: systemRandom, as: 'service' })
  const user = await addUser(before)
  const stored = await before.records.write(user, (writer) => writer.put(oneOfEachKind(uuidOf('a'))))
  await before.close()
  const first = await distributeDatabase(url, 8)
  expect(first).toMatchObject({ shards: 8, workers: 2 })
  expect(first.changed).toEqual(
    expect.arrayContaining(['counters', 'records', 'sync_log', 'users', 'jobs', 'decisions']),
  )
  expect(await distributeDatabase(url, 16)).toEqual({ shards: 8, workers: 2, changed: [] })
  const kinds = 'SELECT partmethod AS kind, CAST(count(*) AS INTEGER) AS n FROM pg_dist_partition GROUP BY 1 ORDER BY 1'
  expect((await execute(url, kinds)).rows).toEqual([
    { kind: 'h', n: 3 },
    { kind: 'n', n: layout.local.length },
  ])
  const left = `SELECT pg_relation_size('records') + pg_relation_size('sync_log') + pg_relation_size('counters') AS bytes`
  expect((await execute(url, left)).rows).toEqual([{ bytes: '0' }])
  for (const worker of distributed.workers) {
    const { rows } = await execute(atWorker(worker, url), 'SHOW lock_timeout')
    expect(rows).toEqual([{ lock_timeout: '10s' }])
  }
  const after = await open(url)
  expect(await after.records.read(user, (reader) => reader.find(stored))).toHaveLength(stored.length)
  expect(await after.records.versions([user])).toMatchObject([{ value: new Map([[user, stored.length]]) }])
})

test('[D4.18] a database is copied into a distributed one and out of it, with the same rows', async () => {
  const full = await openTemporary()
  for (let count = 0; count < 5; count += 1) {
    const user = await addUser(full)
    await full.records.write(user, (writer) =>
      writer.put([...oneOfEachKind(uuidOf('x')), ...Array.from({ length: 300 }, (_, number) => hourOf(number))]),
    )
    await full.users.addSession({ user, hash: `of ${user}` }, { at: AT, expiresAt: AT, userAgent: null })
  }
  const copy = await open(await newDistributed(distributed.servers))
  await copyDatabase(full.driver, copy.driver)
  const back = await openTemporary()
  await copyDatabase(copy.driver, back.driver)
  expect(contentsOfFile(back.file).tables).toEqual(contentsOfFile(full.file).tables)
})

test('[D8.2] no request and no poll of two nodes asks more than one worker, except for versions', async () => {
  const url = await newDistributed(distributed.servers)
  const [here, there] = await twoNodes(url)
  const users = [await here.user(), await here.user(), await here.user()]
  const streams = await Promise.all(users.map(({ token }) => askForEvents(there, { authorization: `Bearer ${token}` })))
  const multiShard = async () => {
    const counters = `SELECT CAST(query_execution_multi_shard AS INTEGER) AS multi,
        CAST(query_execution_single_shard AS INTEGER) AS single
      FROM citus_stat_counters WHERE name = current_database()`
    const [row] = (await execute(url, counters)).rows
    return row as { multi: number; single: number }
  }
  const before = await multiShard()
  for (const { call } of users) {
    for (const { content, path } of [entries, resourceOf('settings_history'), resourceOf('balance_adjustments')]) {
      const { id } = await create(call, { ...entries, path }, content)
      expect((await call('GET', `${path}/${id}`)).status).toBe(200)
      expect((await call('GET', path)).status).toBe(200)
    }
    expect(await push(call, changesOf(here, 40))).toHaveLength(40)
    for (const path of ['/api/sync/pull?since=0', '/api/sync/digest', '/api/balance', '/api/account/today']) {
      expect((await call('GET', path)).status, path).toBe(200)
    }
  }
  for (const node of [here, there]) {
    await node.service.runDueJobs()
    await node.service.sendToWebhooks()
    for (let round = 0; round < 6; round += 1) await node.service.heartbeat()
  }
  const after = await multiShard()
  expect(after.single - before.single).toBeGreaterThan(100)
  expect(after.multi - before.multi).toBe(0)
  await there.service.heartbeat()
  expect((await multiShard()).multi - after.multi).toBeLessThanOrEqual(1)
  for (const [index, stream] of streams.entries()) {
    const { body } = await (users[index] as (typeof users)[number]).call('GET', '/api/sync/pull?since=1000000')
    await stream.receivesVersion(body.version)
  }
})

function changesOf(service: Pick<TestService, 'clock'>, count: number): JsonObject[] {
  return Array.from({ length: count }, () => ({
    kind: 'entries',
    op: 'upsert',
    record: { ...entries.content, id: newId(), updated_at: timeOf(service) },
  }))
}

test('[D1.24] a worker that is down refuses its own users alone, and what they miss comes later', async () => {
  const url = await newDistributed(distributed.servers)
  const stores = await open(url)
  const [one, other] = await usersAtBoth(url, stores)
  const put = (user: UserNumber, number: number) => stores.records.write(user, (writer) => writer.put([hourOf(number)]))
  await put(one, 1)
  await put(other, 1)
  const worker = await workerOf(url, one)
  await worker.stop('kill')
  await expect(put(one, 2)).rejects.toMatchObject({ name: 'UnavailableError', reason: 'unavailable' })
  await put(other, 2)
  const looked = await stores.records.versions([one, other])
  expect(looked.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(looked.flatMap((result) => (result.status === 'fulfilled' ? [...result.value] : []))).toEqual([[other, 2]])
  const task = { kind: 'team_facts' } as const
  await stores.records.write(other, (writer) => writer.putJob({ id: 'job', dueMs: 1, task }))
  expect(await stores.records.usersWithDueJobs(5, 10, [])).toEqual([other])
  await worker.start()
  await put(one, 3)
  expect(await stores.records.versions([one, other])).toMatchObject([
    {
      value: new Map([
        [one, 2],
        [other, 2],
      ]),
    },
  ])
})

test('[D4.8] whatever server is killed under load, acknowledged writes stay, each once', async () => {
  const url = await newDistributed(distributed.servers)
  const stores = await open(url)
  const users = [...(await usersAtBoth(url, stores)), await addUser(stores), await addUser(stores)]
  const acknowledged = new Map(users.map((user) => [user, [] as string[]]))
  let isDone = false
  const load = users.map(async (user) => {
    while (!isDone) {
      const id = newId()
      const written = await stores.records
        .write(user, (writer) => writer.put([hourOf(1, id)]))
        .then(
          () => true,
          (error: unknown) => {
            expect(error).toMatchObject({ name: 'UnavailableError' })
            return false
          },
        )
      if (written) acknowledged.get(user)?.push(id)
    }
  })
  const grown = async () => {
    const before = [...acknowledged.values()].map(({ length }) => length)
    await expect
      .poll(() => [...acknowledged.values()].every(({ length }, index) => length > (before[index] ?? 0) + 3))
      .toBe(true)
  }
  for (let round = 0; round < runsOf(1, 3); round += 1) {
    for (const server of [distributed.coordinator, ...distributed.workers]) {
      await grown()
      await server.restart('kill')
    }
  }
  await grown()
  isDone = true
  await Promise.all(load)
  for (const [user, ids] of acknowledged) {
    const { found, position, count } = await stores.records.read(user, async (reader) => ({
      found: await reader.find(ids.map((id) => ({ kind: 'entries' as const, id }) as never)),
      position: await reader.position(),
      count: (await reader.changesSince(0, 1_000_000)).length,
    }))
    expect(found).toHaveLength(ids.length)
    // Each id is written once, so the log has a row for each version.
    expect(position.version).toBe(count)
  }
})

test('[D4.8] shards move to another worker under load without an error, and nothing is lost', async () => {
  const url = await newDistributed(distributed.servers)
  const stores = await open(url)
  const users = [...(await usersAtBoth(url, stores)), await addUser(stores)]
  const counts = new Map(users.map((user) => [user, 0]))
  let isDone = false
  const load = users.map(async (user) => {
    while (!isDone) {
      await stores.records.write(user, (writer) => writer.put([hourOf(1, newId())]))
      counts.set(user, (counts.get(user) ?? 0) + 1)
    }
  })
  const [from, to] = distributed.servers.workers as [string, string]
  const shards = `SELECT shardid FROM citus_shards WHERE table_name = 'counters'::regclass AND nodename = '${from}'`
  const { rows } = await execute(url, shards)
  expect(rows.length).toBeGreaterThan(0)
  for (const { shardid } of rows) {
    await execute(url, `SELECT citus_move_shard_placement(${shardid}, '${from}', 5432, '${to}', 5432, 'force_logical')`)
  }
  isDone = true
  await Promise.all(load)
  expect((await execute(url, shards)).rows).toEqual([])
  for (const [user, count] of counts) {
    expect((await stores.records.read(user, (reader) => reader.position())).version).toBe(count)
  }
})
