import type { DurationMs, UserNumber } from '@saldo/core'

/** The jobs of a user give way if another user has sent a request within this time. */
const RECENT_MS = 5_000
/**
 * Jobs that give way run for about this long at a time, and for a thirtieth of the time: fewer than 5 of 100 requests
 * of others meet one (`npm run bench -- --abuse`).
 */
const TURN_MS = 50
const REST_PER_TURN_TIME = 29
/** On an overloaded host, they take more of the time, so that they end. */
const MAX_REST_MS = 2_000

/** Decides when jobs run: without a pause while no other user sends requests, and in short turns otherwise (D3.61). */
export class JobPace {
  /** Returns milliseconds of a clock that is never set back. */
  readonly #nowMs: () => number
  /** The latest request, by `#requestClockMs`. */
  #latest: { user: UserNumber; atMs: number } | undefined
  /** When anybody but the user of the latest request last sent one, by the same clock. */
  #othersAtMs = Number.NEGATIVE_INFINITY
  /** The time that all pieces have taken. */
  #piecesMs = 0
  #turnMs = 0
  #restUntilMs = Number.NEGATIVE_INFINITY

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** Notes that a signed-in user has sent a request. */
  noteRequest(user: UserNumber): void {
    if (this.#latest && this.#latest.user !== user) this.#othersAtMs = this.#latest.atMs
    this.#latest = { user, atMs: this.#requestClockMs() }
  }

  /** Notes that a piece of a job has run. */
  notePiece(durationMs: DurationMs): void {
    this.#piecesMs += durationMs
    this.#turnMs += durationMs
    if (this.#turnMs < TURN_MS) return
    this.#restUntilMs = this.#nowMs() + Math.min(MAX_REST_MS, this.#turnMs * REST_PER_TURN_TIME)
    this.#turnMs = 0
  }

  /** True if a piece of a user's jobs may run now. */
  mayRun(user: UserNumber): boolean {
    if (this.#nowMs() >= this.#restUntilMs) return true
    const latestOfOthersMs = this.#latest?.user === user ? this.#othersAtMs : this.#latest?.atMs
    return this.#requestClockMs() - (latestOfOthersMs ?? Number.NEGATIVE_INFINITY) >= RECENT_MS
  }

  /** Returns a time that stands still while pieces run: requests that arrive meanwhile are noted only afterwards. */
  #requestClockMs(): number {
    return this.#nowMs() - this.#piecesMs
  }
}
