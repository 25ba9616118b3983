import type { Channel, Locks } from '../../src/host/tabs.ts'
import { LockManager } from './lock-manager.ts'
import { Page } from './page.ts'

interface Letter {
  to: OpenChannel
  data: unknown
}

interface OpenChannel {
  name: string
  page: Page
  isClosed: boolean
  listeners: ((event: { data: unknown }) => void)[]
}

/** A browser: its pages share locks and channels. */
export class Browser {
  readonly #locks = new LockManager()
  readonly #channels = new Set<OpenChannel>()
  /** Messages under way, oldest first. */
  #letters: Letter[] = []
  #isSlow = false
  readonly #hasLocks: boolean

  constructor({ hasLocks = true } = {}) {
    this.#hasLocks = hasLocks
  }

  open(id: string): Page {
    const page: Page = new Page(id, () => {
      this.#locks.forget(page)
      for (const channel of this.#channels) if (channel.page === page) this.#channels.delete(channel)
    })
    return page
  }

  /** Returns the Web Locks of a page, which reject every request if the page may have none. */
  locksOf(page: Page): Locks {
    if (this.#hasLocks) return this.#locks.of(page)
    const refuse = () => page.bring(Promise.reject(new DOMException('no locks for this page', 'SecurityError')))
    return { request: refuse, query: refuse }
  }

  channelOf(page: Page, name: string): Channel {
    const channel: OpenChannel = { name, page, isClosed: false, listeners: [] }
    this.#channels.add(channel)
    return {
      postMessage: (message) => {
        if (!page.isGone && !channel.isClosed) this.#post(channel, structuredClone(message))
      },
      addEventListener: (_type, listener) => channel.listeners.push(listener),
      close: () => {
        channel.isClosed = true
        this.#channels.delete(channel)
      },
    }
  }

  /** The pages that hold a lock. */
  holders(name: string): Page[] {
    return this.#locks.holders(name)
  }

  /** Returns the number of messages under way. */
  get underWay(): number {
    return this.#letters.length
  }

  /** From now on messages wait until they are delivered; or they come by themselves. */
  slow(isSlow: boolean): void {
    this.#isSlow = isSlow
    if (!isSlow) this.deliver()
  }

  /** Delivers the oldest messages. */
  deliver(count = this.#letters.length): void {
    for (const { to, data } of this.#letters.splice(0, count)) {
      to.page.enter(() => {
        if (!to.isClosed) for (const listener of to.listeners) listener({ data })
      })
    }
  }

  #post(from: OpenChannel, data: unknown): void {
    for (const to of this.#channels) if (to !== from && to.name === from.name) this.#letters.push({ to, data })
    if (!this.#isSlow) queueMicrotask(() => !this.#isSlow && this.deliver())
  }
}
