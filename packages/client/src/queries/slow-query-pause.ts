import type { DurationMs } from '@saldo/core'
import type { LocalStore } from '../store/store.ts'

/** Waits after a query that took some time, before it runs again. */
export type Pause = (tookMs: DurationMs) => Promise<void>

const SLOW_MS = 50
/** The number of unsent changes from which on slow queries pause. */
const BULK_OUTBOX_ROWS = 1_000
const QUIET_MS = 500
const MAX_PAUSE_MS = 10_000
/** On a slow device a pause is longer, so that a query takes a tenth of the time at most. */
const MAX_PAUSE_PER_QUERY_TIME = 9

/**
 * Lets slow queries pause while many changes wait and the store keeps changing, as during an import: each push alters
 * their results, and a query that reads thousands of changes holds the next push up. The queries of a store go on
 * together, so that they share what they read.
 */
export function pauseDuringBulkPush(store: Pick<LocalStore, 'read' | 'subscribe'>): Pause {
  let pause: Promise<void> | undefined
  return async (tookMs) => {
    if (tookMs <= SLOW_MS) return
    const unsent = await store.read((tables) => tables.outbox.count()).catch(() => 0)
    if (unsent < BULK_OUTBOX_ROWS) return
    pause ??= untilQuiet(store, Math.max(MAX_PAUSE_MS, tookMs * MAX_PAUSE_PER_QUERY_TIME)).finally(() => {
      pause = undefined
    })
    await pause
  }
}

/** Resolves after a moment in which the store did not change, or after `maxMs`. */
async function untilQuiet(store: Pick<LocalStore, 'subscribe'>, maxMs: DurationMs): Promise<void> {
  const untilMs = performance.now() + maxMs
  let isQuiet = false
  const end = store.subscribe(() => {
    isQuiet = false
  })
  while (!isQuiet && performance.now() < untilMs) {
    isQuiet = true
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
  }
  end()
}
