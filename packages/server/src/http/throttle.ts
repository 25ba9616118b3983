import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { ProblemError } from './problem.ts'

/** The time in which failed sign-ins count. */
export const QUARTER_HOUR_SECONDS = 15 * 60

/** At most so many points of one key in a time. Counts in this process. */
export class Throttle {
  readonly #limiter: RateLimiterMemory

  constructor(points: number, durationSeconds: number) {
    this.#limiter = new RateLimiterMemory({ points, duration: durationSeconds })
  }

  /** Takes a point of a key; ends the request with 429 where there is none. */
  async take(key: string): Promise<void> {
    try {
      await this.#limiter.consume(key)
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      throw new ProblemError('rate_limited', 'Too many requests; try again later.', {
        headers: { 'retry-after': String(Math.ceil(error.msBeforeNext / 1000)) },
      })
    }
  }

  /** Gives a key all its points back. */
  async reset(key: string): Promise<void> {
    await this.#limiter.delete(key)
  }
}
