import type { HostEnvironment, HostEvent } from '../../src/host/environment.ts'

const never = new Promise<never>(() => {})

/**
 * A page of a browser. What comes from outside reaches it while it runs: later where it is frozen, never where it is
 * gone.
 */
export class Page {
  readonly id: string
  isVisible = true
  isOnline = true
  readonly environment: HostEnvironment = {
    isOnline: () => this.isOnline,
    isVisible: () => this.isVisible,
    requestBackgroundSync() {},
    subscribe: (listener) => {
      this.#listeners.add(listener)
      return () => this.#listeners.delete(listener)
    },
  }
  readonly #onGone: () => void
  readonly #listeners = new Set<(what: HostEvent) => void>()
  #life: 'running' | 'frozen' | 'gone' = 'running'
  #wasTold = false
  /** The work that arrived while the page was frozen. */
  readonly #waiting: (() => void)[] = []
  #isThawing = false

  constructor(id: string, onGone: () => void) {
    this.id = id
    this.#onGone = onGone
  }

  get isRunning(): boolean {
    return this.#life === 'running'
  }

  get isGone(): boolean {
    return this.#life === 'gone'
  }

  /** Does in the page what something outside is the cause of. */
  enter(work: () => void): void {
    if (this.isGone) return
    if (this.isRunning && !this.#isThawing) work()
    else this.#waiting.push(work)
  }

  /** Returns an answer from outside as the page receives it. */
  bring<T>(answer: Promise<T>): Promise<T> {
    if (this.isGone) {
      answer.catch(() => {})
      return never
    }
    return new Promise((resolve, reject) => {
      answer.then(
        (value) => this.enter(() => resolve(value)),
        (error: unknown) => this.enter(() => reject(error)),
      )
    })
  }

  /**
   * Stops its timers, its answers and its messages; `isTold` where the page hears of that before, as browsers tell
   * it.
   */
  freeze(isTold: boolean): void {
    if (!this.isRunning) return
    if (isTold) this.#tell('frozen')
    this.#life = 'frozen'
    this.#wasTold = isTold
  }

  /** Does what waited, each in a task of its own. */
  async thaw(): Promise<void> {
    if (this.#life !== 'frozen') return
    this.#life = 'running'
    if (this.#wasTold) this.#waiting.unshift(() => this.#tell('resumed'))
    if (this.#isThawing) return
    this.#isThawing = true
    while (this.isRunning) {
      const work = this.#waiting.shift()
      if (!work) break
      work()
      await new Promise((resolve) => setImmediate(resolve))
    }
    this.#isThawing = false
  }

  /** Ends it at once: nothing that it awaits ever comes. */
  kill(): void {
    if (this.isGone) return
    this.#life = 'gone'
    this.#onGone()
  }

  show(isVisible: boolean): void {
    this.isVisible = isVisible
    this.enter(() => this.#tell(isVisible ? 'visible' : 'hidden'))
  }

  connect(isOnline: boolean): void {
    this.isOnline = isOnline
    this.enter(() => this.#tell(isOnline ? 'online' : 'offline'))
  }

  #tell(what: HostEvent): void {
    for (const listener of [...this.#listeners]) listener(what)
  }
}
