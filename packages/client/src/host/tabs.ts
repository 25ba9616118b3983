import type { Random } from '@saldo/core'
import type { SyncError } from '../engine/errors.ts'
import type { Phase, SyncEvent } from '../engine/sync-state.ts'
import type { DeviceClock } from './environment.ts'

/** The activity of a tab that syncs, as it publishes it to the others. */
export interface SyncActivity {
  phase: Phase
  lastError: SyncError | null
  /** True while change notifications arrive. */
  isConnected: boolean
}

/** Receives what happens to a tab as one of several. */
export interface TabDelegate {
  /** This tab becomes the leader. */
  onElected(): void
  /** This tab leads no longer, and what it was sending is another tab's to send. */
  onDeposed(): void
  /** This tab leads, and a follower sends it an event. */
  onFollowerEvent(event: SyncEvent): void
  /** This tab leads, and another tab is gone: the rows that it was sending are free. */
  onTabGone(): void
  /** The leader publishes its activity. */
  onLeaderActivity(activity: SyncActivity): void
  /** Returns the activity of this tab. */
  activity(): SyncActivity
}

/** The tabs of one user in one browser: the leader syncs, the others follow (D7.43). */
export interface Tabs {
  /** The name of this tab in the rows that it sends. */
  readonly self: string
  /** Returns the names of the tabs that are alive. */
  livingTabs(): Promise<ReadonlySet<string>>
  /** Leaves, then takes part under a new name until `leave`. Resolves when this tab is among those alive. */
  join(delegate: TabDelegate): Promise<void>
  /** Deposes this tab. */
  leave(): void
  sendToLeader(event: SyncEvent): void
  /** Sends the followers the activity of this tab, if it is the leader. */
  publishActivity(): void
}

/** Returns the tabs of a program that has its store for itself, as in Node. */
export function loneTab(random: Random): Tabs {
  let self = ''
  let delegate: TabDelegate | undefined
  const leave = () => {
    delegate?.onDeposed()
    delegate = undefined
  }
  return {
    get self() {
      return self
    },
    livingTabs: async () => new Set([self]),
    join: async (joining) => {
      leave()
      delegate = joining
      self = random.uuid()
      joining.onElected()
    },
    leave,
    sendToLeader() {},
    publishActivity() {},
  }
}

/** The part of Web Locks that is used. */
export interface Locks {
  request(name: string, options: LockOptions, work: () => Promise<void>): Promise<unknown>
  query(): Promise<{ held?: { name?: string; clientId?: string }[] }>
}

/** The part of a `BroadcastChannel` that is used. */
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

type Message =
  | { type: 'event'; event: SyncEvent }
  | { type: 'activity'; activity: SyncActivity }
  /** Asks the leader for its activity. */
  | { type: 'hello' }

/** The interval at which a follower asks the leader for its activity. */
const HELLO_INTERVAL_MS = 5_000
/** The leader is replaced after this many unanswered questions, which is after 10 s (D7.44). */
const MAX_UNANSWERED = 2

/**
 * Tabs that find each other by Web Locks and a `BroadcastChannel`. Each tab holds a lock with its name while
 * it lives. The leader holds another lock, which the browser hands on when the leader is gone. A silent leader, such
 * as a frozen page, loses both locks: the next leader sends what it was sending, and it comes back under another
 * name.
 */
export class WebTabs implements Tabs {
  readonly #options: WebTabsOptions
  #membership: Membership | undefined

  constructor(options: WebTabsOptions) {
    this.#options = options
  }

  get self(): string {
    return this.#membership?.self ?? ''
  }

  async livingTabs(): Promise<ReadonlySet<string>> {
    const tabs = await queryLivingTabs(this.#options)
    return this.#membership ? tabs.add(this.self) : tabs
  }

  async join(delegate: TabDelegate): Promise<void> {
    this.leave()
    const membership = new Membership(this.#options, delegate, () => void this.join(delegate))
    this.#membership = membership
    await membership.joined
  }

  leave(): void {
    const membership = this.#membership
    this.#membership = undefined
    membership?.end()
  }

  sendToLeader(event: SyncEvent): void {
    this.#membership?.post({ type: 'event', event })
  }

  publishActivity(): void {
    this.#membership?.publishActivity()
  }
}

const leaderLock = (name: string) => `${name}-leader`
const tabLock = (name: string, tab: string) => `${name}-tab-${tab}`

async function queryLivingTabs({ locks, name }: WebTabsOptions): Promise<Set<string>> {
  const prefix = tabLock(name, '')
  // A page without access to locks knows of no others.
  const { held = [] } = await locks.query().catch(() => ({ held: [] }))
  const names = held.map((lock: { name?: string }) => lock.name ?? '')
  return new Set(names.filter((lock) => lock.startsWith(prefix)).map((lock) => lock.slice(prefix.length)))
}

/** One membership of a tab, from joining until it leaves or loses a lock. */
class Membership {
  readonly self: string
  /** Resolves when the tab is among those alive, or has left again. */
  readonly joined: Promise<void>
  readonly #options: WebTabsOptions
  readonly #delegate: TabDelegate
  /** Another tab took this one for dead and stole a lock. */
  readonly #onLockStolen: () => void
  readonly #channel: Channel
  readonly #ended = new AbortController()
  /** Ends the wait for the leader's lock. */
  readonly #candidacy = new AbortController()
  readonly #watched = new Set<string>()
  #isLeader = false
  #unanswered = 0
  #cancelHello = () => {}

  constructor(options: WebTabsOptions, delegate: TabDelegate, onLockStolen: () => void) {
    this.self = options.random.uuid()
    this.#options = options
    this.#delegate = delegate
    this.#onLockStolen = onLockStolen
    this.#channel = options.open(`${options.name}-tabs`)
    this.#channel.addEventListener('message', ({ data }) => {
      const { from, message } = data as { from: string; message: Message }
      this.#receive(from, message)
    })
    const joined = Promise.withResolvers<void>()
    this.joined = joined.promise
    this.#ended.signal.addEventListener('abort', () => joined.resolve())
    this.#hold(tabLock(options.name, this.self), {}, () => {
      joined.resolve()
      // Only now, because the leader watches the lock of a tab that greets it.
      this.post({ type: 'hello' })
    })
    this.#hold(leaderLock(options.name), { signal: this.#candidacy.signal }, () => this.#lead())
    this.#scheduleHello()
  }

  end(): void {
    this.#ended.abort()
    this.#candidacy.abort()
    this.#cancelHello()
    this.#channel.close()
    this.#delegate.onDeposed()
  }

  post(message: Message): void {
    if (!this.#ended.signal.aborted) this.#channel.postMessage({ from: this.self, message })
  }

  publishActivity(): void {
    if (this.#isLeader) this.post({ type: 'activity', activity: this.#delegate.activity() })
  }

  /** Waits for a lock, calls `onGranted`, and holds the lock until this membership ends. */
  #hold(name: string, options: LockOptions, onGranted: () => void): void {
    const { signal } = this.#ended
    const work = () =>
      new Promise<void>((resolve) => {
        if (signal.aborted) return resolve()
        signal.addEventListener('abort', () => resolve())
        onGranted()
      })
    this.#options.locks.request(name, options, work).catch((error: unknown) => {
      if (signal.aborted || options.signal?.aborted) return
      if ((error as Error).name === 'AbortError') this.#onLockStolen()
      // A page without access to locks does without them.
      else onGranted()
    })
  }

  #lead(): void {
    this.#isLeader = true
    this.#cancelHello()
    this.#delegate.onElected()
    this.publishActivity()
    void queryLivingTabs(this.#options).then((tabs) => {
      for (const tab of tabs) this.#watch(tab)
    })
  }

  #receive(from: string, message: Message): void {
    if (this.#ended.signal.aborted) return
    if (message.type === 'activity') {
      this.#unanswered = 0
      if (!this.#isLeader) this.#delegate.onLeaderActivity(message.activity)
      return
    }
    if (!this.#isLeader) return
    this.#watch(from)
    if (message.type === 'event') this.#delegate.onFollowerEvent(message.event)
    this.publishActivity()
  }

  /** Notices when a tab releases its lock: the rows that it was sending are free. */
  #watch(tab: string): void {
    if (tab === this.self || this.#watched.has(tab)) return
    this.#watched.add(tab)
    const { locks, name } = this.#options
    const options: LockOptions = { mode: 'shared', signal: this.#ended.signal }
    // This tab releases the lock first, so that nobody takes the other one for alive. The request fails if this tab
    // ends.
    locks
      .request(tabLock(name, tab), options, async () => {})
      .then(
        () => this.#delegate.onTabGone(),
        () => {},
      )
  }

  #scheduleHello(): void {
    this.#cancelHello = this.#options.clock.after(HELLO_INTERVAL_MS, () => {
      if (this.#isLeader || this.#ended.signal.aborted) return
      this.#greetLeader()
      this.#scheduleHello()
    })
  }

  #greetLeader(): void {
    if (this.#unanswered === MAX_UNANSWERED) {
      this.#unanswered = 0
      void this.#takeOver()
      return
    }
    this.#unanswered += 1
    this.post({ type: 'hello' })
  }

  /** Steals the locks of the leader: the one that it leads with, and those with its names. */
  async #takeOver(): Promise<void> {
    const { locks, name } = this.#options
    const { held = [] } = await locks.query()
    const leader = held.find((lock) => lock.name === leaderLock(name))
    const tabLocks = held.filter(
      (lock) => lock.clientId === leader?.clientId && lock.name?.startsWith(tabLock(name, '')),
    )
    if (!leader || this.#isLeader || this.#ended.signal.aborted) return
    for (const lock of tabLocks) {
      // It fails if another tab takes over too and steals the lock from this one: then it is free as well.
      await locks.request(lock.name as string, { steal: true }, async () => {}).catch(() => {})
    }
    this.#candidacy.abort()
    this.#hold(leaderLock(name), { steal: true }, () => this.#lead())
  }
}
