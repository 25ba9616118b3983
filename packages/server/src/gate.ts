/** Lets at most `limit` pieces of work of a key run at a time, in this process; the others wait in their order. */
export class Gate {
  readonly #limit: number
  /** By key: how many are inside, and what lets those in that wait. */
  readonly #queues = new Map<string | number, { inside: number; waiting: (() => void)[] }>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Returns the number of those that wait for a place. */
  waiting(key: string | number): number {
    return this.#queues.get(key)?.waiting.length ?? 0
  }

  /** True if whoever enters now has to wait. */
  isFull(key: string | number): boolean {
    return (this.#queues.get(key)?.inside ?? 0) >= this.#limit
  }

  /** Waits for a place. Returns a function that leaves it; further calls do nothing. */
  async enter(key: string | number): Promise<() => void> {
    const queue = this.#queues.get(key) ?? { inside: 0, waiting: [] }
    this.#queues.set(key, queue)
    if (queue.inside < this.#limit) queue.inside += 1
    else await new Promise<void>((resolve) => queue.waiting.push(resolve))
    let isInside = true
    return () => {
      if (!isInside) return
      isInside = false
      const next = queue.waiting.shift()
      // Work that only ever awaits what is there would not let others in between.
      if (next) setImmediate(next)
      else queue.inside -= 1
      if (queue.inside === 0) this.#queues.delete(key)
    }
  }

  async run<T>(key: string | number, work: () => Promise<T>): Promise<T> {
    const leave = await this.enter(key)
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
