import { setImmediate as nextTurn } from 'node:timers/promises'
import { addDays, type PushResult, type RecordId, type UserNumber } from '@saldo/core'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { isHeavy } from '../../../core/test/tier.ts'
import { UnavailableError } from '../../src/errors.ts'
import { openStores, type Stores } from '../../src/store/stores.ts'
import { systemRandom } from '../../src/system.ts'
import { startTestService } from '../harness.ts'
import { heavyTest } from '../heavy-test.ts'
import { askForEvents } from '../http/event-client.ts'
import { create, resourceOf } from '../http/resources.ts'
import { ManualClock } from '../manual-clock.ts'
import { hourOf, uuidOf } from '../store/samples.ts'
import { PostgresCluster } from './cluster.ts'
import { execute } from './global-setup.ts'
import { Wire } from './wire.ts'

const entries = resourceOf('entries')
const authSecret = 'the same for all nodes '.repeat(2)
const clock = new ManualClock('2026-02-02T12:00:00.000Z')

/** One for this file alone, since it is ended in many ways. */
const cluster = await PostgresCluster.start({ settings: { deadlock_timeout: '50ms' } })
afterAll(() => cluster.remove())

let databases = 0

async function newDatabase(): Promise<string> {
  databases += 1
  const name = `faults_${databases}`
  await execute(cluster.url('postgres'), `CREATE DATABASE ${name}`)
  return cluster.url(name)
}

async function openNode(url: string): Promise<Stores> {
  const stores = await openStores({ url, clock, random: systemRandom, as: 'service' })
  onTestFinished(() => stores.close())
  return stores
}

async function addUser({ users }: Stores, name = 'a'): Promise<UserNumber> {
  const email = `${name}@example.com`
  const added = await users.add({ email, passwordHash: 'none', at: '2026-02-02T12:00:00.000Z' })
  if (added.outcome !== 'added') throw new Error(added.outcome)
  return added.user
}

const cutAll = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid <> pg_backend_pid() AND datname = current_database()`

/** Each does harm to the server, and ends when it can serve again. */
const faults: [string, (url: string) => Promise<unknown>][] = [
  ['its connections are cut', (url) => execute(url, cutAll)],
  ['it is restarted', () => cluster.restart('fast')],
  ['it crashes', () => cluster.restart('immediate')],
]

test.each(isHeavy ? faults : faults.slice(-1))(
  '[D4.7] [D4.8] while %s, nothing acknowledged is lost and nothing is stored in part',
  async (_, harm) => {
    const url = await newDatabase()
    await survive(url, () => harm(url), 3)
  },
)

heavyTest('[D4.8] after a fail-over to the standby nothing acknowledged is lost, and nodes reconnect', async () => {
  const first = await PostgresCluster.start()
  onTestFinished(() => first.remove())
  await execute(first.url('postgres'), 'CREATE DATABASE saldo')
  const second = await first.standby()
  onTestFinished(() => second.remove())
  // From now on, the standby has every acknowledged write.
  await execute(first.url('postgres'), `ALTER SYSTEM SET synchronous_standby_names = '*'`)
  await execute(first.url('postgres'), 'SELECT pg_reload_conf()')
  const state = `SELECT sync_state FROM pg_stat_replication`
  await expect.poll(async () => (await execute(first.url('postgres'), state)).rows).toEqual([{ sync_state: 'sync' }])
  const hosts = [first, second].map((each) => /@(.*)\//.exec(each.url('saldo'))?.[1])
  const url = `postgresql://saldo@${hosts.join()}/saldo?target_session_attrs=read-write`
  const [one, other] = await survive(url, async () => {
    await first.stop('kill')
    second.promote()
  })
  // They hear each other again.
  const heard: string[] = []
  const listening = (other as Stores).announcements?.listen({
    onAnnouncement: (text) => heard.push(text),
    onConnect: () => void one?.announcements?.announce(['here']),
    onDisconnect: () => undefined,
  })
  await expect.poll(() => heard).toContain('here')
  await listening?.close()
})

heavyTest('a standby is refused as the database, because it may be behind', async () => {
  const standby = await cluster.standby()
  onTestFinished(() => standby.remove())
  const open = openStores({ url: standby.url('postgres'), clock, random: systemRandom, as: 'service' })
  await expect(open).rejects.toThrow(/cannot be used: the server is a standby$/)
})

test('opening reports the error of a server that closes each new connection', async () => {
  const wire = await Wire.open(cluster)
  onTestFinished(() => wire.close())
  const url = wire.through(await newDatabase())
  // After what begins the connection, the first question.
  wire.cutSending('before', 2)
  const open = openStores({ url, clock, random: systemRandom, as: 'service' })
  await expect(open).rejects.toThrow(/cannot be used: Connection terminated unexpectedly$/)
})

/** A node whose server can fall silent, and a user of it. */
async function nodeByWire(settings = '') {
  const wire = await Wire.open(cluster)
  onTestFinished(() => wire.close())
  const node = await openNode(wire.through(await newDatabase()) + settings)
  return { wire, node, user: await addUser(node) }
}

function passTimeByHand(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

const unanswered = { reason: 'unavailable', cause: { message: 'Query read timeout' } }

heavyTest('[D1.23] a silent server fails a request after 25 s, and its connection is not reused', async () => {
  const { wire, node, user } = await nodeByWire()
  passTimeByHand()
  let runs = 0
  const working = {
    read: () => node.records.read(user, (reader) => reader.position()),
    write: () =>
      node.records.write(user, (writer) => {
        runs += 1
        return writer.put([hourOf(runs)])
      }),
  }
  for (const work of Object.values(working)) {
    // A connection that stands already, and owes no answer, as it does for a moment after a read.
    await node.driver.write(() => Promise.resolve())
    wire.fallSilent()
    let isOver = false
    const done = expect(work()).rejects.toMatchObject(unanswered)
    void done.finally(() => {
      isOver = true
    })
    await expect.poll(() => wire.unanswered).toBeGreaterThan(0)
    await vi.advanceTimersByTimeAsync(24_000)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1_000)
    await done
    wire.calm()
  }
  // The write fell silent at its BEGIN.
  expect(runs).toBe(0)
  expect((await working.write()).map(({ version }) => version)).toEqual([1])
  expect((await working.read()).version).toBe(1)
})

test('[D4.9] a commit without an answer is not repeated', async () => {
  const { wire, node, user } = await nodeByWire()
  passTimeByHand()
  let runs = 0
  // A write of records has more statements before its commit.
  const work = node.driver.write(async (sql) => {
    runs += 1
    await sql.run('UPDATE users SET name = $2 WHERE id = $1', [user, 'Committed'])
    wire.fallSilent()
  })
  const done = expect(work).rejects.toMatchObject(unanswered)
  await expect.poll(() => wire.unanswered).toBeGreaterThan(0)
  await vi.advanceTimersByTimeAsync(25_000)
  await done
  wire.calm()
  expect(runs).toBe(1)
  // The server did commit.
  expect((await node.users.byId(user))?.name).toBe('Committed')
})

heavyTest('[D1.23] a timeout in the URL replaces the default and applies once', async () => {
  const { wire, node, user } = await nodeByWire('?query_timeout=300')
  let runs = 0
  const work = node.records.write(user, async (writer) => {
    runs += 1
    wire.fallSilent()
    return writer.put([hourOf(1)])
  })
  await expect(work).rejects.toMatchObject({ reason: 'unavailable', cause: { message: 'Query read timeout' } })
  expect(runs).toBe(1)
})

/**
 * Keeps writing pairs for two users at two nodes while `harm` runs several times. Throws unless the nodes recover, all
 * acknowledged pairs are stored, and no pair is stored in part. Returns the nodes.
 */
async function survive(url: string, harm: () => Promise<unknown>, rounds = 1): Promise<Stores[]> {
  const nodes = [await openNode(url), await openNode(url)]
  const [node] = nodes as [Stores]
  const users = [await addUser(node, 'a'), await addUser(node, 'b')]
  const acknowledged = new Map<UserNumber, Map<RecordId, number>>(users.map((user) => [user, new Map()]))
  const failures: unknown[] = []
  let writing = true
  let attempts = 0
  const write = async (store: Stores, user: UserNumber) => {
    while (writing) {
      attempts += 1
      const pair = [hourOf(1, uuidOf(`${attempts} one`)), hourOf(2, uuidOf(`${attempts} two`))]
      try {
        for (const { id, version } of await store.records.write(user, (writer) => writer.put(pair))) {
          acknowledged.get(user)?.set(id, version)
        }
      } catch (error) {
        failures.push(error)
        await nextTurn()
      }
    }
  }
  const writers = nodes.flatMap((store) => users.flatMap((user) => [1, 2, 3].map(() => write(store, user))))
  const acknowledgedBy = () => users.map((user) => acknowledged.get(user)?.size ?? 0)
  for (let round = 0; round < rounds; round += 1) {
    const before = acknowledgedBy()
    await expect.poll(() => acknowledgedBy().every((now, index) => now > (before[index] ?? 0) + 20)).toBe(true)
    await harm()
  }
  const after = acknowledgedBy()
  // They recover by themselves.
  await expect.poll(() => acknowledgedBy().every((now, index) => now > (after[index] ?? 0) + 20)).toBe(true)
  writing = false
  await Promise.all(writers)

  for (const failure of failures) expect(failure).toBeInstanceOf(UnavailableError)
  for (const user of users) {
    const { position, changes } = await node.records.read(user, async (reader) => ({
      position: await reader.position(),
      changes: await reader.changesSince(0, 1_000_000),
    }))
    expect(changes.map(({ version }) => version)).toEqual(changes.map((_, index) => index + 1))
    expect(position.version).toBe(changes.length)
    // Both of a pair, or none: also where nobody was told.
    expect(changes.length % 2).toBe(0)
    const versions = new Map(changes.map(({ id, version }) => [id, version]))
    for (const [id, version] of acknowledged.get(user) ?? []) expect(versions.get(id)).toBe(version)
  }
  return nodes
}

heavyTest.each(['fast', 'kill'] as const)(
  '[D1.23] without its database (%s) a service answers 503 with Retry-After, and then recovers',
  async (mode) => {
    const service = await startTestService({ config: { databaseUrl: await newDatabase(), authSecret } })
    onTestFinished(() => service.close())
    const { token, call } = await service.user()
    const stream = await askForEvents(service, { authorization: `Bearer ${token}` })
    const made = await create(call, entries, entries.content)
    await stream.receivesVersion(1)

    await cluster.stop(mode)
    // Those of its processes that serve a connection may outlive the first by a moment.
    await expect.poll(async () => (await call('GET', '/api/health')).status).toBe(503)
    for (const [method, path] of [
      ['GET', '/api/sync/pull?since=0'],
      ['GET', '/api/health'],
      ['POST', '/api/entries'],
    ] as const) {
      const { status, body, headers } = await call(method, path, method === 'POST' ? { json: entries.content } : {})
      expect([status, body.code]).toEqual([503, 'unavailable'])
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
      expect(JSON.stringify(body)).not.toMatch(/postgres|socket|ECONN|saldo-pg/i)
    }
    await service.service.runDueJobs()
    await service.service.heartbeat()

    await cluster.start()
    await expect.poll(async () => (await call('GET', '/api/health')).status).toBe(200)
    expect((await call('GET', `/api/entries/${made.id}`)).body).toEqual(made)
    expect((await create(call, entries, entries.content)).version).toBe(2)
    await stream.receivesVersion(2)
  },
)

/** A service whose way to a new database can be cut, and a user of it. */
async function startBehindWire() {
  const wire = await Wire.open(cluster)
  onTestFinished(() => wire.close())
  const databaseUrl = wire.through(await newDatabase())
  const service = await startTestService({ config: { databaseUrl, authSecret } })
  onTestFinished(() => service.close())
  return { wire, call: (await service.user()).call }
}

test.each(['before', 'after'] as const)(
  '[D4.9] [D7.2] a connection cut during a commit (%s it) is 503, and a repeat is harmless',
  async (cut) => {
    const { wire, call } = await startBehindWire()
    await create(call, entries, entries.content)
    const changes = [1, 2].map((seq) => ({
      kind: 'entries',
      op: 'upsert',
      seq,
      record: { ...entries.content, id: uuidOf(`${cut} ${seq}`), updated_at: '2026-11-21T12:00:00.000Z' },
    }))
    const push = () => call('POST', '/api/sync/push', { json: { device: uuidOf('device'), changes } })
    wire.cutCommit(cut, uuidOf(`${cut} 1`))
    const { status, body, headers } = await push()
    expect([status, body.code, wire.isArmed]).toEqual([503, 'unavailable', false])
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    const { results } = (await push()).body
    const expected = cut === 'before' ? 'applied' : 'unchanged'
    expect(results.map(({ status, version }: PushResult) => ({ status, version }))).toEqual([
      { status: expected, version: 2 },
      { status: expected, version: 3 },
    ])
    expect((await call('GET', '/api/sync/pull?since=1')).body).toMatchObject({ version: 3 })
  },
)

heavyTest.each(isHeavy ? ['zstd', 'identity'] : ['zstd'])(
  '[D1.23] a snapshot (%s) that cannot be read to its end is 503, not half an answer',
  async (encoding) => {
    const { wire, call } = await startBehindWire()
    for (let batch = 0; batch < 3; batch += 1) {
      const changes = Array.from({ length: 1_000 }, (_, n) => ({
        kind: 'entries',
        op: 'upsert',
        record: {
          kind: 'sick',
          date: addDays('2026-11-10', -(1_000 * batch + n)),
          id: uuidOf(`${batch} ${n}`),
          updated_at: '2026-11-21T12:00:00.000Z',
        },
      }))
      await call('POST', '/api/sync/push', { json: { changes } })
    }
    const snapshot = () => call('GET', '/api/sync/pull', { headers: { 'accept-encoding': encoding } })
    const statuses: number[] = []
    do {
      wire.calm()
      wire.cutSending('before', statuses.length + 1, true)
      const { status, body, headers } = await snapshot()
      statuses.push(status)
      if (status === 200) {
        expect(body).toMatchObject({ version: 3_000, has_more: false, cursor: null })
        expect(body.changes.entries).toHaveLength(3_000)
      } else {
        expect([status, body.code]).toEqual([503, 'unavailable'])
        expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
      }
    } while (!wire.isArmed)
    // The token, and each thousand.
    expect(statuses.filter((status) => status === 503).length).toBeGreaterThanOrEqual(4)
  },
)

test('[D4.8] a commit that was not replicated is not acknowledged; the repeat finds it', async () => {
  const databaseUrl = await newDatabase()
  const service = await startTestService({ config: { databaseUrl, authSecret } })
  onTestFinished(() => service.close())
  const { call } = await service.user()
  const standbys = async (names: string) => {
    await execute(databaseUrl, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
    await execute(databaseUrl, 'SELECT pg_reload_conf()')
    const shown = async () => (await execute(databaseUrl, 'SHOW synchronous_standby_names')).rows[0]
    await expect.poll(shown).toEqual({ synchronous_standby_names: names })
    // The process that does this is who tells the others whether to wait.
    await execute(databaseUrl, 'CHECKPOINT')
  }
  const record = { ...entries.content, id: uuidOf('waiting'), updated_at: '2026-11-21T12:00:00.000Z' }
  const push = () => call('POST', '/api/sync/push', { json: { changes: [{ kind: 'entries', op: 'upsert', record }] } })
  // Notes the first use of the token.
  await call('GET', '/api/entries')
  await standbys('nobody')
  const waiting = push()
  const cancel = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`
  await expect.poll(async () => (await execute(databaseUrl, cancel)).rowCount).toBe(1)
  expect((await waiting).status).toBe(503)
  await standbys('')
  expect((await push()).body.results).toMatchObject([{ status: 'unchanged', version: 1 }])
})

test('[D4.8] a write with a warning of the server is acknowledged', async () => {
  const node = await openNode(await newDatabase())
  const user = await addUser(node)
  const warn = `DO $$ BEGIN RAISE WARNING 'the database must be vacuumed'; END $$`
  const written = node.driver.write(async (sql) => {
    await sql.script(warn)
    await sql.run(warn)
    await sql.run('UPDATE users SET email = $2 WHERE id = $1', [user, 'warned@example.com'])
    await sql.run(warn)
  })
  await expect(written).resolves.toBeUndefined()
})

test('[D4.10] a write that the engine ends in a deadlock is run again', async () => {
  const url = await newDatabase()
  const node = await openNode(url)
  await execute(url, 'CREATE TABLE pair (id BIGINT PRIMARY KEY, n BIGINT); INSERT INTO pair VALUES (1, 0), (2, 0)')
  let runs = 0
  let holding = 0
  let bothHold = () => {}
  const both = new Promise<void>((resolve) => {
    bothHold = resolve
  })
  const lockBoth = (first: number, second: number) =>
    node.driver.write(async (sql) => {
      runs += 1
      await sql.run('UPDATE pair SET n = n + 1 WHERE id = $1', [first])
      holding += 1
      if (holding === 2) bothHold()
      await both
      await sql.run('UPDATE pair SET n = n + 1 WHERE id = $1', [second])
    })
  await Promise.all([lockBoth(1, 2), lockBoth(2, 1)])
  // A retried transaction may take the row before the one that waits for it, and deadlock again.
  expect(runs).toBeGreaterThan(2)
  expect((await execute(url, 'SELECT n FROM pair')).rows).toEqual([{ n: '2' }, { n: '2' }])

  const failing = (code: string) =>
    node.driver.write(async (sql) => {
      runs += 1
      await sql.script(`DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$`)
    })
  runs = 0
  await expect(failing('40001')).rejects.toMatchObject({ name: 'UnavailableError', reason: 'unavailable' })
  expect(runs).toBe(6)
  runs = 0
  await expect(failing('53100')).rejects.toMatchObject({ name: 'UnavailableError', reason: 'storage_full' })
  await expect(failing('22000')).rejects.toThrow('no')
  expect(runs).toBe(2)
})
