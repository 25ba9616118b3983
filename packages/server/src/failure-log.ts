import type { Clock, EpochMs } from '@saldo/core'
import type { Log } from './log.ts'
import { UnavailableError } from './store/sql.ts'

/** During an outage of the database, one failure is logged in this period. */
const OUTAGE_EVERY_MS = 60_000

/** Logs failures. During an outage of the database, it logs one a minute, and how many it left out. */
export class FailureLog {
  readonly #log: Log
  readonly #clock: Clock
  #loggedMs: EpochMs = Number.NEGATIVE_INFINITY
  #suppressed = 0

  constructor(log: Log, clock: Clock) {
    this.#log = log
    this.#clock = clock
  }

  /** Logs an error; `fields` say where it happened. */
  log(error: unknown, fields: object, message: string): void {
    if (!(error instanceof UnavailableError)) {
      this.#log.error({ ...fields, err: error }, message)
      return
    }
    const nowMs = this.#clock.now()
    if (Math.abs(nowMs - this.#loggedMs) < OUTAGE_EVERY_MS) {
      this.#suppressed += 1
      return
    }
    this.#log.error({ ...fields, suppressed: this.#suppressed, err: error }, message)
    this.#loggedMs = nowMs
    this.#suppressed = 0
  }
}
