import { MINUTE_MS } from '@saldo/core'
import type { DeviceClock, HostEnvironment } from '../host/environment.ts'
import type { LocalStore } from '../store/store.ts'

const FIRST_MS = 30_000
/** The longest delay, and the delay while change notifications arrive. */
const LONGEST_MS = 5 * MINUTE_MS

/** Returns the delay before the next poll, in milliseconds, after `quietPolls` polls in a row that brought nothing. */
export function pollDelayMs(quietPolls: number, isConnected: boolean): number {
  return isConnected ? LONGEST_MS : Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(quietPolls, 10))
}

export interface PollingOptions {
  clock: DeviceClock
  store: LocalStore
  environment: HostEnvironment
  isConnected: () => boolean
  poll: () => void
}

/** Calls `poll` while the page is visible, less often while nothing is new. Returns a stop function. */
export function startPolling({ clock, store, environment, isConnected, poll }: PollingOptions): () => void {
  let quietPolls = 0
  let cancel = () => {}
  const startTimer = () => {
    cancel()
    if (!environment.isVisible()) return
    cancel = clock.after(pollDelayMs(quietPolls, isConnected()), () => {
      quietPolls += 1
      poll()
      startTimer()
    })
  }
  const ends = [
    environment.subscribe(startTimer),
    store.subscribe((changed) => {
      if (quietPolls === 0 || !(changed.has('baseRecords') || changed.has('outbox'))) return
      quietPolls = 0
      startTimer()
    }),
  ]
  startTimer()
  return () => {
    cancel()
    for (const end of ends) end()
  }
}
