import { expect, test } from 'vitest'
import type { SyncEngine } from '../engine/sync-engine.ts'
import type { Phase } from '../engine/sync-state.ts'
import type { LocalStore } from '../store/store.ts'
import { readStatus } from './status.ts'

test.each<[Phase, { online: boolean; syncing: boolean; isStale: boolean; needsSignIn: boolean }]>([
  ['stopped', { online: true, syncing: false, isStale: false, needsSignIn: false }],
  ['following', { online: true, syncing: false, isStale: false, needsSignIn: false }],
  ['idle', { online: true, syncing: false, isStale: false, needsSignIn: false }],
  ['pushing', { online: true, syncing: true, isStale: false, needsSignIn: false }],
  ['pulling', { online: true, syncing: true, isStale: false, needsSignIn: false }],
  ['coldStarting', { online: true, syncing: true, isStale: false, needsSignIn: false }],
  ['waiting', { online: false, syncing: false, isStale: true, needsSignIn: false }],
  ['offline', { online: false, syncing: false, isStale: true, needsSignIn: false }],
  ['signInNeeded', { online: true, syncing: false, isStale: true, needsSignIn: true }],
])('[D7.56] what the status tells of a device that is %s', async (phase, { isStale, ...told }) => {
  const engine = { activity: () => ({ phase, lastError: null, isLive: true }) } as SyncEngine
  const stored = { lastSuccessMs: 7 }
  const store = { read: async () => stored, error: () => undefined } as unknown as LocalStore
  const status = await readStatus(engine, store)
  expect(status).toMatchObject({ ...told, live: true, staleSinceMs: isStale ? 7 : null, lastSuccessMs: 7 })
})
