import type { Status } from '@saldo/client'
import { expect, test } from 'vitest'
import { isEverythingSaved, isSpoken, notificationsOf, summaryOf } from './sync-summary.ts'

const NOW_MS = Date.parse('2026-11-21T12:00:00Z')
const calm: Status = {
  state: 'idle',
  online: true,
  syncing: false,
  live: true,
  unsent: 0,
  oldestUnsentAtMs: null,
  rejected: 0,
  conflicts: 0,
  unreadable: 0,
  lastSuccessMs: NOW_MS - 1_000,
  lastError: null,
  divergence: null,
  needsSignIn: false,
  staleSinceMs: null,
  storeError: null,
}
const summary = (changed: Partial<Status>) => summaryOf({ ...calm, ...changed }, NOW_MS)

test('says «saved» only of what the service has', () => {
  expect(summary({})).toEqual({ kind: 'saved' })
  expect(summary({ lastSuccessMs: null })).toEqual({ kind: 'fetching' })
  expect(summary({ unsent: 1, syncing: true, state: 'pushing' })).toEqual({ kind: 'sending', count: 1 })
})

test('says how long unsent changes have been waiting', () => {
  const waiting = { unsent: 3, online: false, oldestUnsentAtMs: NOW_MS - 7_200_000 }
  expect(summary(waiting)).toEqual({ kind: 'waiting', count: 3, ageMs: 7_200_000 })
  expect(summary({ online: false })).toEqual({ kind: 'offline', ageMs: 1_000 })
})

test('a sync without unsent changes, or one that is not under way, sends nothing', () => {
  expect(summary({ unsent: 0, syncing: true, state: 'pulling' })).toEqual({ kind: 'saved' })
  expect(summary({ unsent: null })).toEqual({ kind: 'saved' })
  expect(summary({ rejected: null, conflicts: null, unreadable: null })).toEqual({ kind: 'saved' })
  const waiting = { unsent: 1, syncing: false, oldestUnsentAtMs: NOW_MS + 5_000 }
  expect(summary(waiting)).toEqual({ kind: 'waiting', count: 1, ageMs: 0 })
})

test('is not offline if the service responded, but not up to date either', () => {
  const failed = { state: 'waiting', lastError: { code: 'internal' } } as const
  expect(summary(failed)).toEqual({ kind: 'stale', ageMs: 1_000 })
  expect(summary({ ...failed, lastSuccessMs: null })).toEqual({ kind: 'stale', ageMs: null })
})

test('puts first what the user has to act on', () => {
  const all = { rejected: 1, conflicts: 2, needsSignIn: true, unsent: 4 }
  expect(summary({ ...all, storeError: 'full' })).toEqual({ kind: 'trouble', trouble: 'full' })
  expect(summary(all)).toEqual({ kind: 'signIn', count: 4 })
  expect(summary({ unreadable: 1 })).toEqual({ kind: 'attention', count: 1 })
  expect(summary({ ...all, needsSignIn: false })).toEqual({ kind: 'attention', count: 3 })
  expect(summary({ state: 'waiting', lastError: { code: 'coldStartsFailed' } })).toEqual({
    kind: 'attention',
    count: 1,
  })
})

test('a screen reader interrupts for what is urgent, and without a connection', () => {
  expect([isSpoken('attention', true), isSpoken('offline', false), isSpoken('stale', false)]).toEqual([
    true,
    true,
    true,
  ])
  expect([isSpoken('saved', false), isSpoken('sending', false)]).toEqual([false, false])
})

test('changes arrive live or are polled, and not at all without a network or a session', () => {
  expect(notificationsOf({ online: true, needsSignIn: false, live: true })).toBe('live')
  expect(notificationsOf({ online: true, needsSignIn: false, live: false })).toBe('polled')
  expect(notificationsOf({ online: false, needsSignIn: false, live: true })).toBe('none')
  expect(notificationsOf({ online: true, needsSignIn: true, live: true })).toBe('none')
})

test('everything is saved if no change is unsent, rejected or lost', () => {
  const nothing = { unsent: 0, rejected: 0, conflicts: 0 }
  expect(isEverythingSaved(nothing)).toBe(true)
  expect(isEverythingSaved({ ...nothing, unsent: 1 })).toBe(false)
  expect(isEverythingSaved({ ...nothing, rejected: 1 })).toBe(false)
  expect(isEverythingSaved({ ...nothing, conflicts: 1 })).toBe(false)
  expect([isEverythingSaved({ ...nothing, unsent: null }), isEverythingSaved(undefined)]).toEqual([false, false])
})
