/// <reference lib="webworker" />
import { syncInBackground, userOfSync } from '@saldo/client'
import { dexieStore, hasDexieDatabase } from '@saldo/client/dexie'
import type { UserNumber } from '@saldo/core'
import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from 'workbox-precaching'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: Parameters<typeof precacheAndRoute>[0] }

/** The Background Sync API, which the DOM's types lack. */
interface SyncEvent extends ExtendableEvent {
  tag: string
}

/** An `install` event with the Static Routing API, which the DOM's types and some browsers lack. */
interface RoutingEvent extends ExtendableEvent {
  addRoutes?: (rule: { condition: { urlPattern: { pathname: string } }; source: 'network' }) => Promise<void>
}

const PAGE = '/index.html'

// Requests to the service bypass the worker: if it starts again for each, a newer version takes over late. A browser
// that refuses the rule still installs the app.
self.addEventListener('install', (event: RoutingEvent) => {
  void event.addRoutes?.({ condition: { urlPattern: { pathname: '/api/*' } }, source: 'network' })
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const isOfService = new URL(request.url).pathname.startsWith('/api/')
  if (request.mode !== 'navigate' || isOfService) return
  event.respondWith(matchPrecache(PAGE).then((page) => page ?? fetch(request)))
})
precacheAndRoute(self.__WB_MANIFEST)
cleanupOutdatedCaches()

// The page asks for this once the person agrees: an update never takes over by itself.
self.addEventListener('message', ({ data }) => {
  if ((data as { type?: string } | null)?.type === 'SKIP_WAITING') void self.skipWaiting()
})

// A reminder leads to the app.
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(showApp())
})

async function showApp(): Promise<unknown> {
  const [open] = await self.clients.matchAll({ type: 'window' })
  return open ? open.focus() : self.clients.openWindow('/')
}

self.addEventListener('sync', (event) => {
  const user = userOfSync(event as SyncEvent)
  if (user !== undefined) (event as SyncEvent).waitUntil(syncHere(user))
})

/** Sends what a user's database has. A tag outlives it, and must not bring back what was removed from this device. */
async function syncHere(user: UserNumber): Promise<void> {
  if (await hasDexieDatabase(user)) await syncInBackground({ user, store: dexieStore() })
}
