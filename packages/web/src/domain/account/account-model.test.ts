import { readFileSync } from 'node:fs'
import type { Closings } from '@saldo/client'
import { type AdjustmentContent, type Cause, HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { adjustedExpiry, causeKey, closeAgain, currentBalanceMs, historyOf, shortListOf } from './account-model.ts'

test('adjustments that are dated after today do not count yet, whether they add or deduct', () => {
  expect(currentBalanceMs({ forecastMs: 10, futureAdjustmentsMs: 4 })).toBe(6)
  expect(currentBalanceMs({ forecastMs: 10, futureAdjustmentsMs: -4 })).toBe(14)
})

test('an adjusted expiry deducts the present excess, and is deleted without one', () => {
  const before: AdjustmentContent = {
    kind: 'expiry',
    effective_date: '2026-12-31',
    delta_ms: -5 * HOUR_MS,
    reason: 'limit',
  }
  expect(adjustedExpiry(before, 3 * HOUR_MS)).toEqual({ ...before, delta_ms: -3 * HOUR_MS })
  expect(adjustedExpiry(before, 0)).toBeUndefined()
})

/** Closings of a service that notes what it is asked to close, and refuses one of them. */
function noted<Period extends string>(closed: string[], refused?: Period): Closings<Period> {
  return {
    async close(period) {
      if (period === refused) throw new Error('no')
      closed.push(period)
    },
    reopen: async () => {},
  }
}
const lost = { weeks: ['2026-W45', '2026-W46'], days: ['2026-11-16', '2026-11-17'] } as const

test('lost closings are closed again, weeks before days, up to the first that the service refuses', async () => {
  const closed: string[] = []
  await closeAgain({ weeks: noted(closed), days: noted(closed) }, lost)
  expect(closed).toEqual([...lost.weeks, ...lost.days])
  const some: string[] = []
  await expect(closeAgain({ weeks: noted(some, '2026-W46'), days: noted(some) }, lost)).rejects.toThrow('no')
  expect(some).toEqual(['2026-W45'])
})

test('four names are all shown, of more only three', () => {
  expect(shortListOf(['a'])).toEqual({ shown: ['a'], otherCount: 0 })
  expect(shortListOf(['a', 'b', 'c', 'd'])).toEqual({ shown: ['a', 'b', 'c', 'd'], otherCount: 0 })
  expect(shortListOf(['a', 'b', 'c', 'd', 'e'])).toEqual({ shown: ['a', 'b', 'c'], otherCount: 2 })
})

const cause: Cause = {
  kind: 'entries',
  entry_type: 'timed',
  op: 'update',
  count: 6,
  id: '00000000-0000-4000-8000-000000000001',
  from: '2026-03-12',
  to: '2026-03-14',
}
const revision = (number: number, delta_ms: number) => ({
  revision: number,
  at: '2026-03-20T00:00:00.000Z' as const,
  delta_ms,
  causes: [cause],
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
  expect(recomputations[0]).toEqual({ revision: 2, atMs: Date.parse('2026-03-20'), changeMs: -8, causes: [cause] })
})

test('a week that was never recomputed has its delta and no steps', () => {
  expect(historyOf({ delta_ms: 5, revisions: [] })).toEqual({ firstMs: 5, recomputations: [] })
  expect(historyOf({ delta_ms: 5, revisions: [revision(1, 5)] })).toEqual({ firstMs: 5, recomputations: [] })
})

test('each cause has a text in each language', () => {
  const sorts = [
    ...(['timed', 'absence', 'public_holiday'] as const).flatMap((entry_type) =>
      (['create', 'import', 'update', 'delete', 'restore'] as const).map((op) => {
        return { kind: 'entries', entry_type, op } as const
      }),
    ),
    ...(['create', 'update', 'delete', 'restore'] as const).map((op) => {
      return { kind: 'settings_history', entry_type: null, op } as const
    }),
    { kind: 'closed_days', entry_type: null, op: 'close' } as const,
  ]
  for (const language of ['en', 'de']) {
    const file = new URL(`recomputation/${language}.json`, import.meta.url)
    const strings: unknown = JSON.parse(readFileSync(file, 'utf8'))
    for (const sort of sorts) {
      for (const number of ['one', 'other']) expect(strings).toHaveProperty(`${causeKey(sort)}_${number}`)
    }
    expect(strings).toHaveProperty(causeKey({ kind: 'closed_weeks', entry_type: null, op: 'close' }))
  }
})
