import type { Clock, DurationMs, EpochMs } from '@saldo/core'
import { useCallback, useSyncExternalStore } from 'react'

/** The browser's clock, for event handlers. Components that show the time use `useNow`. */
export const clock: Clock = { now: () => Date.now() }

/** Returns the time at the last full `everyMs`, such as a second or minute; renders again at each. */
export function useNow(everyMs: DurationMs): EpochMs {
  const subscribe = useCallback(
    (tick: () => void) => {
      let timer: ReturnType<typeof setTimeout>
      const wait = () => {
        timer = setTimeout(
          () => {
            tick()
            wait()
          },
          everyMs - (clock.now() % everyMs),
        )
      }
      wait()
      // Timers sleep in a hidden tab.
      document.addEventListener('visibilitychange', tick)
      return () => {
        clearTimeout(timer)
        document.removeEventListener('visibilitychange', tick)
      }
    },
    [everyMs],
  )
  return useSyncExternalStore(subscribe, () => Math.floor(clock.now() / everyMs) * everyMs)
}
