import { DAY_MS, instantOf } from '@saldo/core'
import { expect, test } from 'vitest'
import { expiryKeyOf, expiryOf } from './token-validity.ts'

const nowMs = Date.parse('2026-11-20T12:00:00Z')

test('a token expires after its days, or never', () => {
  expect(expiryOf(30, nowMs)).toBe('2026-12-20T12:00:00.000Z')
  expect(expiryOf('never', nowMs)).toBeNull()
})

test('a token has expired from that moment on', () => {
  expect(expiryKeyOf(instantOf(nowMs + DAY_MS), nowMs)).toBe('expires')
  expect(expiryKeyOf(instantOf(nowMs), nowMs)).toBe('expired')
})
