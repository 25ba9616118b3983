import type { Locks } from '../../src/host/tabs.ts'
import type { Page } from './page.ts'

interface Asked {
  name: string
  page: Page
  isShared: boolean
  signal: AbortSignal | undefined
  work: () => Promise<void>
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * The locks of a browser (Web Locks): granted in the order in which they were asked for, kept by a page that is
 * frozen.
 */
export class LockManager {
  #held: Asked[] = []
  #queue: Asked[] = []

  of(page: Page): Locks {
    return {
      request: (name, options, work) =>
        new Promise<void>((resolve, reject) => {
          const { mode, signal, steal = false } = options
          const asked = { name, page, isShared: mode === 'shared', signal, work, resolve, reject }
          if (!page.isGone) this.#ask(asked, steal)
        }),
      query: () =>
        page.bring(Promise.resolve({ held: this.#held.map(({ name, page }) => ({ name, clientId: page.id })) })),
    }
  }

  holders(name: string): Page[] {
    return this.#held.filter((held) => held.name === name).map(({ page }) => page)
  }

  /** Lets go of all that a page has and wants. */
  forget(page: Page): void {
    this.#queue = this.#queue.filter((asked) => asked.page !== page)
    this.#held = this.#held.filter((held) => held.page !== page)
    this.#grantAll()
  }

  #ask(asked: Asked, isSteal: boolean): void {
    const { name, signal, reject } = asked
    if (signal?.aborted) {
      reject(signal.reason)
      return
    }
    if (isSteal) {
      for (const held of this.#held.filter((one) => one.name === name)) this.#takeAway(held)
      this.#grant(asked)
      return
    }
    signal?.addEventListener('abort', () => {
      if (!this.#queue.includes(asked)) return
      this.#queue = this.#queue.filter((one) => one !== asked)
      reject(signal.reason)
      this.#grantAll()
    })
    this.#queue.push(asked)
    this.#grantAll()
  }

  #takeAway(held: Asked): void {
    this.#held = this.#held.filter((one) => one !== held)
    const lost = () => held.reject(new DOMException('the lock was stolen', 'AbortError'))
    queueMicrotask(() => held.page.enter(lost))
  }

  #grantAll(): void {
    for (const asked of [...this.#queue]) {
      if (!this.#queue.includes(asked) || this.#isBlocked(asked)) continue
      this.#queue = this.#queue.filter((one) => one !== asked)
      this.#grant(asked)
    }
  }

  #isBlocked(asked: Asked): boolean {
    const before = this.#queue.slice(0, this.#queue.indexOf(asked))
    const others = [...this.#held, ...before].filter(({ name }) => name === asked.name)
    return others.some((other) => !other.isShared || !asked.isShared)
  }

  #grant(asked: Asked): void {
    this.#held.push(asked)
    const { page, signal, work, resolve, reject } = asked
    const begin = async () => {
      try {
        signal?.throwIfAborted()
        await work()
        resolve()
      } catch (error) {
        reject(error)
      } finally {
        this.#letGo(asked)
      }
    }
    queueMicrotask(() => page.enter(() => void begin()))
  }

  #letGo(asked: Asked): void {
    this.#held = this.#held.filter((one) => one !== asked)
    this.#grantAll()
  }
}
