import type { Clock, EpochMs } from '@saldo/core'
import type { Log } from './log.ts'
import { UnavailableError } from './store/sql.ts'

/** While the database is unavailable, this often is often enough to say so. */
const EVERY_MS = 60_000

/** Logs failures. Of those that an outage of the database causes, one a minute, with how many were not told. */
export class FailureLog {
  readonly #log: Log
  readonly #clock: Clock
  #toldMs: EpochMs = Number.NEGATIVE_INFINITY
  #untold = 0

  constructor(log: Log, clock: Clock) {
    this.#log = log
    this.#clock = clock
  }

  /** `fields` say where it happened. */
  tell(error: unknown, fields: object, message: string): void {
    if (!(error instanceof UnavailableError)) {
      this.#log.error({ ...fields, err: error }, message)
      return
    }
    const nowMs = this.#clock.now()
    if (Math.abs(nowMs - this.#toldMs) < EVERY_MS) {
      this.#untold += 1
      return
    }
    this.#log.error({ ...fields, untold: this.#untold, err: error }, message)
    this.#toldMs = nowMs
    this.#untold = 0
  }
}
