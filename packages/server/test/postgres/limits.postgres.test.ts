import type { UserNumber } from '@saldo/core'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { Config } from '../../src/env.ts'
import { openStores, type Stores } from '../../src/store/stores.ts'
import { systemRandom } from '../../src/system.ts'
import { startTestService, type TestResponse, type TestService } from '../harness.ts'
import { heavyTest } from '../heavy-test.ts'
import { create, resourceOf } from '../http/resources.ts'
import { ManualClock } from '../manual-clock.ts'
import { hourOf } from '../store/samples.ts'
import { newPostgres } from './database.ts'
import { execute } from './global-setup.ts'

const entries = resourceOf('entries')
const authSecret = 'the same for all nodes '.repeat(2)
const clock = new ManualClock('2026-02-02T12:00:00.000Z')
const unavailable = { name: 'UnavailableError', reason: 'unavailable' }

/** A URL with settings of its connections, in which tests need not wait as long as people. */
function withSettings(url: string, settings: Record<string, string>): string {
  const changed = new URL(url)
  for (const [name, value] of Object.entries(settings)) changed.searchParams.set(name, value)
  return changed.href
}

async function openNode(url: string): Promise<Stores> {
  const stores = await openStores({ url, clock, random: systemRandom, as: 'service' })
  onTestFinished(() => stores.close())
  return stores
}

async function addUser({ users }: Stores): Promise<UserNumber> {
  const added = await users.add({ email: 'a@example.com', passwordHash: 'none', at: '2026-02-02T12:00:00.000Z' })
  if (added.outcome !== 'added') throw new Error(added.outcome)
  return added.user
}

/** A connection beside the service that locks every user, until it ends. */
async function lockUsers(url: string): Promise<pg.Client> {
  const holder = new pg.Client(url)
  await holder.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM counters FOR UPDATE')
  return holder
}

async function expectRefused(answer: Promise<TestResponse>): Promise<void> {
  const { status, body, headers } = await answer
  expect([status, body.code]).toEqual([503, 'unavailable'])
  expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
}

async function startService(databaseUrl: string, count: number, limits: Partial<Config> = {}) {
  const service = await startTestService({ config: { databaseUrl, authSecret, ...limits } })
  onTestFinished(() => service.close())
  const users = await Promise.all(Array.from({ length: count }, () => service.user()))
  // Each notes the first use of its token.
  for (const { call } of users) expect((await call('GET', '/api/entries')).status).toBe(200)
  return users.map(({ call }) => call)
}

heavyTest('[D1.23] without a free connection the answer is 503 with Retry-After, until one is free', async () => {
  const url = await newPostgres()
  // No time limit ends a transaction that holds a connection.
  const forEver = { lock_timeout: '600000', statement_timeout: '600000', query_timeout: '600000' }
  const [last, ...waiting] = await startService(withSettings(url, forEver), 4, { databaseConnections: 3 })
  const call = last as TestService['call']
  const holder = await lockUsers(url)
  const locked = waiting.map((call) => create(call, entries, entries.content))
  const blocked = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  await expect.poll(async () => (await execute(url, blocked)).rowCount).toBe(3)
  await Promise.all(['/api/entries', '/api/sync/pull?since=0'].map((path) => expectRefused(call('GET', path))))
  await holder.end()
  const made = [...(await Promise.all(locked)), await create(call, entries, entries.content)]
  expect(made.map(({ version }) => version)).toEqual(Array(4).fill(1))
})

test('[D1.23] waiting too long for a lock is 503 with Retry-After, until it is free', async () => {
  const url = await newPostgres()
  const calls = await startService(withSettings(url, { lock_timeout: '300' }), 4)
  const holder = await lockUsers(url)
  await Promise.all(calls.map((call) => expectRefused(call('POST', entries.path, { json: entries.content }))))
  await holder.end()
  for (const call of calls) expect((await create(call, entries, entries.content)).version).toBe(1)
})

test('[D1.23] a statement that is cancelled is unavailable, and the next one succeeds', async () => {
  const url = await newPostgres()
  const node = await openNode(url)
  const sleeping = node.driver.read(async (sql) => {
    await sql.all(`SELECT set_config('statement_timeout', '300', true)`)
    return sql.all('SELECT pg_sleep(3600)')
  })
  await expect(sleeping).rejects.toMatchObject(unavailable)
  const patient = await openNode(url)
  const user = await addUser(patient)
  const holder = await lockUsers(url)
  const held = patient.records.write(user, (writer) => writer.put([hourOf(1)]))
  const failed = expect(held).rejects.toMatchObject(unavailable)
  const cancel = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`
  await expect.poll(async () => (await execute(url, cancel)).rowCount).toBe(1)
  await failed
  // Reading never waits.
  expect((await node.records.read(user, (reader) => reader.position())).version).toBe(0)
  await holder.end()
  for (const each of [node, patient]) await each.records.write(user, (writer) => writer.put([hourOf(1)]))
  expect((await node.records.read(user, (reader) => reader.position())).version).toBe(2)
})

test('[D4.10] a node that stalls in a write loses its lock, and runs the write again', async () => {
  const url = await newPostgres()
  const silent = await openNode(withSettings(url, { idle_in_transaction_session_timeout: '300' }))
  const user = await addUser(silent)
  const other = await openNode(url)
  let runs = 0
  let wake = () => {}
  const sleep = new Promise<void>((resolve) => {
    wake = resolve
  })
  let written = () => {}
  const hasWritten = new Promise<void>((resolve) => {
    written = resolve
  })
  const writing = silent.records.write(user, async (writer) => {
    runs += 1
    const first = await writer.put([hourOf(1)])
    written()
    await sleep
    return [...first, ...(await writer.put([hourOf(2)]))]
  })
  await hasWritten
  expect((await other.records.write(user, (writer) => writer.put([hourOf(3)])))[0]?.version).toBe(1)
  wake()
  expect((await writing).map(({ version }) => version)).toEqual([2, 3])
  // More often where load has it fall silent once more.
  expect(runs).toBeGreaterThan(1)
  const changes = await other.records.read(user, (reader) => reader.changesSince(0, 10))
  expect(changes.map(({ id }) => id)).toEqual([hourOf(3), hourOf(1), hourOf(2)].map(({ id }) => id))
})

heavyTest('[D4.10] reads and writes whose connection is cut before the commit are run again, a few times', async () => {
  const url = await newPostgres()
  const node = await openNode(url)
  const user = await addUser(node)
  const cut = `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'idle in transaction'`
  let runs = 0
  const cutIn = (times: number) => {
    runs = 0
    return async () => {
      runs += 1
      // The statement of the write may still be running.
      if (runs <= times) await expect.poll(async () => (await execute(url, cut)).rowCount).toBe(1)
    }
  }
  let meanwhile = cutIn(2)
  const put = () =>
    node.records.write(user, async (writer) => {
      const stored = await writer.put([hourOf(1)])
      await meanwhile()
      return stored
    })
  // The commit finds that the connection is gone.
  expect((await put())[0]?.version).toBe(1)
  expect(runs).toBe(3)
  meanwhile = cutIn(1)
  const versions = node.driver.read(async (sql) => {
    await sql.all('SELECT 1')
    await meanwhile()
    return sql.all('SELECT version FROM counters')
  })
  expect(await versions).toEqual([{ version: 1 }])
  meanwhile = cutIn(100)
  await expect(put()).rejects.toMatchObject(unavailable)
  expect(runs).toBe(6)
  expect((await node.records.read(user, (reader) => reader.position())).version).toBe(1)
})

test('[D4.10] a write with a serialization failure is run again', async () => {
  const url = await newPostgres()
  const node = await openNode(url)
  await execute(url, 'CREATE TABLE pair (id BIGINT, n BIGINT); INSERT INTO pair VALUES (1, 0)')
  let [runs, reads] = [0, 0]
  let bothRead = () => {}
  const both = new Promise<void>((resolve) => {
    bothRead = resolve
  })
  const count = () =>
    node.driver.write(async (sql) => {
      runs += 1
      await sql.script('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')
      const [row] = await sql.all<{ n: number }>('SELECT n FROM pair')
      reads += 1
      if (reads === 2) bothRead()
      await both
      await sql.run('UPDATE pair SET n = $1', [(row?.n ?? 0) + 1])
    })
  await Promise.all([count(), count()])
  expect(runs).toBe(3)
  expect((await execute(url, 'SELECT n FROM pair')).rows).toEqual([{ n: '2' }])
})
