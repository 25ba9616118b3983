import type { Conflict, RejectedChange, Saldo, Status, SyncError } from '@saldo/client'
import { anAbsence, anAdjustment, aSettingsRow, aWork } from '@saldo/client/testing'
import { contentOf, type WritableKind } from '@saldo/core'
import { expect, test } from 'vitest'
import {
  errorKey,
  fieldErrorText,
  isEverythingSaved,
  isSpoken,
  notificationsOf,
  remedyOf,
  restoreTheirs,
  syncSummaryOf,
} from './sync-status-model.ts'

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
  clockOffsetMs: 0,
  lastError: null,
  divergence: null,
  needsSignIn: false,
  staleSinceMs: null,
  storeError: null,
}
const summary = (changed: Partial<Status>) => syncSummaryOf({ ...calm, ...changed }, NOW_MS)

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

const well = { state: 'waiting', storeError: null } as const

test('an unreachable service differs from a device without a network', () => {
  expect(errorKey({ code: 'unreachable' }, well)).toBe('sync.error.unreachable')
  expect(errorKey({ code: 'unreachable' }, { ...well, state: 'offline' })).toBe('sync.noNetwork')
})

test('a captive portal and a server that is too new have texts of their own', () => {
  expect(errorKey({ code: 'wrongService' }, well)).toBe('ui.failure.wrongService')
  expect(errorKey({ code: 'unknownProtocol' }, well)).toBe('ui.failure.unknownProtocol')
})

test('problems of the service have the app’s own messages, if there are any', () => {
  expect(errorKey({ code: 'unavailable' }, well)).toBe('ui.problem.unavailable')
  expect(errorKey({ code: 'later' } as unknown as SyncError, well)).toBe('sync.error.other')
})

test('a defect names the failure of the store, if it is known', () => {
  expect(errorKey({ code: 'defect' }, well)).toBe('sync.error.defect')
  expect(errorKey({ code: 'defect' }, { ...well, storeError: 'full' })).toBe('ui.failure.store.full')
})

const calls: unknown[] = []
const collection = (name: string) => ({
  create: async (...call: unknown[]) => calls.push([name, ...call]),
  delete: async (...call: unknown[]) => calls.push([name, ...call]),
})
const saldo = {
  entries: collection('entries'),
  settings: collection('settings'),
  balanceAdjustments: collection('balanceAdjustments'),
} as unknown as Saldo
const record = aWork(0, 1)
const conflict = (theirs: object | null, kind = 'entries') =>
  ({ mine: { kind, id: record.id }, theirs: { record: theirs } }) as unknown as Conflict

test('restores the version of the other device, or its deletion', async () => {
  await restoreTheirs(saldo, conflict(record))
  await restoreTheirs(saldo, conflict(null))
  expect(calls.splice(0)).toEqual([
    ['entries', record, { id: record.id }],
    ['entries', record.id],
  ])
})

test('a settings row and an adjustment are restored as what they are', async () => {
  await restoreTheirs(saldo, conflict(null, 'settings_history'))
  await restoreTheirs(saldo, conflict(null, 'balance_adjustments'))
  expect(calls.splice(0)).toEqual([
    ['settings', record.id],
    ['balanceAdjustments', record.id],
  ])
})

const detail = 'is not right'

test('names the field of an error inside a record and inside a push', () => {
  const text = { key: 'sync.rejected.invalidField', field: 'sync.field.tags' }
  expect(fieldErrorText('entries', { pointer: '/tags/3', detail })).toEqual(text)
  expect(fieldErrorText('entries', { pointer: '/record/tags/3', detail })).toEqual(text)
})

test('an adjustment beyond the limit of the account has its own message', () => {
  const beyond = { key: 'sync.rejected.beyondBalance' }
  expect(fieldErrorText('balance_adjustments', { pointer: '/record/delta_ms', detail })).toEqual(beyond)
  expect(fieldErrorText('balance_adjustments', { pointer: '/delta_ms', detail })).toEqual(beyond)
})

test('every field that the app edits has its own name', () => {
  const contents: [WritableKind, object][] = [
    ['entries', contentOf(aWork(0, 1))],
    ['entries', contentOf(anAbsence('sick', '2026-11-20'))],
    ['settings_history', contentOf(aSettingsRow())],
    ['balance_adjustments', contentOf(anAdjustment('2026-11-20', 1))],
  ]
  // Programs that import set these.
  const ofPrograms = ['source', 'import_ref']
  for (const [kind, content] of contents) {
    for (const field of Object.keys(content).filter((name) => !ofPrograms.includes(name))) {
      expect(fieldErrorText(kind, { pointer: `/record/${field}`, detail }), field).toBeDefined()
    }
  }
  expect(fieldErrorText('balance_adjustments', { pointer: '/record/reason', detail })).toEqual({
    key: 'sync.rejected.invalidField',
    field: 'sync.field.reason',
  })
})

test('leaves fields that the app does not know to the service', () => {
  expect(fieldErrorText('entries', { pointer: '/record/mood', detail })).toBeUndefined()
  expect(fieldErrorText('entries', { pointer: '', detail })).toBeUndefined()
})

test('[D27.9] [D27.10] a rejected change is asked for or corrected, and work that runs is stopped first', () => {
  const start = NOW_MS - 3_600_000
  const remedies = (code: string) =>
    [
      aWork(start, NOW_MS),
      aWork(start, null),
      anAbsence('sick', '2026-11-20'),
      anAdjustment('2026-11-20', 1),
      null,
    ].map((record) => {
      const content = record && contentOf(record as never)
      return remedyOf({ change: { content }, problem: { code } } as unknown as RejectedChange)
    })
  for (const code of ['locked', 'managed', 'approval_needed']) {
    expect(remedies(code)).toEqual(['ask', 'correct', 'ask', 'ask', 'ask'])
  }
  expect(remedies('quota_exceeded')).toEqual([...Array(4).fill('correct'), undefined])
})
