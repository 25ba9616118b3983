import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { problemOf } from '@saldo/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SyncEngine } from '../../src/engine/sync-engine.ts'
import { WebTabs } from '../../src/host/tabs.ts'
import type { Reply, Request } from '../../src/host/transport.ts'
import { sqliteStore } from '../../src/store/node/sqlite-store.ts'
import type { LocalStore } from '../../src/store/store.ts'
import { Browser } from '../browser/browser.ts'
import { ManualClock } from '../manual-clock.ts'
import { baseRecord, contents, outboxRow, owner } from '../rows.ts'

const SERVER_TIME = '2026-11-21T12:00:00.000Z'

let folder: string
let store: LocalStore
let browser: Browser
let clock: ManualClock
let isSignedIn: boolean
/** The paths of the requests so far. */
let paths: string[]
/** The oldest version that the log of the service reaches back to. */
let prunedTo: number

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'saldo-tabs-'))
  store = sqliteStore(join(folder, 'store.db'))(owner)
  browser = new Browser()
  clock = new ManualClock()
  isSignedIn = true
  paths = []
  prunedTo = 0
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

async function reply({ path }: Request): Promise<Reply> {
  paths.push(path)
  if (!isSignedIn) return { outcome: 'unauthenticated' }
  const headers = new Headers()
  if (path.includes('digest')) return { outcome: 'rejected', status: 404, problem: problemOf('not_found', ''), headers }
  if (Number(/since=(\d+)/.exec(path)?.[1] ?? Number.POSITIVE_INFINITY) < prunedTo) {
    return { outcome: 'rejected', status: 410, problem: problemOf('sync_stale', ''), headers }
  }
  const tag = String(Math.max(prunedTo, 3))
  const page = { version: Number(tag), tag, since_tag: tag, has_more: false, changes: {}, deleted: {} }
  return { outcome: 'ok', status: 200, body: { ...page, server_time: SERVER_TIME }, headers }
}

/** Opens a tab and waits until it leads or follows. */
async function openTab(name: string, { isOnline = true } = {}) {
  const page = browser.open(name)
  page.isOnline = isOnline
  const ownClock = {
    now: () => clock.now(),
    after: (ms: number, work: () => void) => clock.after(ms, () => page.enter(work)),
  }
  const tabs = new WebTabs({
    name: 'saldo-1',
    random: owner.random,
    clock: ownClock,
    locks: browser.locksOf(page),
    open: (channel) => browser.channelOf(page, channel),
  })
  const engine = new SyncEngine({
    store,
    transport: (request) => page.bring(reply(request)),
    listen: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('ended'))),
    clock: ownClock,
    random: { ...owner.random, fraction: () => 0.5 },
    tabs,
    environment: page.environment,
  })
  await engine.start()
  await rest()
  await engine.settled()
  return { page, engine, tabs }
}

async function rest() {
  for (let round = 0; round < 10; round += 1) await new Promise((resolve) => setImmediate(resolve))
}

async function pass(seconds: number) {
  for (let passed = 0; passed < seconds; passed += 1) {
    clock.pass(1_000)
    await rest()
  }
}

test('[D7.44] a sync that a hidden follower asks for ends, though the leader is frozen', async () => {
  const [leader, follower] = [await openTab('leader'), await openTab('follower')]
  expect(follower.engine.activity()).toMatchObject({ phase: 'idle' })
  follower.page.show(false)
  leader.page.freeze(false)
  let isSynced = false
  const synced = follower.engine.sync().then(() => {
    isSynced = true
  })
  await pass(10)
  expect(isSynced).toBe(false)
  await pass(5)
  await synced
  expect(follower.engine.activity().phase).toBe('idle')
})

test('[D7.44] a leader that is about to be frozen hands over at once', async () => {
  const [leader, follower] = [await openTab('leader'), await openTab('follower')]
  leader.page.freeze(true)
  await rest()
  let isSynced = false
  void follower.engine.sync().then(() => {
    isSynced = true
  })
  await rest()
  expect(isSynced).toBe(true)
})

test('[D7.46] a tab that opens without a network requests nothing', async () => {
  const { engine } = await openTab('alone', { isOnline: false })
  expect(engine.activity().phase).toBe('offline')
  expect(paths).toEqual([])
})

test('[D7.46] a leader that waits for a sign-in syncs when another tab opens after it', async () => {
  isSignedIn = false
  const leader = await openTab('leader')
  expect(leader.engine.activity().phase).toBe('signInNeeded')
  isSignedIn = true
  await openTab('follower')
  await leader.engine.settled()
  expect(leader.engine.activity().phase).toBe('idle')
})

test('[D7.44] [D7.45] the leader sends what a tab was sending once that tab is gone, and not before', async () => {
  const [leader, follower] = [await openTab('leader'), await openTab('follower')]
  const other = await openTab('other')
  await store.write((tables) => tables.outbox.put([{ ...outboxRow(1), generation: 1, sender: follower.tabs.self }]))
  const isPushed = async () => {
    await rest()
    await leader.engine.settled()
    return paths.includes('/api/sync/push')
  }
  await leader.engine.sync()
  other.page.kill()
  expect(await isPushed()).toBe(false)
  follower.page.kill()
  expect(await isPushed()).toBe(true)
})

test.each(['outboxReady', 'syncRequested', 'pullDue'] as const)(
  '[D7.43] the leader syncs when a follower says %s',
  async (event) => {
    const [leader, follower] = [await openTab('leader'), await openTab('follower')]
    const before = clock.now()
    clock.pass(1_000)
    follower.engine.dispatch(event)
    await rest()
    await leader.engine.settled()
    expect((await contents(store)).meta.syncedAtMs).toBeGreaterThan(before)
  },
)

test('[D7.43] a sync that a follower asks for ends when the leader has synced', async () => {
  const [leader, follower] = [await openTab('leader'), await openTab('follower')]
  const before = clock.now()
  clock.pass(1_000)
  await follower.engine.sync()
  expect((await contents(store)).meta.syncedAtMs).toBeGreaterThan(before)
  expect(leader.engine.activity().phase).toBe('idle')
})

test('[D7.43] a tab that led and follows again does not show what the leader before it did', async () => {
  const [first, second] = [await openTab('first'), await openTab('second')]
  expect(second.engine.activity().phase).toBe('idle')
  first.page.kill()
  await rest()
  await second.engine.settled()
  second.page.freeze(true)
  expect(second.engine.activity().phase).toBe('following')
})

test('[D7.32] [D7.41] a follower that heard of a history reset leads later without it', async () => {
  const [leader, follower] = [await openTab('leader'), await openTab('follower')]
  follower.engine.dispatch('historyReset')
  await rest()
  await leader.engine.settled()
  leader.page.kill()
  await rest()
  await follower.engine.settled()
  await store.write((tables) =>
    tables.baseRecords.put([
      baseRecord(1, null),
      { ...baseRecord(2, { id: baseRecord(2).id, week: '2026-W46' }), kind: 'closed_weeks' },
    ]),
  )
  prunedTo = 100
  await follower.engine.sync()
  expect(await contents(store)).toMatchObject({
    outbox: [],
    meta: { position: { version: 100 }, lostClosings: { weeks: [], days: [] } },
  })
})
