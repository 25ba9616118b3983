/** What can happen around a device. */
export type Surrounding = 'online' | 'offline' | 'visible' | 'hidden' | 'frozen' | 'resumed'

/** Where a device is: whether there may be a network, whether anybody looks. */
export interface Surroundings {
  /** False where there is certainly no network. */
  isOnline(): boolean
  isVisible(): boolean
  /** Asks to be woken when there is a network, even if nobody is here by then. */
  wakeLater(): void
  /** Returns what ends it. */
  subscribe(listener: (what: Surrounding) => void): () => void
}

/** A program that is always there, and finds out by itself whether there is a network. */
export const alwaysThere: Surroundings = {
  isOnline: () => true,
  isVisible: () => true,
  wakeLater() {},
  subscribe: () => () => {},
}

/** The page of a browser. */
export function pageSurroundings(page: Document, window: Window, wakeLater: () => void): Surroundings {
  return {
    isOnline: () => window.navigator.onLine,
    isVisible: () => page.visibilityState === 'visible',
    wakeLater,
    subscribe(listener) {
      const ended = new AbortController()
      const on = (target: EventTarget, type: string, what: () => Surrounding) =>
        target.addEventListener(type, () => listener(what()), { signal: ended.signal })
      on(window, 'online', () => 'online')
      on(window, 'offline', () => 'offline')
      on(page, 'visibilitychange', () => page.visibilityState)
      on(page, 'freeze', () => 'frozen')
      on(page, 'resume', () => 'resumed')
      return () => ended.abort()
    },
  }
}
