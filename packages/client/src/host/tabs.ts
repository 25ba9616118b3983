import type { EpochMs, Random } from '@saldo/core'
import type { SyncError } from '../engine/sync-error.ts'
import type { Event, State } from '../engine/sync-state.ts'
import type { DeviceClock } from './clock.ts'

/** What the tab that syncs tells the others of itself. */
export interface LeaderNews {
  state: State
  lastError: SyncError | null
  /** Whether the service tells it of news by itself. */
  isLive: boolean
}

/** A tab, as the others reach it. */
export interface Member {
  /** It is this tab's turn to sync. */
  elected(): void
  /** Another tab took that over. */
  deposed(): void
  /** The leader hears of something that happened in another tab. */
  heard(event: Event): void
  /** The leader hears that a tab is gone, so that nobody sends what it was sending. */
  tabGone(): void
  /** The others hear from the leader. */
  told(news: LeaderNews): void
  /** What the leader tells. */
  news(): LeaderNews
  isVisible(): boolean
}

/** The tabs of one user in one browser: one of them syncs, the others follow (D7). */
export interface Tabs {
  /** Names this tab in the rows that it sends; another name after each `join`. */
  readonly self: string
  /** The tabs that there are. */
  alive(): Promise<ReadonlySet<string>>
  /** Takes part, until `leave`; resolved once this tab is among those alive. */
  join(member: Member): Promise<void>
  leave(): void
  tellLeader(event: Event): void
  tellOthers(): void
}

/** A program that has its store for itself, as in Node. */
export function onlyTab(random: Random): Tabs {
  let self = ''
  return {
    get self() {
      return self
    },
    alive: async () => new Set([self]),
    join: async (member) => {
      self = random.uuid()
      member.elected()
    },
    leave() {},
    tellLeader() {},
    tellOthers() {},
  }
}

/** What is used of Web Locks. */
export interface Locks {
  request(name: string, options: LockOptions, work: () => Promise<void>): Promise<unknown>
  query(): Promise<{ held?: { name?: string; clientId?: string }[] }>
}

/** What is used of a `BroadcastChannel`. */
export interface Channel {
  postMessage(message: unknown): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  close(): void
}

export interface WebTabsOptions {
  /** The same for all tabs that share a store, and for no others. */
  name: string
  random: Random
  clock: DeviceClock
  locks: Locks
  open(name: string): Channel
}

type Message = { from: string } & ({ event: Event } | { news: LeaderNews } | { hello: true })

/** How often a visible tab asks the leader whether it is there, in milliseconds. */
const ASK_MS: EpochMs = 5_000
/** A leader that leaves so many questions unanswered is replaced: after 10 s (D7). */
const MOST_UNANSWERED = 2

/**
 * Tabs that find each other by Web Locks and a `BroadcastChannel`. Each holds a lock with its name as long as it lives, and
 * the leader another one, which the browser hands on when it is gone. A leader that is silent, such as a frozen page,
 * loses both locks: what it was sending is sent by the next, and it comes back under another name.
 */
export function webTabs(options: WebTabsOptions): Tabs {
  return new WebTabs(options)
}

class WebTabs implements Tabs {
  readonly #options: WebTabsOptions
  #membership: Membership | undefined

  constructor(options: WebTabsOptions) {
    this.#options = options
  }

  get self(): string {
    return this.#membership?.self ?? ''
  }

  async alive(): Promise<ReadonlySet<string>> {
    const tabs = await tabsIn(this.#options)
    return this.#membership ? tabs.add(this.self) : tabs
  }

  async join(member: Member): Promise<void> {
    this.leave()
    const again = () => void this.join(member)
    const membership = new Membership(this.#options, member, again)
    this.#membership = membership
    await membership.begun
  }

  leave(): void {
    this.#membership?.end()
    this.#membership = undefined
  }

  tellLeader(event: Event): void {
    this.#membership?.post({ event })
  }

  tellOthers(): void {
    this.#membership?.tellNews()
  }
}

const leaderLock = (name: string) => `${name}-leader`
const tabLock = (name: string, tab: string) => `${name}-tab-${tab}`

async function tabsIn({ locks, name }: WebTabsOptions): Promise<Set<string>> {
  const prefix = tabLock(name, '')
  // A page that may have no locks knows of no others.
  const { held = [] } = await locks.query().catch(() => ({ held: [] }))
  const names = held.map((lock: { name?: string }) => lock.name ?? '')
  return new Set(names.filter((held) => held.startsWith(prefix)).map((held) => held.slice(prefix.length)))
}

/** A tab's part among the tabs, from joining to leaving, or to being thrown out. */
class Membership {
  readonly self: string
  /** Resolved once the tab is among those alive, or has left again. */
  readonly begun: Promise<void>
  readonly #options: WebTabsOptions
  readonly #member: Member
  readonly #again: () => void
  readonly #channel: Channel
  readonly #ended = new AbortController()
  /** Ends the wait for the leader's lock. */
  #candidacy = new AbortController()
  readonly #watched = new Set<string>()
  #leads = false
  #unanswered = 0
  #stopAsking = () => {}

  constructor(options: WebTabsOptions, member: Member, again: () => void) {
    this.self = options.random.uuid()
    this.#options = options
    this.#member = member
    this.#again = again
    this.#channel = options.open(`${options.name}-tabs`)
    this.#channel.addEventListener('message', ({ data }) => this.#receive(data as Message))
    const begun = Promise.withResolvers<void>()
    this.begun = begun.promise
    this.#ended.signal.addEventListener('abort', () => begun.resolve())
    this.#hold(tabLock(options.name, this.self), {}, () => {
      begun.resolve()
      // Not before: the leader waits for the end of those who greet it.
      this.post({ hello: true })
    })
    this.#hold(leaderLock(options.name), { signal: this.#candidacy.signal }, () => this.#lead())
    this.#askLater()
  }

  end(): void {
    this.#ended.abort()
    this.#candidacy.abort()
    this.#stopAsking()
    this.#channel.close()
  }

  post(message: { event: Event } | { news: LeaderNews } | { hello: true }): void {
    if (!this.#ended.signal.aborted) this.#channel.postMessage({ from: this.self, ...message } satisfies Message)
  }

  tellNews(): void {
    if (this.#leads) this.post({ news: this.#member.news() })
  }

  /** Holds a lock from when it is to be had until this membership ends. */
  #hold(name: string, options: LockOptions, got: () => void): void {
    const { signal } = this.#ended
    const work = () =>
      new Promise<void>((resolve) => {
        if (signal.aborted) return resolve()
        signal.addEventListener('abort', () => resolve())
        got()
      })
    this.#options.locks.request(name, options, work).catch((error: unknown) => {
      if (signal.aborted || options.signal?.aborted) return
      // Where a page may have no locks, it does without.
      if ((error as Error).name === 'AbortError') this.#lost()
      else got()
    })
  }

  /** Another tab took this one for dead, and a lock away from it. */
  #lost(): void {
    this.end()
    this.#member.deposed()
    this.#again()
  }

  #lead(): void {
    this.#leads = true
    this.#stopAsking()
    this.#member.elected()
    this.tellNews()
    void tabsIn(this.#options).then((tabs) => {
      for (const tab of tabs) this.#watch(tab)
    })
  }

  #receive(message: Message): void {
    if (this.#ended.signal.aborted) return
    if ('news' in message) {
      this.#unanswered = 0
      if (!this.#leads) this.#member.told(message.news)
      return
    }
    if (!this.#leads) return
    this.#watch(message.from)
    if ('event' in message) this.#member.heard(message.event)
    this.tellNews()
  }

  /** Waits for the end of a tab. */
  #watch(tab: string): void {
    if (tab === this.self || this.#watched.has(tab)) return
    this.#watched.add(tab)
    const { locks, name } = this.#options
    const options: LockOptions = { mode: 'shared', signal: this.#ended.signal }
    const gone = () => {
      this.#watched.delete(tab)
      this.#member.tabGone()
    }
    // Told once this tab has let go of the lock again, so that nobody takes the other for alive; an error when this tab ends first.
    locks.request(tabLock(name, tab), options, async () => {}).then(gone, () => {})
  }

  #askLater(): void {
    this.#stopAsking = this.#options.clock.after(ASK_MS, () => {
      if (this.#leads || this.#ended.signal.aborted) return
      if (this.#member.isVisible()) this.#ask()
      this.#askLater()
    })
  }

  #ask(): void {
    if (this.#unanswered === MOST_UNANSWERED) {
      this.#unanswered = 0
      void this.#takeOver()
      return
    }
    this.#unanswered += 1
    this.post({ hello: true })
  }

  /** Takes the locks of the leader: the one it leads with, and those with its names. */
  async #takeOver(): Promise<void> {
    const { locks, name } = this.#options
    const { held = [] } = await locks.query()
    const leader = held.find((lock) => lock.name === leaderLock(name))
    const itsTabs = held.filter(
      (lock) => lock.clientId === leader?.clientId && lock.name?.startsWith(tabLock(name, '')),
    )
    if (!leader || this.#leads || this.#ended.signal.aborted) return
    for (const tab of itsTabs) {
      // It fails where another tab takes over too, and took the lock away from this one: then it is free as well.
      await locks.request(tab.name as string, { steal: true }, async () => {}).catch(() => {})
    }
    this.#candidacy.abort()
    this.#hold(leaderLock(name), { steal: true }, () => this.#lead())
  }
}
