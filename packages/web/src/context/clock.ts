import { type Clock, DAY_MS, type DurationMs, type EpochMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '@saldo/core'
import { useCallback, useSyncExternalStore } from 'react'

/** From this difference to the service on, the clock of the device is wrong. */
const WRONG_FROM_MS = 5 * MINUTE_MS

let correctionMs: DurationMs = 0
const listeners = new Set<() => void>()

/**
 * The time for event handlers: by the clock of the browser, or by that of the service if the browser's is wrong.
 * Components that show the time use `useNow`.
 */
export const clock: Clock = { now: () => Date.now() + correctionMs }

/** Returns the correction of a clock: nothing unless the service's is five minutes ahead of it, or behind. */
export function correctionFor(offsetMs: DurationMs): DurationMs {
  return Math.abs(offsetMs) < WRONG_FROM_MS ? 0 : offsetMs
}

/**
 * Returns how far a clock is off, rounded to the unit in which it is shown: days from two days on, hours from one hour
 * on, or minutes. A response takes a moment, so that three hours are measured as a little less.
 */
export function saidOffsetMs(offsetMs: DurationMs): DurationMs {
  const steps = [
    { fromMs: 0, unitMs: MINUTE_MS },
    { fromMs: HOUR_MS, unitMs: HOUR_MS },
    { fromMs: 2 * DAY_MS, unitMs: DAY_MS },
  ]
  return steps.reduce(
    (ms, { fromMs, unitMs }) => (ms < fromMs ? ms : Math.round(ms / unitMs) * unitMs),
    Math.abs(offsetMs),
  )
}

/** Corrects the clock of the whole app, by how far the service's is ahead of the browser's. */
export function correctClock(offsetMs: DurationMs): void {
  const wantedMs = correctionFor(offsetMs)
  // Each response measures another offset, by the time that it took.
  if (Math.abs(wantedMs - correctionMs) < SECOND_MS) return
  correctionMs = wantedMs
  for (const listener of listeners) listener()
}

/** Returns an instant by the corrected clock, which the client noted by the browser's. */
export function correctedMs(deviceMs: EpochMs): EpochMs {
  return deviceMs + correctionMs
}

/** Returns the time as `useNow` does, by the browser's clock: for the ages of what the client noted by that. */
export function useDeviceNow(everyMs: DurationMs): EpochMs {
  return useNow(everyMs) - correctionMs
}

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
      listeners.add(tick)
      // Timers sleep in a hidden tab.
      document.addEventListener('visibilitychange', tick)
      return () => {
        clearTimeout(timer)
        listeners.delete(tick)
        document.removeEventListener('visibilitychange', tick)
      }
    },
    [everyMs],
  )
  return useSyncExternalStore(subscribe, () => Math.floor(clock.now() / everyMs) * everyMs)
}
