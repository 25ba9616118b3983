import type { SyncError } from '@saldo/client'
import { expect, test } from 'vitest'
import { errorKey } from './error-key.ts'

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
