import { join } from 'node:path'
import { type JsonObject, problemOf } from '@saldo/core'
import { onTestFinished } from 'vitest'
import { SyncEngine } from '../../src/engine/sync-engine.ts'
import { WebTabs } from '../../src/host/tabs.ts'
import type { ServiceRequest, ServiceResponse } from '../../src/host/transport.ts'
import { sqliteStore } from '../../src/store/node/sqlite-store.ts'
import type { LocalStore } from '../../src/store/store.ts'
import { ManualClock } from '../manual-clock.ts'
import { owner } from '../rows.ts'
import { Browser } from '../simulated-browser/browser.ts'
import { temporaryDir } from './child.ts'

export const SERVER_TIME = '2026-11-21T12:00:00.000Z'
const ok = (body: JsonObject): ServiceResponse => ({ outcome: 'ok', status: 200, body, headers: new Headers() })

/** Tabs of one user in a browser, and a service that has three changes already. */
export class SyncedTabs {
  readonly store: LocalStore = sqliteStore(join(temporaryDir(), 'store.db'))(owner)
  readonly browser = new Browser()
  readonly clock = new ManualClock()
  /** The paths of the requests so far. */
  readonly paths: string[] = []
  /** Sends a version to an open stream of change notifications, by the name of its tab. */
  readonly streams = new Map<string, (version: number) => void>()
  isSignedIn = true
  /** The oldest version that the log of the service reaches back to. */
  prunedTo = 0
  /** Answers a request in place of the service. */
  answer: (request: ServiceRequest) => Promise<ServiceResponse> | undefined = () => undefined
  readonly #records: JsonObject[] = []

  constructor() {
    onTestFinished(() => this.store.close())
  }

  get #version(): number {
    return Math.max(this.prunedTo, 3) + this.#records.length
  }

  /** Opens a tab and waits until it leads or follows. */
  async open(name: string, { isOnline = true, store = this.store }: { isOnline?: boolean; store?: LocalStore } = {}) {
    const { browser, clock } = this
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
      transport: (request) => page.bring(this.#reply(request)),
      listen: (onVersion, signal) => {
        this.streams.set(name, onVersion)
        return new Promise((resolve) =>
          signal.addEventListener('abort', () => {
            this.streams.delete(name)
            resolve('ended')
          }),
        )
      },
      clock: ownClock,
      random: { ...owner.random, fraction: () => 0.5 },
      tabs,
      environment: page.environment,
    })
    await engine.start()
    await rest()
    await engine.stepsEnded()
    return { page, engine, tabs }
  }

  /** Time passes in steps in which every question can be asked and answered. */
  async pass(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 1) {
      this.clock.pass(1_000)
      await rest()
    }
  }

  async #reply(request: ServiceRequest): Promise<ServiceResponse> {
    const { path, method, body } = request
    this.paths.push(path)
    if (!this.isSignedIn) return { outcome: 'unauthenticated' }
    const answered = await this.answer(request)
    if (answered) return answered
    const headers = new Headers()
    if (path.includes('digest')) {
      return { outcome: 'rejected', status: 404, problem: problemOf('not_found', ''), headers }
    }
    const since = Number(/since=(\d+)/.exec(path)?.[1] ?? Number.POSITIVE_INFINITY)
    if (since < this.prunedTo) {
      return { outcome: 'rejected', status: 410, problem: problemOf('sync_stale', ''), headers }
    }
    if (method === 'PUT') {
      const id = /([^/]+)\?/.exec(path)?.[1] as string
      const record = { ...(body as JsonObject), id, version: this.#version + 1, updated_at: SERVER_TIME }
      this.#records.push(record)
      return ok(record)
    }
    const entries = this.#records.filter(({ version }) => (version as number) > since)
    const position = { version: this.#version, tag: 'a', since_tag: 'a' }
    return ok({ ...position, has_more: false, changes: { entries }, deleted: {}, server_time: SERVER_TIME })
  }
}

/** Everything that can happen without the clock has happened. */
export async function rest(): Promise<void> {
  for (let round = 0; round < 10; round += 1) await new Promise((resolve) => setImmediate(resolve))
}
