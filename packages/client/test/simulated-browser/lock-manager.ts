import type { Locks } from '../../src/host/tabs.ts'
import type { Page } from './page.ts'

interface LockRequest {
  name: string
  page: Page
  isShared: boolean
  signal: AbortSignal | undefined
  work: () => Promise<void>
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * The locks of a browser (Web Locks): granted in the order of the requests, kept by a page that is
 * frozen.
 */
export class LockManager {
  #held: LockRequest[] = []
  #queue: LockRequest[] = []

  of(page: Page): Locks {
    return {
      request: (name, options, work) =>
        new Promise<void>((resolve, reject) => {
          const { mode, signal, steal = false } = options
          const request = { name, page, isShared: mode === 'shared', signal, work, resolve, reject }
          if (!page.isGone) this.#ask(request, steal)
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
    this.#queue = this.#queue.filter((request) => request.page !== page)
    this.#held = this.#held.filter((held) => held.page !== page)
    this.#grantAll()
  }

  #ask(request: LockRequest, isSteal: boolean): void {
    const { name, signal, reject } = request
    if (signal?.aborted) {
      reject(signal.reason)
      return
    }
    if (isSteal) {
      for (const held of this.#held.filter((one) => one.name === name)) this.#takeAway(held)
      this.#grant(request)
      return
    }
    signal?.addEventListener('abort', () => {
      if (!this.#queue.includes(request)) return
      this.#queue = this.#queue.filter((one) => one !== request)
      reject(signal.reason)
      this.#grantAll()
    })
    this.#queue.push(request)
    this.#grantAll()
  }

  #takeAway(held: LockRequest): void {
    this.#held = this.#held.filter((one) => one !== held)
    const lost = () => held.reject(new DOMException('the lock was stolen', 'AbortError'))
    queueMicrotask(() => held.page.enter(lost))
  }

  #grantAll(): void {
    for (const request of [...this.#queue]) {
      if (!this.#queue.includes(request) || this.#isBlocked(request)) continue
      this.#queue = this.#queue.filter((one) => one !== request)
      this.#grant(request)
    }
  }

  #isBlocked(request: LockRequest): boolean {
    const before = this.#queue.slice(0, this.#queue.indexOf(request))
    const others = [...this.#held, ...before].filter(({ name }) => name === request.name)
    return others.some((other) => !other.isShared || !request.isShared)
  }

  #grant(request: LockRequest): void {
    this.#held.push(request)
    const { page, signal, work, resolve, reject } = request
    const begin = async () => {
      try {
        signal?.throwIfAborted()
        await work()
        resolve()
      } catch (error) {
        reject(error)
      } finally {
        this.#letGo(request)
      }
    }
    queueMicrotask(() => page.enter(() => void begin()))
  }

  #letGo(request: LockRequest): void {
    this.#held = this.#held.filter((one) => one !== request)
    this.#grantAll()
  }
}
