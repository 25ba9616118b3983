import { expect, test } from 'vitest'
import { baseRecord, contents, outboxRow } from '../rows.ts'
import { rest, SyncedTabs } from './synced-tabs.ts'

test('[D7.44] a sync that a hidden follower asks for ends, though the leader is frozen', async () => {
  const tabs = new SyncedTabs()
  const [leader, follower] = [await tabs.open('leader'), await tabs.open('follower')]
  expect(follower.engine.activity()).toMatchObject({ phase: 'idle' })
  follower.page.show(false)
  leader.page.freeze(false)
  let isSynced = false
  const synced = follower.engine.sync().then(() => {
    isSynced = true
  })
  await tabs.pass(10)
  expect(isSynced).toBe(false)
  await tabs.pass(5)
  await synced
  expect(follower.engine.activity().phase).toBe('idle')
})

test('[D7.44] a leader that is about to be frozen hands over at once', async () => {
  const tabs = new SyncedTabs()
  const [leader, follower] = [await tabs.open('leader'), await tabs.open('follower')]
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
  const tabs = new SyncedTabs()
  const { engine } = await tabs.open('alone', { isOnline: false })
  expect(engine.activity().phase).toBe('offline')
  expect(tabs.paths).toEqual([])
})

test('[D7.46] a leader that waits for a sign-in syncs when another tab opens after it', async () => {
  const tabs = new SyncedTabs()
  tabs.isSignedIn = false
  const leader = await tabs.open('leader')
  expect(leader.engine.activity().phase).toBe('signInNeeded')
  tabs.isSignedIn = true
  await tabs.open('follower')
  await leader.engine.stepsEnded()
  expect(leader.engine.activity().phase).toBe('idle')
})

test('[D7.44] [D7.45] the leader sends what a tab was sending once that tab is gone, and not before', async () => {
  const tabs = new SyncedTabs()
  const [leader, follower] = [await tabs.open('leader'), await tabs.open('follower')]
  const other = await tabs.open('other')
  await tabs.store.write((tables) =>
    tables.outbox.put([{ ...outboxRow(1), generation: 1, sender: follower.tabs.self }]),
  )
  const isPushed = async () => {
    await rest()
    await leader.engine.stepsEnded()
    return tabs.paths.includes('/api/sync/push')
  }
  await leader.engine.sync()
  other.page.kill()
  expect(await isPushed()).toBe(false)
  follower.page.kill()
  expect(await isPushed()).toBe(true)
})

test('[D7.43] [D7.9] the leader asks to sign in when a follower is not signed in', async () => {
  const tabs = new SyncedTabs()
  const [leader, follower] = [await tabs.open('leader'), await tabs.open('follower')]
  follower.engine.dispatch('unauthenticated')
  await rest()
  expect([leader, follower].map(({ engine }) => engine.activity().phase)).toEqual(['signInNeeded', 'signInNeeded'])
})

test('[D7.43] [D7.40] the leader starts again from a snapshot when a follower notices a history reset', async () => {
  const tabs = new SyncedTabs()
  const [leader, follower] = [await tabs.open('leader'), await tabs.open('follower')]
  tabs.paths.length = 0
  follower.engine.dispatch('historyReset')
  await rest()
  await leader.engine.stepsEnded()
  expect(tabs.paths[0]).toMatch('/api/sync/pull?limit=')
})

test('[D7.47] [R5.1] while its leader gets notifications, a follower polls rarely, and after no write', async () => {
  const tabs = new SyncedTabs()
  const [, follower] = [await tabs.open('leader'), await tabs.open('follower')]
  const pullsAfter = async (work: () => Promise<unknown>) => {
    tabs.paths.length = 0
    await work()
    await rest()
    return tabs.paths.filter((path) => path.startsWith('/api/sync/pull')).length
  }
  const write = () => follower.engine.mutator.put('entries', { kind: 'sick', date: '2026-11-20' }).settled
  expect(await pullsAfter(write)).toBe(1)
  tabs.streams.get('leader')?.(4)
  await rest()
  expect(follower.engine.activity()).toMatchObject({ phase: 'idle', isConnected: true })
  expect(await pullsAfter(write)).toBe(0)
  await tabs.pass(31)
  expect(await pullsAfter(() => tabs.pass(200))).toBe(0)
})

test.each(['outboxReady', 'syncRequested', 'pullDue'] as const)(
  '[D7.43] the leader syncs when a follower says %s',
  async (event) => {
    const tabs = new SyncedTabs()
    const [leader, follower] = [await tabs.open('leader'), await tabs.open('follower')]
    const before = tabs.clock.now()
    tabs.clock.pass(1_000)
    follower.engine.dispatch(event)
    await rest()
    await leader.engine.stepsEnded()
    expect((await contents(tabs.store)).meta.syncedAtMs).toBeGreaterThan(before)
  },
)

test('[D7.43] a sync that a follower asks for ends when the leader has synced', async () => {
  const tabs = new SyncedTabs()
  const [leader, follower] = [await tabs.open('leader'), await tabs.open('follower')]
  const before = tabs.clock.now()
  tabs.clock.pass(1_000)
  await follower.engine.sync()
  expect((await contents(tabs.store)).meta.syncedAtMs).toBeGreaterThan(before)
  expect(leader.engine.activity().phase).toBe('idle')
})

test('[D7.43] a tab that led and follows again does not show what the leader before it did', async () => {
  const tabs = new SyncedTabs()
  const [first, second] = [await tabs.open('first'), await tabs.open('second')]
  expect(second.engine.activity().phase).toBe('idle')
  first.page.kill()
  await rest()
  await second.engine.stepsEnded()
  second.page.freeze(true)
  expect(second.engine.activity().phase).toBe('following')
})

test('[D7.32] [D7.41] a follower that heard of a history reset leads later without it', async () => {
  const tabs = new SyncedTabs()
  const [leader, follower] = [await tabs.open('leader'), await tabs.open('follower')]
  follower.engine.dispatch('historyReset')
  await rest()
  await leader.engine.stepsEnded()
  leader.page.kill()
  await rest()
  await follower.engine.stepsEnded()
  await tabs.store.write((tables) =>
    tables.baseRecords.put([
      baseRecord(1, null),
      { ...baseRecord(2, { id: baseRecord(2).id, week: '2026-W46' }), kind: 'closed_weeks' },
    ]),
  )
  tabs.prunedTo = 100
  await follower.engine.sync()
  expect(await contents(tabs.store)).toMatchObject({
    outbox: [],
    meta: { position: { version: 100 }, lostClosings: { weeks: [], days: [] } },
  })
})
