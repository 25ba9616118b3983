import type { JsonObject, UserNumber } from '@saldo/core'
import { expect, test } from 'vitest'
import { runsOf } from '../../../core/test/tier.ts'
import { copyDatabase } from '../../src/store/copy.ts'
import { layout } from '../../src/store/layout.ts'
import { distributeDatabase } from '../../src/store/postgres/distribute.ts'
import type { SqlDriver, SqlWriter } from '../../src/store/sql.ts'
import { openStores } from '../../src/store/stores.ts'
import { UserAccountStore } from '../../src/store/users/user-accounts.ts'
import { systemRandom } from '../../src/system.ts'
import type { TestService } from '../harness.ts'
import { askForEvents } from '../http/event-client.ts'
import { create, newId, push, resourceOf, timeOf } from '../http/resources.ts'
import { ManualClock } from '../manual-clock.ts'
import { contentsOfFile } from '../store/raw-database.ts'
import { hourOf, oneOfEachKind, uuidOf } from '../store/samples.ts'
import { openTemporary } from '../store/temporary.ts'
import { addUser, open, queriesOf, servers, twoNodes } from './citus-kit.ts'
import type { PostgresCluster } from './cluster.ts'
import { atWorker, newDistributed, newPrepared } from './distributed.ts'
import { execute } from './global-setup.ts'

const entries = resourceOf('entries')
const AT = '2026-02-02T12:00:00.000Z'

const { distributed, workerOf, usersAtBoth } = await servers()

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
  const before = await queriesOf(url)
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
  const after = await queriesOf(url)
  expect(after.single - before.single).toBeGreaterThan(100)
  expect(after.multi - before.multi).toBe(0)
  await there.service.heartbeat()
  expect((await queriesOf(url)).multi - after.multi).toBeLessThanOrEqual(1)
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
  const sessions = `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'saldo' ORDER BY pid`
  const before = (await execute(url, sessions)).rows
  const refused = { name: 'UnavailableError', reason: 'unavailable' }
  for (let count = 0; count < 5; count += 1) await expect(put(one, 2)).rejects.toMatchObject(refused)
  await put(other, 2)
  // A new session at the coordinator costs the time of others.
  expect((await execute(url, sessions)).rows).toEqual(before)
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

test('[D1.24] jobs and erasures of others go on while a worker is down', async () => {
  const url = await newDistributed(distributed.servers)
  const [node] = await twoNodes(url)
  const stores = await open(url)
  const [one, other] = await usersAtBoth(url, stores)
  const accounts = new UserAccountStore(stores.driver)
  const task = { kind: 'team_facts' } as const
  const [due, spare] = await usersAtBoth(url, stores)
  const here = (await workerOf(url, due)) === (await workerOf(url, one))
  const [goneHere, goneThere] = here ? [due, spare] : [spare, due]
  for (const user of [one, other]) {
    await stores.records.write(user, (writer) => writer.putJob({ id: 'job', dueMs: 1, task }))
  }
  for (const user of [goneHere, goneThere]) await accounts.change(user, { active: false, eraseAt: AT }, AT)
  const worker = await workerOf(url, one)
  await worker.stop('kill')
  await node.service.runDueJobs()
  await node.service.eraseDue()
  expect(await stores.records.usersWithDueJobs(5, 10, [])).toEqual([one])
  expect(await accounts.due(AT)).toEqual([goneHere])
  await worker.start()
  await node.service.runDueJobs()
  await node.service.eraseDue()
  expect(await stores.records.usersWithDueJobs(5, 10, [])).toEqual([])
  expect(await accounts.due(AT)).toEqual([])
})

test('[D19.21] an erasure whose server is killed at any statement leaves all of an account or nothing', async () => {
  const url = await newDistributed(distributed.servers)
  const stores = await open(url)
  // The first user is the last admin, who stays.
  await addUser(stores)
  const full = async () => {
    const user = await addUser(stores)
    await stores.records.write(user, (writer) => writer.put(oneOfEachKind(uuidOf('a'))))
    await stores.records.write(user, (writer) => writer.putJob({ id: 'job', dueMs: 1, task: { kind: 'team_facts' } }))
    await stores.users.addSession({ user, hash: `of ${user}` }, { at: AT, expiresAt: AT, userAgent: null })
    await new UserAccountStore(stores.driver).change(user, { active: false, eraseAt: AT }, AT)
    return user
  }
  const tables = ['counters', 'records', 'sync_log', 'jobs', 'users']
  const left = async (user: UserNumber) => {
    const found: string[] = []
    for (const table of tables) {
      const column = table === 'users' ? 'id' : 'user_id'
      const rows = await stores.driver.all(`SELECT 1 FROM ${table} WHERE ${column} = $1 LIMIT 1`, [user])
      if (rows.length > 0) found.push(table)
    }
    return found
  }
  /** Erases a user; before the statement with this number, the server is killed and started again. */
  const eraseWithKill = async (user: UserNumber, at: number, server: PostgresCluster) => {
    let statements = 0
    const before = async () => {
      statements += 1
      if (statements === at) await server.restart('kill')
    }
    const { driver: own } = stores
    const driver: SqlDriver = {
      dialect: own.dialect,
      all: own.all.bind(own),
      run: own.run.bind(own),
      read: own.read.bind(own),
      close: own.close.bind(own),
      write: (body, turn) =>
        own.write((sql) => {
          const counted: SqlWriter = {
            dialect: sql.dialect,
            all: (text, params) => before().then(() => sql.all(text, params)),
            run: (text, params) => before().then(() => sql.run(text, params)),
            insertEach: (insert, rows) => sql.insertEach(insert, rows),
            script: (text) => sql.script(text),
          }
          // The commit counts as a statement.
          return body(counted).then((result) => before().then(() => result))
        }, turn),
    }
    await new UserAccountStore(driver).erase(user, AT).catch((error: unknown) => {
      expect(error).toMatchObject({ name: 'UnavailableError' })
    })
    return statements
  }
  let isLast = false
  let kills = 0
  for (let at = 1; !isLast; at += 1) {
    for (const kind of ['coordinator', 'worker'] as const) {
      const user = await full()
      const server = kind === 'worker' ? await workerOf(url, user) : distributed.coordinator
      isLast = (await eraseWithKill(user, at, server)) < at
      kills += Number(!isLast)
      await expect.poll(() => left(user).catch(() => undefined)).not.toBeUndefined()
      const rest = await left(user)
      expect([[], tables], `${kind} at ${at}`).toContainEqual(rest)
      expect(await new UserAccountStore(stores.driver).erase(user, AT)).toBe(rest.length > 0)
      expect(await left(user)).toEqual([])
    }
  }
  // Two servers, eight statements and the commit.
  expect(kills).toBe(18)
})
