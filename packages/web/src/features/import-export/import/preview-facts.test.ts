import { HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { factsOf } from './preview-facts.ts'

const preview = {
  entries: 4,
  settings: 2,
  adjustments: 1,
  covered_ms: 10 * HOUR_MS,
  overlapping_ms: 3 * HOUR_MS,
  first: '2026-01-01',
  account_from: '2026-01-01',
  weeks: [{ isClosed: true }, { isClosed: false }, { isClosed: true }],
} as const

test('an import adds entries, settings and adjustments, and counts no time twice', () => {
  expect(factsOf(preview)).toEqual({
    recordCount: 7,
    countedMs: 7 * HOUR_MS,
    isBeforeAccount: false,
    closedCount: 2,
  })
})

test('an import says if it has entries before the account, or without one', () => {
  expect(factsOf({ ...preview, account_from: '2026-01-02' }).isBeforeAccount).toBe(true)
  expect(factsOf({ ...preview, account_from: null }).isBeforeAccount).toBe(true)
  expect(factsOf({ ...preview, first: null, account_from: null }).isBeforeAccount).toBe(false)
})
