import { MINUTE_MS } from '@saldo/core'
import type { DeviceClock } from '../host/clock.ts'
import type { Surroundings } from '../host/environment.ts'
import type { LocalStore } from '../store/store.ts'

/** The wait before the first poll, in milliseconds. */
const FIRST_MS = 30_000
/** The longest wait, in milliseconds, and the one where the service tells of news by itself. */
const LONGEST_MS = 5 * MINUTE_MS

/** How long to wait before the next poll, in milliseconds, after so many polls that brought nothing. */
export function pollMs(quiet: number, isLive: boolean): number {
  return isLive ? LONGEST_MS : Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(quiet, 10))
}

export interface PollingOptions {
  clock: DeviceClock
  store: LocalStore
  surroundings: Surroundings
  isLive: () => boolean
  poll: () => void
}

/** Calls `poll` from time to time while somebody looks, less often while nothing is new. Returns what ends that. */
export function startPolling({ clock, store, surroundings, isLive, poll }: PollingOptions): () => void {
  let quiet = 0
  let stopWaiting = () => {}
  const wait = () => {
    stopWaiting()
    if (!surroundings.isVisible()) return
    stopWaiting = clock.after(pollMs(quiet, isLive()), () => {
      quiet += 1
      poll()
      wait()
    })
  }
  const ends = [
    surroundings.subscribe(wait),
    store.subscribe((changed) => {
      if (quiet === 0 || !(changed.has('held') || changed.has('outbox'))) return
      quiet = 0
      wait()
    }),
  ]
  wait()
  return () => {
    stopWaiting()
    for (const end of ends) end()
  }
}
