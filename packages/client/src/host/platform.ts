import type { Random } from '@saldo/core'
import { wakeWorkerLater } from './background-sync.ts'
import type { DeviceClock } from './clock.ts'
import { alwaysThere, pageSurroundings, type Surroundings } from './environment.ts'
import { onlyTab, type Tabs, webTabs } from './tabs.ts'

/** The computer's clock. */
export const systemClock: DeviceClock = {
  now: () => Date.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
}

/** The computer's cryptographic chance; it is there on pages without TLS too, where `randomUUID` is not. */
export const systemRandom: Random & { fraction(): number } = {
  uuid() {
    const bytes = crypto.getRandomValues(new Uint8Array(16))
    // Version 4, variant 1 (RFC 9562 §5.4).
    bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40
    bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  },
  token(bytes) {
    const text = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes)))
    return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  },
  fraction: () => Math.random(),
}

/** The address that a page or a worker came from. Throws where there is none, as in Node. */
export function ownAddress(): string {
  const { location } = globalThis as { location?: Location }
  if (!location) throw new TypeError('outside a browser, tell the service’s address')
  return location.origin
}

/** This program among the tabs of a browser; by itself where there are none, or the page may not find the others. */
export function systemTabs(user: number, clock: DeviceClock, random: Random): Tabs {
  const isBrowser = 'location' in globalThis
  const locks = (globalThis.navigator as Partial<Navigator> | undefined)?.locks
  if (!isBrowser || !locks) return onlyTab(random)
  const open = (name: string) => new BroadcastChannel(name)
  return webTabs({ name: `saldo-${user}`, random, clock, locks, open })
}

/** The page that this program runs in, if there is one. */
export function systemSurroundings(user: number): Surroundings {
  const { document, window } = globalThis as { document?: Document; window?: Window }
  if (!document || !window) return alwaysThere
  // Pages without TLS have no service workers.
  const workers = (window.navigator as Partial<Navigator>).serviceWorker
  return pageSurroundings(document, window, () => void wakeWorkerLater(user, workers))
}
