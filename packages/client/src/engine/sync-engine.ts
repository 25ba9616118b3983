import { DAY_MS, type Draft, type Problem, type Random, type WritableKind } from '@saldo/core'
import type { DeviceClock } from '../host/clock.ts'
import type { Surrounding, Surroundings } from '../host/environment.ts'
import type { LeaderNews, Member, Tabs } from '../host/tabs.ts'
import type { Transport } from '../host/transport.ts'
import { StoreError, type StoreTrouble } from '../store/errors.ts'
import { Listeners } from '../store/listeners.ts'
import { editKey, type LocalStore, type Overridden, type Refused, recordKey, type Tables } from '../store/store.ts'
import { backoffMs } from './backoff.ts'
import { checked } from './base-record.ts'
import { doubtAfterDefect, NO_DOUBT } from './batch.ts'
import { Hints, type Listen } from './change-notifications.ts'
import { coldStart } from './cold-start.ts'
import { compare } from './digest.ts'
import {
  directAnswer,
  directRequest,
  RefusedError,
  recordEdit,
  undo,
  type Wanted,
  wantedOf,
  wantedUpdate,
} from './mutations.ts'
import { disown, type Pending } from './outbox.ts'
import { startPolling } from './polling.ts'
import type { Answer } from './settle.ts'
import { type Failure, pullOnce, pushOnce, releaseRows, type SyncContext, settleRow } from './sync.ts'
import type { SyncError } from './sync-error.ts'
import { after, type Event, isBusy, isListening, type Sync } from './sync-state.ts'

/** How many cold starts in a row may fail before the user is told (D7). */
const MOST_COLD_STARTS = 3

/** How long what another device overrode is kept, in milliseconds (D7). */
const OVERRIDDEN_KEPT_MS = 30 * DAY_MS

export interface DeviceOptions {
  store: LocalStore
  transport: Transport
  listen: Listen
  clock: DeviceClock
  random: Random & { fraction(): number }
  tabs: Tabs
  surroundings: Surroundings
}

/** What became of a change: the service has it, or it waits to be sent. */
export type Stored = 'stored' | 'queued'

/** What of a device is not in its store. */
export type Doing = LeaderNews

/** What can be in a store's way for a while. */
const passing: ReadonlySet<StoreTrouble> = new Set(['blocked', 'full', 'failed'])

/** What a tab tells the one that syncs. */
const ofLeader: ReadonlySet<Event> = new Set(['mutated', 'woken', 'polled', 'replaced', 'unauthenticated', 'signedIn'])

/** Names the sync in the rows that it sends. No tab has this name: whoever syncs next sends them again, and nobody else. */
const THE_SYNC = 'sync'

/** One device of a user, or one tab of it: it takes changes at any time, and exchanges them with the service when it can. */
export class Device {
  readonly #options: DeviceOptions
  readonly #hints: Hints
  #sync: Sync = { state: 'stopped', again: false }
  #working: Promise<void> | undefined
  /** Counts the changes of state, so that the outcome of a step that an event overtook is known as such. */
  #turn = 0
  readonly #listeners = new Listeners()
  #stopWaiting = () => {}
  #ends: (() => void)[] = []
  #failures = 0
  #retryAfterMs = 0
  #doubt = NO_DOUBT
  #coldStarts = 0
  #isOther = false
  #lastError: SyncError | null = null
  /** What the tab told that syncs, while that is another. */
  #leader: LeaderNews | undefined

  constructor(options: DeviceOptions) {
    this.#options = options
    const { listen, clock, random } = options
    const told = (version: number) => void this.#hinted(version)
    this.#hints = new Hints({ listen, clock, random, told, changed: () => this.#changed() })
  }

  /** Begins to sync, or to follow the tab that does; as soon as the store can be used. */
  async start(): Promise<void> {
    const { store, clock, surroundings } = this.#options
    this.happen('start')
    this.#ends = [
      store.subscribe((changed) => changed.size === 0 && this.#noticeStore()),
      surroundings.subscribe((what) => this.#notice(what)),
      startPolling({
        clock,
        store,
        surroundings,
        isLive: () => this.doing().isLive,
        poll: () => this.happen('polled'),
      }),
    ]
    await this.#readAgain()
    if (this.#noticeStore()) return
    await this.#join()
    // The tab that syncs may wait for what this one has, such as that the user signed in.
    if (this.#sync.state === 'following') this.happen('woken')
  }

  /** Calls `listener` when what the device does has changed. Returns what ends that. */
  subscribe(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Ends the sync once the work under way is done. Nothing that waits is lost. */
  async stop(): Promise<void> {
    this.happen('stop')
    for (const end of this.#ends.splice(0)) end()
    await this.#working
    this.#options.tabs.leave()
  }

  /** Creates or replaces a record; without an id, a new one is made (R5.2). Throws `InvalidRecordError`, `RefusedError`. */
  async put<K extends WritableKind>(
    kind: K,
    content: Draft<K>,
    id = this.#options.random.uuid(),
  ): Promise<{ id: string; stored: Stored }> {
    const wanted = wantedOf(kind, id, content)
    return { id, stored: await this.#change(async () => wanted) }
  }

  /** Replaces some fields of a record as it is shown. Throws like `put`, and a `RangeError` where there is none. */
  update<K extends WritableKind>(kind: K, id: string, patch: Partial<Draft<K>>): Promise<Stored> {
    return this.#change((tables) => wantedUpdate(tables, kind, id, patch))
  }

  /** Deletes a record. Throws `RefusedError`. */
  delete(kind: WritableKind, id: string): Promise<Stored> {
    return this.#change(async () => ({ kind, id, content: null }))
  }

  /** Queues a refused edit again, with its time (D7); not where a newer one of the record waits. */
  async retry({ edit }: Refused): Promise<void> {
    const { store, clock } = this.#options
    await store.run(async (tables) => {
      const key = recordKey(edit)
      const before = await tables.outbox.get(key)
      // A newer change is on its way; this one stays where the user can see it.
      if (before && before.updatedAt >= edit.updatedAt) return
      await tables.refused.delete([editKey(edit)])
      // An earlier state of the record may have reached the service before this one was refused.
      const attempts = (before?.attempts ?? 0) + 1
      const { place = edit.seq, queuedAtMs = clock.now() } = before ?? {}
      await tables.outbox.put([{ ...edit, place, queuedAtMs, attempts, sender: null }])
    })
    this.happen('mutated')
  }

  /** Makes a refused edit anew, with other fields. Throws `InvalidRecordError`. */
  async edit({ edit }: Refused, patch: object): Promise<void> {
    await this.#queue(async (tables) => {
      await tables.refused.delete([editKey(edit)])
      return wantedOf(edit.kind, edit.id, { ...edit.content, ...patch })
    })
  }

  discard({ edit }: Refused): Promise<void> {
    return this.#options.store.run((tables) => tables.refused.delete([editKey(edit)]))
  }

  /** Makes an edit that lost anew, so that it wins. */
  async takeMineBack({ mine }: Overridden): Promise<void> {
    await this.#queue(async (tables) => {
      await tables.overridden.delete([editKey(mine)])
      return mine
    })
  }

  dismiss({ mine }: Overridden): Promise<void> {
    return this.#options.store.run((tables) => tables.overridden.delete([editKey(mine)]))
  }

  /** What the device does, or the tab that syncs for it. */
  doing(): Doing {
    const { state } = this.#sync
    if (state === 'following' && this.#leader) return this.#leader
    return { state, lastError: this.#lastError, isLive: this.#hints.isLive }
  }

  /** Tells the device what happened outside: `woken`, `signedIn`, `unauthenticated`. */
  happen(event: Event): void {
    if (this.#sync.state === 'following' && ofLeader.has(event)) this.#options.tabs.tellLeader(event)
    const before = this.#sync.state
    this.#sync = after(this.#sync, event)
    const { state } = this.#sync
    if (state === before) return
    this.#turn += 1
    this.#stopWaiting()
    if (state === 'waiting') this.#wait()
    if (state === 'waiting' || state === 'offline') this.#options.surroundings.wakeLater()
    this.#hints.want(isListening(state))
    this.#changed()
    if (isBusy(state)) this.#working ??= this.#work()
  }

  /** Resolved when the device has come to rest: nothing to do, or waiting for something. */
  async settled(): Promise<void> {
    while (this.#working) await this.#working
  }

  /** Syncs now, anew where this tab is at it: that sync may be failing. Resolved when it has come to rest, in whichever tab. */
  async sync(): Promise<void> {
    await this.settled()
    this.#leader = undefined
    this.happen('woken')
    const isBusyElsewhere = () => this.#sync.state === 'following' && (!this.#leader || isBusy(this.#leader.state))
    await new Promise<void>((resolve) => {
      const end = this.subscribe(() => look())
      const look = () => {
        if (isBusyElsewhere()) return
        end()
        resolve()
      }
      look()
    })
    await this.settled()
  }

  #changed(): void {
    this.#listeners.call()
    this.#options.tabs.tellOthers()
  }

  #join(): Promise<void> {
    const { tabs, surroundings } = this.#options
    const member: Member = {
      elected: () => {
        this.happen('elected')
        if (!surroundings.isOnline()) this.happen('offline')
      },
      deposed: () => this.happen('deposed'),
      heard: (event) => this.happen(event === 'replaced' ? this.#replaced() : event),
      tabGone: () => this.happen('mutated'),
      told: (news) => {
        this.#leader = news
        this.#listeners.call()
      },
      news: () => this.doing(),
      isVisible: () => surroundings.isVisible(),
    }
    return tabs.join(member)
  }

  #notice(what: Surrounding): void {
    if (what === 'online' || what === 'offline') this.happen(what)
    else if (what === 'visible') this.happen('woken')
    else if (what === 'frozen') {
      this.#options.tabs.leave()
      this.happen('deposed')
    } else if (what === 'resumed') void this.#join().then(() => this.happen('woken'))
  }

  /** A tab whose store is lost to it must not keep others from syncing. Returns whether it is. */
  #noticeStore(): boolean {
    const trouble = this.#options.store.trouble()?.trouble
    const isLost = trouble !== undefined && !passing.has(trouble)
    if (isLost) void this.stop()
    else this.happen('woken')
    return isLost
  }

  async #hinted(version: number): Promise<void> {
    // Where the store fails, the sync will tell.
    const meta = await this.#options.store.read((tables) => tables.meta()).catch(() => undefined)
    if (version !== meta?.point?.version) this.happen('woken')
  }

  /** Shows what an older program could not read. */
  async #readAgain(): Promise<void> {
    const reading = this.#options.store.run(async (tables) =>
      tables.held.put((await tables.held.unreadable()).map(checked).filter((row) => !row.isUnreadable)),
    )
    await reading.catch((error: unknown) => {
      // A store in trouble tells so by itself, and there is another time.
      if (!(error instanceof StoreError)) throw error
    })
  }

  /** Makes an edit, which `prepare` tells in the same transaction, and sends it at once where nothing waits (R5.1). */
  async #change(prepare: (tables: Tables) => Promise<Wanted>): Promise<Stored> {
    const { store, tabs, transport, clock } = this.#options
    const { device, direct } = await store.run(async (tables) =>
      recordEdit(tables, await prepare(tables), tabs.self, clock.now()),
    )
    if (!direct) {
      this.happen('mutated')
      return 'queued'
    }
    const reply = await transport(directRequest(direct, device))
    const answer = directAnswer(direct, reply)
    if (!answer) {
      await this.#writeDown((tables) => releaseRows(tables, [direct]))
      const trouble = store.trouble()
      if (trouble?.trouble === 'gone') throw trouble
      this.happen(reply.outcome === 'unauthenticated' ? 'unauthenticated' : 'mutated')
      return 'queued'
    }
    const settle = answer.status === 'rejected' ? undo : settleRow
    const settled = await this.#writeDown((tables) => settle(tables, direct, answer, clock.now()))
    if (!settled) return 'queued'
    const { counts, pending, isForeign } = settled
    if (isForeign) this.happen(this.#replaced())
    else if (pending) this.happen('mutated')
    if (!counts) return 'queued'
    if (answer.status === 'rejected') throw new RefusedError(answer.problem)
    // The change may have moved figures of the account, which only a pull brings.
    if (!this.doing().isLive) this.happen('polled')
    return 'stored'
  }

  /**
   * Writes down what came of a request with a row. Where the store does not take that, as on a full disk, this tab goes by
   * another name: it is not sending the row any more, and the tab that syncs sends it.
   */
  async #writeDown<T>(body: (tables: Tables) => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#options.store.run(body)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      if (this.#sync.state === 'stopped' || this.#noticeStore()) return undefined
      this.happen('deposed')
      await this.#join()
      return undefined
    }
  }

  /**
   * Makes an edit of what a request has carried before, so that something of it may have arrived. It is pushed with others:
   * refused, it goes to the tray, and is not lost with the caller.
   */
  async #queue(prepare: (tables: Tables) => Promise<Wanted>): Promise<void> {
    const { store, tabs, clock } = this.#options
    await store.run(async (tables) => {
      const { row } = await recordEdit(tables, await prepare(tables), tabs.self, clock.now())
      if (row) await tables.outbox.put([disown(row)])
    })
    this.happen('mutated')
  }

  async #work(): Promise<void> {
    const { store, transport, clock, tabs } = this.#options
    const context: SyncContext = {
      store,
      transport,
      now: () => clock.now(),
      tab: () => THE_SYNC,
      alive: () => tabs.alive(),
    }
    while (isBusy(this.#sync.state)) {
      const turn = this.#turn
      const event = await this.#step(context).catch((error: unknown) => this.#broke(error))
      if (event && turn === this.#turn) this.happen(event)
    }
    this.#working = undefined
  }

  /** Does what the state asks for; `undefined` where it asks for nothing. */
  async #step(context: SyncContext): Promise<Event | undefined> {
    switch (this.#sync.state) {
      case 'pushing': {
        const pushed = await pushOnce(context, this.#doubt.most)
        if (typeof pushed === 'object') {
          if (pushed.outcome === 'defect') await this.#suspect(pushed.batch, pushed.problem)
          return this.#failed(pushed)
        }
        if (pushed === 'replaced') return this.#replaced()
        this.#doubt = pushed === 'some' ? { ...this.#doubt, defects: 0 } : NO_DOUBT
        return pushed === 'some' ? 'pushedSome' : 'pushedAll'
      }
      case 'pulling': {
        const pulled = await pullOnce(context)
        if (typeof pulled === 'object') {
          return 'outcome' in pulled ? this.#failed(pulled) : this.#replaced()
        }
        if (pulled === 'all') {
          const isNew = this.#coldStarts > 0
          await this.#succeeded()
          if (await compare(context, isNew)) return 'pulledSome'
        }
        return ({ some: 'pulledSome', all: 'pulledAll', stale: 'stale' } as const)[pulled]
      }
      case 'coldStarting': {
        if (this.#coldStarts === MOST_COLD_STARTS) return this.#gaveUp()
        const started = await coldStart(context, this.#isOther)
        if (typeof started === 'object') return this.#failed(started)
        this.#coldStarts += 1
        this.#isOther = started === 'replaced'
        return started === 'replaced' ? 'replaced' : 'coldStarted'
      }
      default:
        return undefined
    }
  }

  /** The service failed at a batch: its rows are sent again, and one that is found to be the cause goes to the tray. */
  async #suspect(batch: readonly Pending[], problem: Problem): Promise<void> {
    const { store, clock } = this.#options
    const doubt = doubtAfterDefect(this.#doubt, batch.length)
    this.#doubt = doubt === 'found' ? NO_DOUBT : doubt
    if (doubt !== 'found') return
    const answer: Answer = { status: 'rejected', problem }
    await store.run((tables) => settleRow(tables, batch[0] as Pending, answer, clock.now()))
  }

  #failed(failure: Failure): Event {
    if (failure.outcome === 'unauthenticated') return 'unauthenticated'
    this.#failures += 1
    this.#retryAfterMs = failure.outcome === 'refused' ? 0 : failure.retryAfterMs
    this.#lastError = failure.problem ?? { code: 'unreachable' }
    return 'unreachable'
  }

  #replaced(): Event {
    this.#isOther = true
    return 'replaced'
  }

  #gaveUp(): Event {
    this.#coldStarts = 0
    this.#lastError = { code: 'unfollowable' }
    return 'gaveUp'
  }

  /** The store failed, such as on a full disk. */
  #broke(error: unknown): Event {
    this.#failures += 1
    this.#retryAfterMs = 0
    this.#lastError = { code: 'defect', detail: String(error) }
    return 'unreachable'
  }

  async #succeeded(): Promise<void> {
    this.#failures = 0
    this.#coldStarts = 0
    this.#lastError = null
    await this.#forgetOverridden()
  }

  /** Forgets what was overridden long ago. Only now, when the service has just told the time: this device's clock may be wrong. */
  async #forgetOverridden(): Promise<void> {
    const { store, clock } = this.#options
    const old = await store.read(async (tables) => {
      const oldestMs = clock.now() + (await tables.meta()).offsetMs - OVERRIDDEN_KEPT_MS
      return (await tables.overridden.all()).filter(({ overriddenAtMs }) => overriddenAtMs < oldestMs)
    })
    if (old.length > 0) await store.run((tables) => tables.overridden.delete(old.map(({ mine }) => editKey(mine))))
  }

  #wait(): void {
    const { clock, random } = this.#options
    // What happened during the request that failed is a reason to try again soon.
    const failures = this.#sync.again ? 1 : Math.max(this.#failures, 1)
    const ms = backoffMs(failures, random.fraction(), this.#retryAfterMs)
    this.#stopWaiting = clock.after(ms, () => this.happen('waited'))
  }
}
