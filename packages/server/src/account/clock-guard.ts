import { DAY_MS, type DurationMs, type EpochMs, HOUR_MS } from '@saldo/core'
import * as v from 'valibot'
import type { StoredServiceState } from '../store/service-state.ts'

/** The clock is in doubt when it is further ahead of what the database knows (D3.57). */
export const MAX_AHEAD_MS: DurationMs = 35 * DAY_MS
/** A clock that has been ahead for this long is trusted (D3.58): the service was off before. */
const TRUSTED_AFTER_MS: DurationMs = DAY_MS
/** The time is stored this often. */
const STORE_EVERY_MS: DurationMs = HOUR_MS

const STATE_NAME = 'clock'

/** The time at which jobs last ran by a clock that was not in doubt, and the time at which the doubt began. */
const ClockMemory = v.object({ seenMs: v.number(), doubtedFromMs: v.nullable(v.number()) })
export type ClockMemory = v.InferOutput<typeof ClockMemory>
const StoredClockMemory = v.pipe(v.string(), v.parseJson(), ClockMemory)

/** Returns what to remember of the clock, and the time that is plausible: `nowMs` unless the clock is in doubt. */
function judgeClock(memory: ClockMemory | undefined, nowMs: EpochMs): { memory: ClockMemory; plausibleMs: EpochMs } {
  const trusted = { memory: { seenMs: nowMs, doubtedFromMs: null }, plausibleMs: nowMs }
  if (!memory || nowMs <= memory.seenMs + MAX_AHEAD_MS) return trusted
  const doubtedFromMs = Math.min(memory.doubtedFromMs ?? nowMs, nowMs)
  if (nowMs >= doubtedFromMs + TRUSTED_AFTER_MS) return trusted
  return { memory: { seenMs: memory.seenMs, doubtedFromMs }, plausibleMs: memory.seenMs + MAX_AHEAD_MS }
}

/** Compares the clock with the time of the last job runs, so that a clock that is wrong closes nothing early. */
export class ClockGuard {
  readonly #state: StoredServiceState
  readonly #onDoubt: (seenMs: EpochMs) => void
  #isInDoubt = false

  /** Calls `onDoubt` when a doubt begins, and when the service starts during one. */
  constructor(state: StoredServiceState, onDoubt: (seenMs: EpochMs) => void) {
    this.#state = state
    this.#onDoubt = onDoubt
  }

  /** Returns the time until which auto-close may close for users who show no sign of a later time. */
  async plausibleMs(nowMs: EpochMs): Promise<EpochMs> {
    const text = await this.#state.get(STATE_NAME)
    const stored = text === undefined ? undefined : v.parse(StoredClockMemory, text)
    const { memory, plausibleMs } = judgeClock(stored, nowMs)
    const isSame = stored?.doubtedFromMs === memory.doubtedFromMs
    if (!stored || !isSame || Math.abs(memory.seenMs - stored.seenMs) >= STORE_EVERY_MS) {
      await this.#state.set(STATE_NAME, JSON.stringify(memory))
    }
    const isInDoubt = plausibleMs < nowMs
    if (isInDoubt && !this.#isInDoubt) this.#onDoubt(memory.seenMs)
    this.#isInDoubt = isInDoubt
    return plausibleMs
  }
}
