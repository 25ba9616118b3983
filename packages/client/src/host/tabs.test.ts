import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { ManualClock } from '../../test/manual-clock.ts'
import { owner } from '../../test/rows.ts'
import { Browser } from '../../test/simulated-browser/browser.ts'
import { loneTab, type SyncActivity, type TabDelegate, WebTabs } from './tabs.ts'

/** A browser with tabs of one user or more, and a clock. */
function tabbed(options: { hasLocks?: boolean } = {}) {
  const browser = new Browser(options)
  const clock = new ManualClock()

  async function open(name = 'saldo-1') {
    const page = browser.open(randomUUID())
    const tabs = new WebTabs({
      name,
      random: owner.random,
      clock: { now: () => clock.now(), after: (ms, work) => clock.after(ms, () => page.enter(work)) },
      locks: browser.locksOf(page),
      open: (channel) => browser.channelOf(page, channel),
    })
    const tab = { page, tabs, leads: false, activities: [] as SyncActivity[], events: [] as string[] }
    const delegate: TabDelegate = {
      onElected: () => {
        tab.leads = true
      },
      onDeposed: () => {
        tab.leads = false
      },
      onFollowerEvent: (event) => tab.events.push(event),
      onTabGone: () => tab.events.push('tabGone'),
      onLeaderActivity: (activity) => tab.activities.push(activity),
      activity: () => ({ phase: 'idle', lastError: { code: 'defect', detail: page.id }, isConnected: false }),
    }
    await tabs.join(delegate)
    await rest()
    return { ...tab, state: tab, delegate }
  }

  /** Time passes in steps in which every question can be asked and answered. */
  async function pass(seconds: number) {
    for (let passed = 0; passed < seconds; passed += 1) {
      clock.pass(1_000)
      await rest()
    }
  }

  return { browser, open, pass }
}

/** Everything that can happen without the clock has happened. */
async function rest() {
  for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve))
}

const leaders = (tabs: readonly { state: { leads: boolean } }[]) => tabs.map(({ state }) => state.leads)

test('[D7.43] the first tab leads, the others follow', async () => {
  const { open } = tabbed()
  const tabs = [await open(), await open(), await open()]
  expect(leaders(tabs)).toEqual([true, false, false])
  expect(await tabs[2]?.tabs.livingTabs()).toEqual(new Set(tabs.map(({ tabs }) => tabs.self)))
})

test('[D7.48] tabs of two users in one browser do not know of each other', async () => {
  const { open } = tabbed()
  const [one, two] = [await open('saldo-1'), await open('saldo-2')]
  const follower = await open('saldo-2')
  expect(leaders([one, two, follower])).toEqual([true, true, false])
  expect(await two.tabs.livingTabs()).toEqual(new Set([two.tabs.self, follower.tabs.self]))
  follower.tabs.sendToLeader('outboxReady')
  await rest()
  follower.page.kill()
  await rest()
  expect([one.state.events, two.state.events]).toEqual([[], ['outboxReady', 'tabGone']])
  expect(one.activities).toEqual([])
})

test('[D7.43] followers get messages of the leader on joining, after changes, and in reply', async () => {
  const { open } = tabbed()
  const [leader, follower] = [await open(), await open()]
  const activity = leader.delegate.activity()
  expect(follower.activities).toEqual([activity])
  leader.tabs.publishActivity()
  await rest()
  follower.tabs.sendToLeader('syncRequested')
  await rest()
  expect(follower.activities).toEqual([activity, activity, activity])
  expect(leader.state.events).toEqual(['syncRequested'])
  expect(leader.activities).toEqual([])
})

test('[D7.43] a follower does not receive another follower’s events or activity', async () => {
  const { open } = tabbed()
  const [, one, other] = [await open(), await open(), await open()]
  const before = other.activities.length
  one.tabs.publishActivity()
  await rest()
  expect(other.activities.length).toBe(before)
  one.tabs.sendToLeader('outboxReady')
  await rest()
  expect(other.state.events).toEqual([])
})

test.each([
  ['left', ({ tabs }) => tabs.leave()],
  ['is gone', ({ page }) => page.kill()],
] as [string, (leader: Awaited<ReturnType<ReturnType<typeof tabbed>['open']>>) => void][])(
  '[D7.44] when the leader %s, the next one leads at once, and what it was sending is free',
  async (_how, end) => {
    const { open } = tabbed()
    const tabs = [await open(), await open(), await open()] as const
    const sender = tabs[0].tabs.self
    end(tabs[0])
    await rest()
    expect(leaders(tabs.slice(1))).toEqual([true, false])
    expect((await tabs[1].tabs.livingTabs()).has(sender)).toBe(false)
    expect(tabs[2].activities.at(-1)).toEqual(tabs[1].delegate.activity())
  },
)

test('[D7.44] a tab that leaves while it joins is not among those alive, and never leads', async () => {
  const { browser, open } = tabbed()
  const other = await open()
  const page = browser.open('short')
  const events: string[] = []
  const tabs = new WebTabs({
    name: 'saldo-1',
    random: owner.random,
    clock: new ManualClock(),
    locks: browser.locksOf(page),
    open: (channel) => browser.channelOf(page, channel),
  })
  const joined = tabs.join({ onElected: () => events.push('elected'), onDeposed: () => {} } as unknown as TabDelegate)
  tabs.leave()
  await joined
  await rest()
  expect(await other.tabs.livingTabs()).toEqual(new Set([other.tabs.self]))
  other.tabs.leave()
  await rest()
  expect(events).toEqual([])
})

test('[D7.44] the leader notices that a follower is gone, whether it joined earlier or later', async () => {
  const { open } = tabbed()
  const [first, leader, older] = [await open(), await open(), await open()]
  first.page.kill()
  await rest()
  const younger = await open()
  expect(leader.state).toMatchObject({ leads: true, events: [] })
  older.page.kill()
  await rest()
  expect(leader.state.events).toEqual(['tabGone'])
  younger.page.kill()
  await rest()
  expect(leader.state.events).toEqual(['tabGone', 'tabGone'])
})

test('[D7.44] a leader that ignores two questions is replaced, and another tab may send its rows', async () => {
  const { open, pass } = tabbed()
  const [frozen, follower, visible] = [await open(), await open(), await open()]
  follower.page.freeze(false)
  const sender = frozen.tabs.self
  frozen.page.freeze(false)
  await pass(14)
  expect(leaders([follower, visible])).toEqual([false, false])
  expect(await visible.tabs.livingTabs()).toContain(sender)
  await pass(1)
  expect(leaders([follower, visible])).toEqual([false, true])
  // The follower may be sending too, and is left alone.
  expect(await visible.tabs.livingTabs()).toEqual(new Set([follower.tabs.self, visible.tabs.self]))
})

test('[D7.44] a leader that was replaced comes back as a follower under another name, and may lead again', async () => {
  const { open, pass } = tabbed()
  const [frozen, other] = [await open(), await open()]
  const before = frozen.tabs.self
  frozen.page.freeze(false)
  await pass(15)
  await frozen.page.thaw()
  await rest()
  expect(leaders([frozen, other])).toEqual([false, true])
  expect(frozen.tabs.self).not.toBe(before)
  expect(await other.tabs.livingTabs()).toEqual(new Set([frozen.tabs.self, other.tabs.self]))
  expect(frozen.activities.at(-1)).toEqual(other.delegate.activity())
  other.page.kill()
  await rest()
  expect(frozen.state.leads).toBe(true)
})

test('[D7.44] a leader that answers late is not replaced', async () => {
  const { browser, open, pass } = tabbed()
  const [leader, follower] = [await open(), await open()]
  browser.slow(true)
  await pass(14)
  browser.slow(false)
  await rest()
  await pass(14)
  expect(leaders([leader, follower])).toEqual([true, false])
})

test('[D7.44] a hidden follower replaces a frozen leader too', async () => {
  const { open, pass } = tabbed()
  const [frozen, hidden] = [await open(), await open()]
  hidden.page.show(false)
  frozen.page.freeze(false)
  await pass(15)
  expect(hidden.state.leads).toBe(true)
})

test('[D7.43] of tabs that take over at once, one leads in the end', async () => {
  const { open, pass } = tabbed()
  const tabs = [await open(), await open(), await open(), await open()] as const
  tabs[0].page.freeze(false)
  await pass(30)
  expect(leaders(tabs.slice(1)).filter(Boolean)).toHaveLength(1)
  await tabs[0].page.thaw()
  await rest()
  expect(leaders(tabs).filter(Boolean)).toHaveLength(1)
  expect(await tabs[1].tabs.livingTabs()).toEqual(new Set(tabs.map(({ tabs }) => tabs.self)))
  await pass(60)
  expect(leaders(tabs).filter(Boolean)).toHaveLength(1)
})

test('[D7.43] a page without access to locks syncs for itself', async () => {
  const { open } = tabbed({ hasLocks: false })
  const [one, other] = [await open(), await open()]
  expect(leaders([one, other])).toEqual([true, true])
  expect(await one.tabs.livingTabs()).toEqual(new Set([one.tabs.self]))
})

test('[D7.43] a program that has its store for itself leads at once', async () => {
  const tabs = loneTab(owner.random)
  const events: string[] = []
  const delegate = { onElected: () => events.push('elected'), onDeposed: () => events.push('deposed') }
  await tabs.join(delegate as Partial<TabDelegate> as TabDelegate)
  expect(events).toEqual(['elected'])
  const name = tabs.self
  expect(await tabs.livingTabs()).toEqual(new Set([name]))
  await tabs.join(delegate as Partial<TabDelegate> as TabDelegate)
  expect(events).toEqual(['elected', 'deposed', 'elected'])
  expect(tabs.self).not.toBe(name)
})
