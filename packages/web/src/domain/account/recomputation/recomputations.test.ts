import type { Cause } from '@saldo/core'
import { expect, test } from 'vitest'
import { causeKey, historyOf } from './recomputations.ts'

const cause: Cause = { kind: 'entries', id: '00000000-0000-4000-8000-000000000001', op: 'upsert', date: '2026-03-12' }
const revision = (number: number, delta_ms: number) => ({
  revision: number,
  at: '2026-03-20T00:00:00.000Z' as const,
  delta_ms,
  cause,
})

test('the steps of a recomputation add up to its delta', () => {
  const { firstMs, recomputations } = historyOf({
    delta_ms: 5,
    revisions: [revision(1, 10), revision(2, 2), revision(3, 5)],
  })
  expect(firstMs).toBe(10)
  expect(recomputations.map(({ revision: number, changeMs }) => [number, changeMs])).toEqual([
    [2, -8],
    [3, 3],
  ])
  expect(recomputations[0]).toEqual({ revision: 2, atMs: Date.parse('2026-03-20'), changeMs: -8, cause })
})

test('a week that was never recomputed has its delta and no steps', () => {
  expect(historyOf({ delta_ms: 5, revisions: [] })).toEqual({ firstMs: 5, recomputations: [] })
  expect(historyOf({ delta_ms: 5, revisions: [revision(1, 5)] })).toEqual({ firstMs: 5, recomputations: [] })
})

test('each cause has a text', () => {
  expect(causeKey(cause)).toBe('recomputation.entry.upsert')
  expect(causeKey({ ...cause, op: 'delete' })).toBe('recomputation.entry.delete')
  expect(causeKey({ ...cause, op: 'holidays' })).toBe('recomputation.holiday')
  expect(causeKey({ ...cause, kind: 'settings_history' })).toBe('recomputation.settings.upsert')
  expect(causeKey({ ...cause, kind: 'closed_weeks', op: 'close' })).toBe('recomputation.closedAgain')
  expect(causeKey({ ...cause, kind: 'closed_days', op: 'close' })).toBe('recomputation.dayClosed')
})
