import type { EpochMs } from '@saldo/core'

/** A clock with timers. */
export interface DeviceClock {
  now(): EpochMs
  /** Calls `work` once after `ms` milliseconds. Returns a function that cancels the call. */
  after(ms: number, work: () => void): () => void
}

export type HostEvent = 'online' | 'offline' | 'visible' | 'hidden' | 'frozen' | 'resumed'

/** The host environment of a program: its network and its visibility. */
export interface HostEnvironment {
  /** False only if there is certainly no network. */
  isOnline(): boolean
  isVisible(): boolean
  /** Asks the browser to start a background sync when there is a network, even if the page is closed by then. */
  requestBackgroundSync(): void
  /** Returns a function that ends the subscription. */
  subscribe(listener: (event: HostEvent) => void): () => void
}

/** A program without a page: always visible, and online as far as it knows. */
export const headlessEnvironment: HostEnvironment = {
  isOnline: () => true,
  isVisible: () => true,
  requestBackgroundSync() {},
  subscribe: () => () => {},
}

/** Returns the environment of a browser's page. */
export function pageEnvironment(page: Document, window: Window, requestBackgroundSync: () => void): HostEnvironment {
  return {
    isOnline: () => window.navigator.onLine,
    isVisible: () => page.visibilityState === 'visible',
    requestBackgroundSync,
    subscribe(listener) {
      const ended = new AbortController()
      const on = (target: EventTarget, type: string, eventOf: () => HostEvent) =>
        target.addEventListener(type, () => listener(eventOf()), { signal: ended.signal })
      on(window, 'online', () => 'online')
      on(window, 'offline', () => 'offline')
      on(page, 'visibilitychange', () => page.visibilityState)
      on(page, 'freeze', () => 'frozen')
      on(page, 'resume', () => 'resumed')
      return () => ended.abort()
    },
  }
}
