import type { Clock, DurationMs, EpochMs } from '@saldo/core'
import { createContext, type ReactNode, useCallback, useContext, useSyncExternalStore } from 'react'
import { browserClock } from './browser-clock.ts'

const ClockContext = createContext<Clock>(browserClock)

export function ClockProvider({ clock, children }: { clock: Clock; children: ReactNode }) {
  return <ClockContext value={clock}>{children}</ClockContext>
}

/** Now, for what happens at a click. What is shown uses `useNow`. */
export function useClock(): Clock {
  return useContext(ClockContext)
}

/** The last full second or minute; the component is drawn anew with each. */
export function useNow(everyMs: DurationMs): EpochMs {
  const clock = useClock()
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
    [clock, everyMs],
  )
  return useSyncExternalStore(subscribe, () => Math.floor(clock.now() / everyMs) * everyMs)
}
