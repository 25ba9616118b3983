import { fetchTransport, InvalidRecordError, RejectedError, StoreError } from '@saldo/client'
import { SyncEngine } from '../../packages/client/src/engine/sync-engine.ts'
import { type TabDelegate, type Tabs, WebTabs } from '../../packages/client/src/host/tabs.ts'
import type { LocalStore } from '../../packages/client/src/store/store.ts'
import type { Page } from '../../packages/client/test/simulated-browser/page.ts'
import type { Computer } from './computer.ts'
import type { Disk } from './disk.ts'
import type { User } from './service.ts'
import type { Simulation } from './simulation.ts'

/** A tab of a browser with a user's device. */
export class Tab {
  readonly user: User
  readonly page: Page
  readonly disk: Disk
  readonly device: SyncEngine
  readonly tabs: Tabs
  /** True if the tab takes itself for the leader. */
  leads = false
  /** It is being closed, or will be by itself. */
  isClosing = false
  /** Mutations without an answer yet. */
  readonly unanswered = new Set<Promise<unknown>>()
  readonly #store: LocalStore & { release(): Promise<void> }
  readonly #simulation: Simulation

  constructor(simulation: Simulation, computer: Computer, user: User, page: Page) {
    const { chance, network } = simulation
    const { browser } = computer
    this.user = user
    this.page = page
    this.disk = computer.diskOf(user)
    this.#store = this.disk.storeOf(page)
    this.#simulation = simulation
    const clock = {
      now: () => simulation.nowMs + computer.skewMs,
      after: (ms: number, work: () => void) => simulation.after(ms, () => page.enter(work)),
    }
    const found = new WebTabs({
      name: `saldo-${user.id}`,
      random: chance,
      clock,
      locks: browser.locksOf(page),
      open: (name) => browser.channelOf(page, name),
    })
    this.tabs = {
      get self() {
        return found.self
      },
      livingTabs: () => found.livingTabs(),
      join: (delegate) => found.join(this.#seen(delegate)),
      leave: () => found.leave(),
      sendToLeader: (event) => found.sendToLeader(event),
      publishActivity: () => found.publishActivity(),
    }
    const asking = {
      computer: computer.name,
      device: this.disk.name,
      user: user.id,
      page,
      token: () => computer.signedIn.token,
    }
    this.device = new SyncEngine({
      store: this.#store,
      transport: fetchTransport({ url: 'http://saldo', user: user.id, fetch: network.fetchOf(asking) }),
      listen: network.listenOf(asking),
      clock,
      random: chance,
      tabs: this.tabs,
      environment: page.environment,
    })
    this.does((device) => device.start())
  }

  /** Has the user do something. What the device throws that it must not is kept. */
  does(what: (device: SyncEngine) => Promise<unknown>): void {
    const doing = what(this.device)
      .catch((error) => {
        if (!isForTheUser(error)) this.#simulation.failures.push(error)
      })
      .finally(() => this.unanswered.delete(doing))
    this.unanswered.add(doing)
  }

  /** Closes it as a program does that has the time. */
  close(): void {
    this.isClosing = true
    this.does(async (device) => {
      await device.stop()
      this.end()
    })
  }

  /** It is gone, from one moment to the next. */
  end(): void {
    this.page.kill()
    this.#simulation.network.forgetGone()
    void this.#store.release()
  }

  #seen(delegate: TabDelegate): TabDelegate {
    return {
      ...delegate,
      onElected: () => {
        this.leads = true
        delegate.onElected()
      },
      onDeposed: () => {
        this.leads = false
        delegate.onDeposed()
      },
    }
  }
}

function isForTheUser(error: unknown): boolean {
  if (error instanceof StoreError) return error.code === 'full'
  return error instanceof RejectedError || error instanceof InvalidRecordError
}
