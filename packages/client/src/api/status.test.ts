import { expect, test } from 'vitest'
import type { SyncError } from '../engine/errors.ts'
import type { SyncEngine } from '../engine/sync-engine.ts'
import type { Phase } from '../engine/sync-state.ts'
import type { LocalStore } from '../store/store.ts'
import { readStatus } from './status.ts'

function statusOf(phase: Phase, lastError: SyncError) {
  const engine = { activity: () => ({ phase, lastError, isConnected: true }) } as SyncEngine
  const stored = { lastSuccessMs: 7 }
  const store = { read: async () => stored, error: () => undefined } as unknown as LocalStore
  return readStatus(engine, store)
}

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
  const status = await statusOf(phase, { code: 'unreachable' })
  expect(status).toMatchObject({ ...told, live: true, staleSinceMs: isStale ? 7 : null, lastSuccessMs: 7 })
})

test.each(['forbidden', 'internal', 'coldStartsFailed', 'defect'] as const)(
  '[D7.56] a device that waits after the error %s is not offline: the service was reached, or not the fault',
  async (code) => {
    expect(await statusOf('waiting', { code })).toMatchObject({ online: true, staleSinceMs: 7 })
    expect(await statusOf('offline', { code })).toMatchObject({ online: false })
  },
)
