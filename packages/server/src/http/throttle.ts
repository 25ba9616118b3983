import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { ProblemError } from './problem.ts'

/** The period in which failed sign-ins count. */
export const QUARTER_HOUR_SECONDS = 15 * 60

/** Limits how often something happens per key and period, in this process. */
export class Throttle {
  readonly #limiter: RateLimiterMemory

  constructor(points: number, durationSeconds: number) {
    this.#limiter = new RateLimiterMemory({ points, duration: durationSeconds })
  }

  /** Takes one point of a key. Throws 429 if none is left. */
  async take(key: string | number): Promise<void> {
    try {
      await this.#limiter.consume(key)
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      throw new ProblemError('rate_limited', 'Too many requests. Try again later.', {
        headers: { 'retry-after': String(Math.ceil(error.msBeforeNext / 1000)) },
      })
    }
  }

  /** Takes a point of a key and runs `work`. If that succeeds, the key gets all its points back. */
  async attempt<T>(key: string | number, work: () => Promise<T>): Promise<T> {
    await this.take(key)
    const result = await work()
    await this.#limiter.delete(key)
    return result
  }
}

/** Runs at most `limit` tasks of a key at a time, in this process. The others wait in the order in which they came. */
export class Gate {
  readonly #limit: number
  /** By key: how many tasks run, and what starts those that wait. */
  readonly #queues = new Map<string | number, { running: number; waiting: (() => void)[] }>()

  constructor(limit: number) {
    this.#limit = limit
  }

  async run<T>(key: string | number, task: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { running: 0, waiting: [] }
    this.#queues.set(key, queue)
    // A task that ends hands its place to the first that waits.
    if (queue.running === this.#limit) await new Promise<void>((resolve) => queue.waiting.push(resolve))
    else queue.running += 1
    try {
      return await task()
    } finally {
      const next = queue.waiting.shift()
      if (next) next()
      else queue.running -= 1
      if (queue.running === 0) this.#queues.delete(key)
    }
  }
}
