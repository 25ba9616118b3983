import type { SyncError } from '@saldo/client'
import { expect, test } from 'vitest'
import { errorKey } from './error-key.ts'

const well = { state: 'waiting', storeError: null } as const

test('a service that says nothing is told from a device without a network', () => {
  expect(errorKey({ code: 'unreachable' }, well)).toBe('sync.error.unreachable')
  expect(errorKey({ code: 'unreachable' }, { ...well, state: 'offline' })).toBe('sync.noNetwork')
})

test('what the service says comes in the app’s words, where it has any', () => {
  expect(errorKey({ code: 'unavailable' }, well)).toBe('ui.problem.unavailable')
  expect(errorKey({ code: 'later' } as unknown as SyncError, well)).toBe('sync.error.other')
})

test('a device that failed says what keeps its store from working, where that is known', () => {
  expect(errorKey({ code: 'defect' }, well)).toBe('sync.error.defect')
  expect(errorKey({ code: 'defect' }, { ...well, storeError: 'full' })).toBe('ui.failure.store.full')
})
