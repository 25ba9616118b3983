import type { Random, RecordId, UserNumber } from '@saldo/core'
import { type DeviceClock, type HostEnvironment, headlessEnvironment, pageEnvironment } from './environment.ts'
import { loneTab, type Tabs, WebTabs } from './tabs.ts'

/** The clock of this computer. */
export const systemClock: DeviceClock = {
  now: () => Date.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
}

/** The cryptographic random source of this computer. Pages without TLS have it too, but not `randomUUID`. */
export const systemRandom: Random & { fraction(): number } = {
  uuid() {
    const bytes = crypto.getRandomValues(new Uint8Array(16))
    // Version 4, variant 1 (RFC 9562 §5.4).
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') as RecordId
  },
  token(bytes) {
    const text = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes)))
    return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  },
  fraction: () => Math.random(),
}

/** Returns the origin of the page or worker. Throws outside a browser. */
export function ownAddress(): string {
  if (typeof location === 'undefined')
    throw new TypeError('outside a browser, pass the address of the service as `url`')
  return location.origin
}

/** Returns the tabs of this browser; a lone tab outside a browser, or if the page has no Web Locks. */
export function systemTabs(user: UserNumber, clock: DeviceClock, random: Random): Tabs {
  const isBrowser = 'location' in globalThis
  const locks = (globalThis.navigator as Partial<Navigator> | undefined)?.locks
  if (!isBrowser || !locks) return loneTab(random)
  const open = (name: string) => new BroadcastChannel(name)
  return new WebTabs({ name: `saldo-${user}`, random, clock, locks, open })
}

/** Returns the environment of the page that this program runs in, if there is one. */
export function systemEnvironment(user: UserNumber): HostEnvironment {
  const { document, window } = globalThis as { document?: Document; window?: Window }
  if (!document || !window) return headlessEnvironment
  // Pages without TLS have no service workers.
  const workers = (window.navigator as Partial<Navigator>).serviceWorker
  return pageEnvironment(document, window, () => void registerBackgroundSync(user, workers))
}

/** The prefix of Background Sync tags; the user's number follows. */
export const SYNC_TAG_PREFIX = 'saldo-sync-'

/** A service worker's registration; not every browser has Background Sync. */
interface Registration {
  sync?: { register(tag: string): Promise<void> }
}

/** Asks the browser to wake its service worker when there is a network, to send the changes of a user. */
async function registerBackgroundSync(user: number, workers: ServiceWorkerContainer | undefined): Promise<void> {
  const registration = (await workers?.ready) as Registration | undefined
  // If the browser forbids it, the changes are sent when the app is opened again.
  await registration?.sync?.register(`${SYNC_TAG_PREFIX}${user}`).catch(() => {})
}
