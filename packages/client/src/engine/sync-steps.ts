import { itemAt, MINUTE_MS, type Problem } from '@saldo/core'
import type { Meta, OutboxRow } from '../store/rows.ts'
import { backoffMs } from './backoff.ts'
import { FULL_BATCH, narrowBatch, widenBatch } from './batch.ts'
import { checkDigests } from './check-digests.ts'
import { coldStart } from './cold-start.ts'
import type { SyncError } from './errors.ts'
import { pullOnce } from './pull.ts'
import { pushOnce } from './push.ts'
import type { FailedResponse, SyncContext } from './requests.ts'
import { keepRejected, settleRow } from './settle.ts'
import type { BusyPhase, SyncEvent } from './sync-state.ts'

/** The number of cold starts in a row that may lead to another one, and the delay before the next (D7.34). */
const MAX_COLD_STARTS = 3
const COLD_STARTS_FAILED_MS = 5 * MINUTE_MS

/** The shortest time between two attempts because of mutations (D7.57). */
const MUTATION_INTERVAL_MS = 5_000

/** The failed attempts in a row. */
interface Failures {
  count: number
  /** The delay that the service asked for. */
  retryAfterMs: number
  lastError: SyncError | null
}
const NO_FAILURES: Failures = { count: 0, retryAfterMs: 0, lastError: null }

/** Runs the steps of a sync, one request each, and remembers what the next step needs from the last one. */
export class SyncSteps {
  readonly #context: SyncContext
  #failures = NO_FAILURES
  #batchLimit = FULL_BATCH
  /** When the last step began. */
  #stepBeganAtMs = Number.NEGATIVE_INFINITY
  /** The cold starts since the last complete pull. */
  #coldStarts = 0
  /** The meta row, while the next step follows at once: a pull need not read again what an empty push has read. */
  #meta: Meta | undefined

  constructor(context: SyncContext) {
    this.#context = context
  }

  get lastError(): SyncError | null {
    return this.#failures.lastError
  }

  /** Returns the delay before the next attempt; `fraction` is a random number in [0, 1). */
  backoffMs(fraction: number): number {
    const { count, retryAfterMs } = this.#failures
    return backoffMs(count, fraction, retryAfterMs)
  }

  /** Returns the delay before the next attempt if something waits to be sent; the clock may have been set back. */
  briefDelayMs(): number {
    const sinceStepMs = Math.max(0, this.#context.now() - this.#stepBeganAtMs)
    return Math.max(0, MUTATION_INTERVAL_MS - sinceStepMs)
  }

  /** Runs the step of a phase. Resolves to the event that it leads to. */
  async run(phase: BusyPhase): Promise<SyncEvent> {
    this.#stepBeganAtMs = this.#context.now()
    const meta = this.#meta
    this.#meta = undefined
    try {
      if (phase === 'pushing') return await this.#push()
      if (phase === 'pulling') return await this.#pull(meta)
      return await this.#coldStart()
    } catch (error) {
      // Most often the store failed, for example on a full disk; the status shows anything else too.
      return this.#fail({ code: 'defect', detail: String(error) })
    }
  }

  /** Keeps an error that nobody else handles as the last error. */
  noteDefect(error: unknown): void {
    this.#failures = { ...this.#failures, lastError: { code: 'defect', detail: String(error) } }
  }

  async #push(): Promise<SyncEvent> {
    const pushed = await pushOnce(this.#context, this.#batchLimit)
    switch (pushed.outcome) {
      case 'sent':
        this.#batchLimit = widenBatch(this.#batchLimit, this.#context.now() - this.#stepBeganAtMs)
        return 'pushedSome'
      case 'nothingToSend':
        this.#batchLimit = FULL_BATCH
        this.#meta = pushed.meta
        return 'pushedAll'
      case 'historyReset':
        return 'historyReset'
      case 'overtaken':
        // Two tabs that kept overtaking each other would never stop without a wait.
        return this.#fail(null)
      case 'batchRejected':
        await this.#narrowBatch(pushed, true)
        return 'pushedSome'
      case 'serviceFailed':
        await this.#narrowBatch(pushed, false)
        return this.#fail(pushed.problem, pushed.retryAfterMs)
      default:
        // It may have been too large for the network.
        this.#batchLimit = { ...this.#batchLimit, maxBytes: FULL_BATCH.maxBytes }
        return this.#failRequest(pushed)
    }
  }

  async #pull(meta: Meta | undefined): Promise<SyncEvent> {
    const pulled = await pullOnce(this.#context, meta)
    switch (pulled.outcome) {
      case 'pulledPage':
        return 'pulledSome'
      case 'snapshotNeeded':
      case 'historyReset':
        return pulled.outcome
      case 'pulledAll': {
        const isAfterColdStart = this.#coldStarts > 0
        this.#failures = NO_FAILURES
        this.#coldStarts = 0
        const isColdStartDue = await checkDigests(this.#context, pulled.meta, isAfterColdStart)
        return isColdStartDue ? 'snapshotNeeded' : 'pulledAll'
      }
      default:
        return this.#failRequest(pulled)
    }
  }

  async #coldStart(): Promise<SyncEvent> {
    if (this.#coldStarts === MAX_COLD_STARTS) {
      this.#coldStarts = 0
      return this.#fail({ code: 'coldStartsFailed' }, COLD_STARTS_FAILED_MS)
    }
    const started = await coldStart(this.#context)
    switch (started.outcome) {
      case 'coldStarted':
      case 'historyReset':
        this.#coldStarts += 1
        return started.outcome
      default:
        return this.#failRequest(started)
    }
  }

  /** Makes the next batch smaller. A change that was alone becomes a rejected change. */
  async #narrowBatch(
    { batch, problem }: { batch: readonly OutboxRow[]; problem: Problem },
    isRejected: boolean,
  ): Promise<void> {
    const { store, now } = this.#context
    const next = narrowBatch(this.#batchLimit, batch.length, isRejected)
    this.#batchLimit = next.outcome === 'retry' ? next.limit : FULL_BATCH
    if (next.outcome === 'retry') return
    const culprit = itemAt(batch, 0)
    await store.write(async (tables) => {
      const settlement = await settleRow(tables, culprit, { outcome: 'rejected', problem }, now())
      await keepRejected(tables, [settlement], now())
    })
  }

  #failRequest(failure: FailedResponse): SyncEvent {
    if (failure.outcome === 'unauthenticated') return 'unauthenticated'
    if (failure.outcome === 'rejected') return this.#fail(failure.problem)
    const { problem, failure: { code, detail } = { code: 'unreachable' as const }, retryAfterMs } = failure
    return this.#fail(problem ?? { code, ...(detail !== undefined && { detail }) }, retryAfterMs)
  }

  #fail(lastError: SyncError | null, retryAfterMs = 0): SyncEvent {
    this.#failures = { count: this.#failures.count + 1, retryAfterMs, lastError }
    return 'failed'
  }
}
