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

/** The problem of a request that comes too early. */
export function tooMany(retryAfterSeconds: number): ProblemError {
  return new ProblemError('rate_limited', 'Too many requests. Try again later.', {
    headers: { 'retry-after': String(retryAfterSeconds) },
  })
}
