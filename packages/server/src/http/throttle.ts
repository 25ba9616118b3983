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

  /** Takes points of a key. Throws 429 if fewer are left. */
  async take(key: string | number, points = 1): Promise<void> {
    try {
      await this.#limiter.consume(key, points)
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      throw tooMany(Math.ceil(error.msBeforeNext / 1000))
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

/**
 * Lets at most `limit` pieces of work of a key run at a time, in this process; the others wait in their order, at most
 * `maxWaiting` of them.
 */
export class Gate {
  readonly #limit: number
  readonly #maxWaiting: number
  /** By key: how many are inside, and what lets those in that wait. */
  readonly #queues = new Map<string | number, { inside: number; waiting: (() => void)[] }>()

  constructor(limit: number, maxWaiting = Number.POSITIVE_INFINITY) {
    this.#limit = limit
    this.#maxWaiting = maxWaiting
  }

  /** Waits for a place. Returns a function that leaves it, to be called once. Throws 429 if too many wait. */
  async enter(key: string | number): Promise<() => void> {
    const queue = this.#queues.get(key) ?? { inside: 0, waiting: [] }
    if (queue.waiting.length >= this.#maxWaiting) throw tooMany(1)
    this.#queues.set(key, queue)
    if (queue.inside < this.#limit) queue.inside += 1
    else await new Promise<void>((resolve) => queue.waiting.push(resolve))
    return () => {
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

function tooMany(retryAfterSeconds: number): ProblemError {
  return new ProblemError('rate_limited', 'Too many requests. Try again later.', {
    headers: { 'retry-after': String(retryAfterSeconds) },
  })
}
