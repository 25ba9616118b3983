import { type Random, recordKinds } from '@saldo/core'
import type { DeviceClock, HostEnvironment, HostEvent } from '../host/environment.ts'
import type { Listen } from '../host/event-stream.ts'
import type { SyncActivity, TabDelegate, Tabs } from '../host/tabs.ts'
import type { Transport } from '../host/transport.ts'
import { StoreError, type StoreErrorCode } from '../store/errors.ts'
import { Listeners } from '../store/listeners.ts'
import type { LocalStore } from '../store/store.ts'
import { readRecord } from './base-record.ts'
import { ChangeNotifications } from './change-notifications.ts'
import { Mutator } from './mutator.ts'
import { startPolling } from './polling.ts'
import { isBusy, isListening, nextState, type Phase, phaseOf, type SyncEvent, type SyncState } from './sync-state.ts'
import { SyncSteps } from './sync-steps.ts'

export interface SyncEngineOptions {
  store: LocalStore
  transport: Transport
  listen: Listen
  clock: DeviceClock
  random: Random & { fraction(): number }
  tabs: Tabs
  environment: HostEnvironment
}

/** Errors of a store that may pass. */
const passingErrors: ReadonlySet<StoreErrorCode> = new Set(['blocked', 'full', 'failed'])

/** The events that a follower passes on to the leader. */
const leaderEvents: ReadonlySet<SyncEvent> = new Set([
  'outboxReady',
  'syncRequested',
  'pullDue',
  'historyReset',
  'unauthenticated',
])

/** Syncs one device, or one tab of it: dispatches events to the state table and runs the steps it asks for. */
export class SyncEngine {
  readonly mutator: Mutator
  readonly #options: SyncEngineOptions
  readonly #notifications: ChangeNotifications
  readonly #steps: SyncSteps
  readonly #listeners = new Listeners()
  #state: SyncState = 'stopped'
  #running: Promise<void> | undefined
  /** The number of phases so far: the result of a step counts only in the phase in which it began. */
  #phaseNumber = 0
  #cancelBackoff = () => {}
  #subscriptions: (() => void)[] = []
  /** The activity of the leader, while this tab follows. */
  #leaderActivity: SyncActivity | undefined
  /** True from a request to sync until the leader publishes its activity: what it published before is out of date. */
  #awaitsLeader = false

  constructor(options: SyncEngineOptions) {
    this.#options = options
    const { store, transport, listen, clock, random, tabs } = options
    this.#notifications = new ChangeNotifications({
      listen,
      clock,
      random,
      onVersion: (version) => this.#runInBackground(this.#compareVersion(version)),
      onConnectionChange: () => this.#publish(),
      onDefect: (error) => this.#showDefect(error),
    })
    this.#steps = new SyncSteps({ store, transport, now: () => clock.now(), livingTabs: () => tabs.livingTabs() })
    this.mutator = new Mutator({
      store,
      transport,
      clock,
      newId: () => random.uuid(),
      tabName: () => tabs.self,
      isConnected: () => this.activity().isConnected,
      onEvent: (event) => this.dispatch(event),
      onLostResult: () => this.#takeNewTabName(),
    })
  }

  /** Begins to sync, or to follow the leader, as soon as the store can be used. */
  async start(): Promise<void> {
    const { store, clock, environment } = this.#options
    this.dispatch('start')
    this.#subscriptions = [
      store.subscribeToErrors(() => this.#onStoreErrorChange()),
      environment.subscribe((event) => this.#onHostEvent(event)),
      startPolling({
        clock,
        store,
        environment,
        isConnected: () => this.activity().isConnected,
        poll: () => this.dispatch('pullDue'),
      }),
    ]
    await this.#rereadUnreadable()
    if (this.#isStoreLost()) return this.stop()
    await this.#join()
    // The leader may wait for something that this tab has, such as a new sign-in.
    if (this.#state === 'following') this.dispatch('syncRequested')
  }

  /** Calls `listener` when the activity has changed. Returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Ends the sync once the request under way is done. Unsent changes stay in the outbox. */
  async stop(): Promise<void> {
    this.dispatch('stop')
    for (const end of this.#subscriptions.splice(0)) end()
    await this.#running
    this.#options.tabs.leave()
  }

  /** Returns the activity of this engine, or of the leader that syncs for it. */
  activity(): SyncActivity {
    if (this.#leaderActivity) return this.#leaderActivity
    return {
      phase: phaseOf(this.#state),
      lastError: this.#steps.lastError,
      isConnected: this.#notifications.isConnected,
    }
  }

  dispatch(event: SyncEvent): void {
    const before = this.#state
    if (before === 'following' && leaderEvents.has(event)) this.#options.tabs.sendToLeader(event)
    this.#state = nextState(before, event)
    if (this.#state === before) return
    const phase = phaseOf(this.#state)
    this.#cancelBackoff()
    if (phase === 'waiting') this.#startBackoff()
    if (phase !== phaseOf(before)) this.#enterPhase(phase)
  }

  #enterPhase(phase: Phase): void {
    this.#phaseNumber += 1
    this.#leaderActivity = undefined
    if (phase === 'waiting' || phase === 'offline') this.#options.environment.requestBackgroundSync()
    this.#notifications.setWanted(isListening(phase))
    this.#publish()
    if (isBusy(phase)) this.#running ??= this.#run().catch((error: unknown) => this.#showDefect(error))
  }

  /** Resolves when this tab has nothing to do or waits for something. */
  async stepsEnded(): Promise<void> {
    while (this.#running) await this.#running
  }

  /** Syncs now. Resolves when the tab that syncs has nothing to do or waits for something. */
  async sync(): Promise<void> {
    await this.stepsEnded()
    this.#awaitsLeader = true
    this.dispatch('syncRequested')
    const isLeaderBusy = () => this.#state === 'following' && (this.#awaitsLeader || isBusy(this.activity().phase))
    while (isLeaderBusy()) await this.#listeners.next()
    await this.stepsEnded()
  }

  /** Runs one step after another while there is work to do. */
  async #run(): Promise<void> {
    try {
      for (let phase = phaseOf(this.#state); isBusy(phase); phase = phaseOf(this.#state)) {
        const startedIn = this.#phaseNumber
        const event = await this.#steps.run(phase)
        if (this.#phaseNumber === startedIn) this.dispatch(event)
      }
    } finally {
      this.#running = undefined
    }
  }

  #startBackoff(): void {
    const { clock, random } = this.#options
    const isBrief = this.#state === 'waitingBriefly'
    const delayMs = isBrief ? this.#steps.briefDelayMs() : this.#steps.backoffMs(random.fraction())
    this.#cancelBackoff = clock.after(delayMs, () => this.dispatch('backoffElapsed'))
  }

  #publish(): void {
    this.#listeners.call()
    this.#options.tabs.publishActivity()
  }

  #join(): Promise<void> {
    const { tabs, environment } = this.#options
    const delegate: TabDelegate = {
      onElected: () => {
        this.dispatch('elected')
        if (!environment.isOnline()) this.dispatch('offline')
      },
      onDeposed: () => this.dispatch('deposed'),
      onFollowerEvent: (event) => this.dispatch(event),
      onTabGone: () => this.dispatch('outboxReady'),
      onLeaderActivity: (activity) => {
        this.#leaderActivity = activity
        this.#awaitsLeader = false
        this.#listeners.call()
      },
      activity: () => this.activity(),
    }
    return tabs.join(delegate)
  }

  /** Takes another name among the tabs: under the old one, this tab no longer sends anything. */
  async #takeNewTabName(): Promise<void> {
    if (this.#state !== 'stopped' && !this.#isStoreLost()) await this.#join()
  }

  #onHostEvent(event: HostEvent): void {
    if (event === 'offline') this.dispatch(event)
    else if (event === 'online' || event === 'visible') this.dispatch('syncRequested')
    else if (event === 'frozen') this.#options.tabs.leave()
    else if (event === 'resumed') this.#runInBackground(this.#join().then(() => this.dispatch('syncRequested')))
  }

  /** True if the store will not work again in this tab. */
  #isStoreLost(): boolean {
    const code = this.#options.store.error()?.code
    return code !== undefined && !passingErrors.has(code)
  }

  /** Stops this tab if its store is lost, so that it does not keep others from syncing. */
  #onStoreErrorChange(): void {
    if (this.#isStoreLost()) this.#runInBackground(this.stop())
    else this.dispatch('syncRequested')
  }

  #showDefect(error: unknown): void {
    this.#steps.noteDefect(error)
    this.#publish()
  }

  /** Shows a defect of work that nobody waits for. */
  #runInBackground(work: Promise<void>): void {
    work.catch((error: unknown) => this.#showDefect(error))
  }

  /** Syncs if a change notification names another version than that of the sync position. */
  async #compareVersion(version: number): Promise<void> {
    // If the store fails, the sync will show it.
    const meta = await this.#options.store.read((tables) => tables.meta()).catch(() => undefined)
    if (version !== meta?.position?.version) this.dispatch('syncRequested')
  }

  /** Shows records that an older program could not read, and lets a cold start fetch kinds that it did not know. */
  async #rereadUnreadable(): Promise<void> {
    const checking = this.#options.store.write(async (tables) => {
      const meta = await tables.meta()
      const kinds = recordKinds.join(' ')
      if (meta.kinds !== kinds) await tables.setMeta({ ...meta, kinds, position: null })
      const rows = (await tables.baseRecords.unreadable()).map(readRecord)
      await tables.baseRecords.put(rows.filter((row) => !row.isUnreadable))
    })
    await checking.catch((error: unknown) => {
      // The store reports its error itself, and the next start tries again.
      if (!(error instanceof StoreError)) throw error
    })
  }
}
