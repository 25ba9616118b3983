import assert from 'node:assert/strict'
import { expect, test } from 'vitest'
import type { RecordStore } from '../../src/store/store.ts'
import { hinting, LocalHints } from '../../src/sync/hints.ts'
import { hourOf } from '../store/samples.ts'
import { openTemporary } from '../store/temporary.ts'

/** Hints whose time passes when the test says so. */
function hintsByHand() {
  let waiting: (() => void)[] = []
  const hints = new LocalHints((ms, work) => {
    expect(ms).toBe(50)
    waiting.push(work)
  })
  return {
    hints,
    pass() {
      const due = waiting
      waiting = []
      for (const work of due) work()
      return due.length
    },
  }
}

test('[D5.17] the first of several hints is told at once, and then the newest of the others, once in 50 ms', () => {
  const { hints, pass } = hintsByHand()
  const told: number[] = []
  hints.subscribe(1, (version) => told.push(version))
  hints.tell(1, 1)
  expect(told).toEqual([1])
  for (const version of [2, 4, 3]) hints.tell(1, version)
  expect(told).toEqual([1])
  pass()
  expect(told).toEqual([1, 4])
  hints.tell(1, 5)
  expect(told).toEqual([1, 4])
  pass()
  expect(told).toEqual([1, 4, 5])
  // Then it is quiet.
  expect([pass(), pass()]).toEqual([1, 0])
  hints.tell(1, 6)
  expect(told).toEqual([1, 4, 5, 6])
})

test('[D5.18] every listener of the user is told, nobody else’s, and none that has gone', () => {
  const { hints, pass } = hintsByHand()
  const told: string[] = []
  const listen = (user: number, name: string) => hints.subscribe(user, (version) => told.push(`${name} ${version}`))
  const goes = listen(1, 'a')
  listen(1, 'b')
  listen(2, 'c')
  hints.tell(1, 7)
  expect(told).toEqual(['a 7', 'b 7'])
  hints.tell(1, 8)
  goes()
  pass()
  expect(told).toEqual(['a 7', 'b 7', 'b 8'])
  hints.tell(2, 1)
  expect(told).toEqual(['a 7', 'b 7', 'b 8', 'c 1'])
})

test('[D5.18] for a user whom nobody listens to, nothing is kept and nothing waits', () => {
  const { hints, pass } = hintsByHand()
  hints.tell(1, 1)
  hints.subscribe(1, () => undefined)()
  hints.tell(1, 2)
  expect(pass()).toBe(0)
})

test('[D5.17] a commit that moved the version is told after it; one that moved nothing or failed is not', async () => {
  const { records, users } = await openTemporary()
  const added = await users.add({ email: 'a@example.com', passwordHash: 'none', at: '2026-02-02T12:00:00.000Z' })
  assert(added.outcome === 'added')
  const { user } = added
  const told: string[] = []
  let committed = 'not yet'
  const durable: RecordStore = {
    ...records,
    async write(user, body) {
      const result = await records.write(user, body)
      committed = 'committed'
      return result
    },
  }
  const store = hinting(durable, { tell: (user, version) => told.push(`${user} ${version} ${committed}`) })
  await store.write(user, (writer) => writer.put([hourOf(1), hourOf(2)]))
  expect(told).toEqual([`${user} 2 committed`])
  expect(await store.write(user, async (writer) => (await writer.point()).version)).toBe(2)
  await store.write(user, (writer) => writer.prune(0))
  const failing = store.write(user, async (writer) => {
    await writer.put([hourOf(3)])
    throw new Error('changed its mind')
  })
  await expect(failing).rejects.toThrow('changed its mind')
  expect(await store.read(user, async (reader) => (await reader.point()).version)).toBe(2)
  expect(told).toEqual([`${user} 2 committed`])
})
