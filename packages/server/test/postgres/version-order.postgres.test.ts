import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Change, UserNumber } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import { sqlRecordStore } from '../../src/store/records/sql-store.ts'
import { openStores, type Stores } from '../../src/store/stores.ts'
import { applyChanges } from '../../src/sync/apply-changes.ts'
import { systemRandom } from '../../src/system.ts'
import { heavyTest } from '../heavy-test.ts'
import { ManualClock } from '../manual-clock.ts'
import { hourOf, uuidOf } from '../store/samples.ts'
import { notingStatements } from '../store/statements.ts'
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

async function addUser({ users }: Stores, name: string): Promise<UserNumber> {
  const email = `${name}@example.com`
  const added = await users.add({ email, passwordHash: 'none', at: '2026-02-02T12:00:00.000Z' })
  if (added.outcome !== 'added') throw new Error(added.outcome)
  return added.user
}

heavyTest('[D4.2] a reader at a fifth node misses none of 10,000 changes of 32 writers at four nodes', async () => {
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

test('[D4.1] writers of different users never wait for each other', async () => {
  const [one, two] = (await openNodes(2)) as [Stores, Stores]
  const [first, ...others] = await Promise.all(['a', 'b', 'c'].map((name) => addUser(one, name)))
  await one.records.write(first as UserNumber, async (writer) => {
    await writer.put([hourOf(1)])
    // The first user's write is open, and more of that user's wait behind it than a node has connections.
    const waiting = Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? one : two).records.write(first as UserNumber, (later) => later.put([hourOf(100 + index)])),
    )
    // They end when this write does.
    void Promise.all(waiting)
    for (const node of [one, two]) {
      for (const user of others)
        expect(await node.records.write(user, (other) => other.put([hourOf(1)]))).toHaveLength(1)
    }
  })
  await expect
    .poll(async () => (await one.records.read(first as UserNumber, (reader) => reader.position())).version)
    .toBe(41)
})

test('[D6.2] a push of any size takes the same number of statements, but for one for each 20 days', async () => {
  const [node] = (await openNodes(1)) as [Stores]
  const user = await addUser(node, 'a')
  /** Returns the number of statements that a push of `size` changes sends, without BEGIN and COMMIT. */
  const statementsOf = async (size: number): Promise<number> => {
    const changes = Array.from({ length: size }, (_unused, index): Change => {
      const { fields } = hourOf(index)
      const { id: _id, created_at: _at, updated_at: _on, ...content } = fields
      const stamp = { updatedAt: '2026-02-02T11:00:00.000Z', device: uuidOf('device'), seq: index + 1 } as const
      return { kind: 'entries', id: uuidOf(`${size} ${index}`), content, ...stamp }
    })
    const { driver, statements } = notingStatements(node.driver)
    const store = sqlRecordStore(
      driver,
      () => 'tag',
      () => clock.now(),
    )
    const outcomes = await store.write(user, (writer) =>
      applyChanges(writer, changes, { user, nowMs: clock.now(), quotaBytes: Infinity }),
    )
    expect(outcomes.filter(({ status }) => status === 'applied')).toHaveLength(size)
    return statements.length
  }
  const ofOne = await statementsOf(1)
  expect(await statementsOf(10)).toBe(ofOne)
  // One entry a day.
  expect(await statementsOf(1_000)).toBe(ofOne + 49)
  expect(ofOne).toBeLessThan(12)
})
