import type { Clock } from '@saldo/core'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { ProblemError } from './problem.ts'

export const HOUR_SECONDS = 3_600
export const DAY_SECONDS = 86_400
/** The period in which failed sign-ins count. */
export const QUARTER_HOUR_SECONDS = 15 * 60

/**
 * Limits how often something happens per key and period, in this process. It forgets the keys, any network address,
 * that are not used, as `Allowance` does not; the library has no token bucket to replace that one.
 */
export class Throttle {
  readonly #limiter: RateLimiterMemory
  readonly #points: number

  constructor(points: number, durationSeconds: number) {
    this.#points = points
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

  /** Takes points of a key for what has been done, also if fewer are left: then `take` refuses even none. */
  async spend(key: string | number, points = 1): Promise<void> {
    await this.#limiter.penalty(key, points)
  }

  /**
   * Takes points of a key; false, and none taken, if fewer are left, for a request of which the rest goes on. What
   * needs more than there are at most takes all of them, since it would be refused for good.
   */
  async allows(key: string | number, points = 1): Promise<boolean> {
    const needed = Math.min(points, this.#points)
    const taken = (await this.#limiter.get(key))?.consumedPoints ?? 0
    if (taken + needed > this.#points) return false
    try {
      await this.#limiter.consume(key, needed)
      return true
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      return false
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
 * Limits how much of something each key uses over time, in this process: what two minutes bring at once, and then what
 * comes back (a token bucket).
 */
export class Allowance {
  readonly #perMs: number
  readonly #most: number
  readonly #clock: Clock
  readonly #leftByKey = new Map<string | number, { amount: number; atMs: number }>()

  constructor(perMinute: number, clock: Clock) {
    this.#perMs = perMinute / 60_000
    this.#most = 2 * perMinute
    this.#clock = clock
  }

  /** Takes an amount of a key's allowance. Throws 429 if less is left. */
  take(key: string | number, amount = 1): void {
    const nowMs = this.#clock.now()
    const { amount: before, atMs } = this.#leftByKey.get(key) ?? { amount: this.#most, atMs: nowMs }
    // A clock that is set back gives nothing.
    const left = Math.min(this.#most, before + Math.max(0, nowMs - atMs) * this.#perMs)
    const isEnough = amount <= left
    this.#leftByKey.set(key, { amount: isEnough ? left - amount : left, atMs: nowMs })
    if (!isEnough) throw tooMany(Math.ceil((amount - left) / this.#perMs / 1_000))
  }
}

/** The problem of a request that comes too early. */
export function tooMany(retryAfterSeconds: number): ProblemError {
  return new ProblemError('rate_limited', 'Too many requests. Try again later.', {
    headers: { 'retry-after': String(retryAfterSeconds) },
  })
}
