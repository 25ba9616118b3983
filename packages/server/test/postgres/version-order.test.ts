import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { sqlRecordStore } from '../../src/store/records/sql-store.ts'
import type { SqlReader } from '../../src/store/sql.ts'
import { openStores, type Stores } from '../../src/store/stores.ts'
import { applyChanges, type WantedChange } from '../../src/sync/apply-changes.ts'
import { systemRandom } from '../../src/system/random.ts'
import { ManualClock } from '../manual-clock.ts'
import { hourOf, uuidOf } from '../store/samples.ts'
import { newPostgres } from './database.ts'

const clock = new ManualClock('2026-02-02T12:00:00.000Z')

/** Nodes on one new database. */
async function openNodes(count: number): Promise<Stores[]> {
  const url = await newPostgres()
  const nodes = await Promise.all(
    Array.from({ length: count }, () => openStores({ url, clock, random: systemRandom, as: 'service' })),
  )
  onTestFinished(async () => {
    await Promise.all(nodes.map((node) => node.close()))
  })
  return nodes
}

async function addUser({ users }: Stores, name: string): Promise<number> {
  const email = `${name}@example.com`
  const added = await users.add({ email, passwordHash: 'none', at: '2026-02-02T12:00:00.000Z' })
  if (added.outcome !== 'added') throw new Error(added.outcome)
  return added.user
}

test('[D4.2] with eight writers at each of four nodes, who polls at a fifth misses none of 10,000 changes', async () => {
  const nodes = await openNodes(5)
  const poller = nodes.pop() as Stores
  const user = await addUser(poller, 'a')
  const total = 10_000
  let begun = 0
  let writing = true
  const write = async (node: Stores) => {
    while (begun < total) {
      const first = begun
      const size = Math.min(1 + (first % 23), total - first)
      begun += size
      const states = Array.from({ length: size }, (_, index) => hourOf(first + index))
      const stored = await node.records.write(user, (writer) => writer.put(states))
      const from = stored[0]?.version ?? 0
      expect(stored.map(({ version }) => version)).toEqual(states.map((_, index) => from + index))
    }
  }
  const written = Promise.all(nodes.flatMap((node) => Array.from({ length: 8 }, () => write(node)))).finally(() => {
    writing = false
  })
  const seen: number[] = []
  for (;;) {
    const wasWriting = writing
    const since = seen.at(-1) ?? 0
    const changes = await poller.records.read(user, (reader) => reader.changesSince(since, 500))
    // Every record is put once, so each version is somebody's latest.
    expect(changes.map(({ version }) => version)).toEqual(changes.map((_, index) => since + 1 + index))
    seen.push(...changes.map(({ version }) => version))
    if (!wasWriting && changes.length === 0) break
    await nextTurn()
  }
  await written
  expect(seen).toHaveLength(total)
})

test('[D4.1] writers of different users never wait for each other, at one node or at two', async () => {
  const [one, two] = (await openNodes(2)) as [Stores, Stores]
  const [first, ...others] = await Promise.all(['a', 'b', 'c'].map((name) => addUser(one, name)))
  await one.records.write(first as number, async (writer) => {
    await writer.put([hourOf(1)])
    // The first user's write is open, and more of that user's wait behind it than a node has connections.
    const waiting = Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? one : two).records.write(first as number, (later) => later.put([hourOf(100 + index)])),
    )
    // They end when this write does.
    void Promise.all(waiting)
    for (const node of [one, two]) {
      for (const user of others)
        expect(await node.records.write(user, (other) => other.put([hourOf(1)]))).toHaveLength(1)
    }
  })
  await expect.poll(async () => (await one.records.read(first as number, (reader) => reader.point())).version).toBe(41)
})

test('[D6.2] a push of any size is the same number of statements', async () => {
  const [node] = (await openNodes(1)) as [Stores]
  const user = await addUser(node, 'a')
  /** How many statements a push of so many changes sends, BEGIN and COMMIT aside. */
  const statementsOf = async (size: number): Promise<number> => {
    let sent = 0
    const changes = Array.from({ length: size }, (_unused, index): WantedChange => {
      const { fields } = hourOf(index)
      const { id: _id, created_at: _at, updated_at: _on, ...content } = fields
      const stamp = { updatedAt: '2026-02-02T11:00:00.000Z', device: uuidOf('device'), seq: index + 1 }
      return { kind: 'entries', id: uuidOf(`${size} ${index}`), content, stamp }
    })
    const counted = <Sql extends SqlReader>(sql: Sql): Sql =>
      new Proxy(sql, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target)
          if (typeof value !== 'function') return value
          sent += 1
          return value.bind(target)
        },
      })
    const store = sqlRecordStore(
      {
        all: (text, params) => node.driver.all(text, params),
        read: (body) => node.driver.read((sql) => body(counted(sql))),
        write: (body, turn) => node.driver.write((sql) => body(counted(sql)), turn),
        close: () => node.driver.close(),
      },
      () => 'tag',
      () => clock.now(),
    )
    const outcomes = await store.write(user, (writer) =>
      applyChanges(writer, changes, { user, nowMs: clock.now(), random: systemRandom }),
    )
    expect(outcomes.filter(({ status }) => status === 'applied')).toHaveLength(size)
    return sent
  }
  const ofOne = await statementsOf(1)
  expect(await statementsOf(10)).toBe(ofOne)
  expect(await statementsOf(1_000)).toBe(ofOne)
  expect(ofOne).toBeLessThan(12)
})

test('[D4.11] what a read asks for at once is of one state, whatever is committed meanwhile; who asks for more later is read again, as one', async () => {
  const [{ driver, records, users }, other] = (await openNodes(2)) as [Stores, Stores]
  const user = await addUser({ users } as Stores, 'a')
  const write = () => records.write(user, (writer) => writer.put([hourOf(1)]))
  const count = async (sql: SqlReader) =>
    (await sql.all<{ n: number }>('SELECT version AS n FROM counters WHERE user_id = $1', [user]))[0]?.n
  const lock = 'SELECT pg_advisory_xact_lock(7)'
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = driver.read(async (sql) => {
    await sql.all(lock)
    locked.resolve()
    await released
  })
  await locked.promise
  const reading = driver.read((sql) => Promise.all([count(sql), sql.all(lock), count(sql)]), { atOnce: true })
  const waiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 AND NOT granted`
  await expect.poll(() => other.driver.all(waiting)).toHaveLength(1)
  await write()
  release()
  await holding
  const [before, , after] = await reading
  expect([before, after]).toEqual([0, 0])

  let times = 0
  const later = async (sql: SqlReader) => {
    times += 1
    const first = await count(sql)
    await write()
    return [first, await count(sql)]
  }
  expect(await driver.read(later, { atOnce: true })).toEqual([2, 2])
  expect(times).toBe(2)
})

test('[D4.11] what reads of one turn ask for at once leaves on one connection, in one piece; each is of one state and fails alone', async () => {
  const [{ driver, records, users }] = (await openNodes(1)) as [Stores]
  const user = await addUser({ users } as Stores, 'a')
  await records.write(user, (writer) => writer.put([hourOf(1), hourOf(2)]))
  const whereAndWho = (read: SqlReader) =>
    Promise.all([
      read.all<{ pid: number }>('SELECT pg_backend_pid() AS pid'),
      read.all<{ n: number }>('SELECT version AS n FROM counters WHERE user_id = $1', [user]),
    ])
  const reads = await Promise.allSettled([
    driver.read(whereAndWho, { atOnce: true }),
    driver.all('SELECT 1 / (version - 2) FROM counters WHERE user_id = $1', [user]),
    driver.read(whereAndWho, { atOnce: true }),
    driver.all<{ pid: number }>('SELECT pg_backend_pid() AS pid'),
  ])
  expect(reads.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  const [first, , second, third] = reads.map((read) => (read.status === 'fulfilled' ? read.value : []))
  expect(second).toEqual(first)
  expect(first).toEqual([third, [{ n: 2 }]])
  // The connection is given back: all can be had again, many times.
  const many = Array.from({ length: 100 }, () => driver.read((read) => read.all('SELECT 1 AS one')))
  expect(await Promise.all(many)).toHaveLength(100)
})

test('[D4.11] a read whose statements were first prepared by one that failed before it, on the same connection, is answered', async () => {
  const [{ driver }] = (await openNodes(1)) as [Stores]
  const one = 'SELECT 1 AS one'
  const reads = await Promise.allSettled([
    driver.read((read) => Promise.all([read.all(one), read.all('SELECT 1 / 0')]), { atOnce: true }),
    driver.all(one),
  ])
  expect(reads).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: [{ one: 1 }] }])
})
