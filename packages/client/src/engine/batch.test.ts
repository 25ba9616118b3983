import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type BatchLimit, FULL_BATCH, firstBatch, narrowBatch, widenBatch } from './batch.ts'

test('[D7.18] [D7.19] a failing batch is halved until the culprit is alone, and everything else is sent once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(), fc.boolean(), (count, chosen, isRejected) => {
      const culprit = chosen % count
      let left = Array.from({ length: count }, (_, index) => index)
      let [limit, requests] = [FULL_BATCH, 0]
      const sent: number[] = []
      const found: number[] = []
      while (left.length > 0) {
        requests += 1
        const batch = firstBatch(left, () => 1, limit)
        const next = batch.includes(culprit) ? narrowBatch(limit, batch.length, isRejected) : undefined
        if (next?.outcome === 'retry') {
          limit = next.limit
          continue
        }
        if (next) found.push(...batch)
        else sent.push(...batch)
        limit = next ? FULL_BATCH : { ...limit, failures: 0 }
        left = left.slice(batch.length)
      }
      expect(found).toEqual([culprit])
      expect(sent).toEqual(Array.from({ length: count }, (_, index) => index).filter((item) => item !== culprit))
      const attempts = isRejected ? 1 : 3
      expect(requests).toBeLessThanOrEqual((attempts + 1) * (Math.ceil(Math.log2(count)) + 1) + 1)
    }),
  )
})

test('[D7.15] batches keep the limits of a push, lose nothing and keep the order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 50 })), (sizes) => {
      let left: number[] = sizes
      const sent: number[] = []
      while (left.length > 0) {
        const batch = firstBatch(left, (size) => size, { maxChanges: 7, maxBytes: 60 })
        expect(batch.length).toBeGreaterThan(0)
        expect(batch.length).toBeLessThanOrEqual(7)
        if (batch.length > 1) expect(batch.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(60)
        sent.push(...batch)
        left = left.slice(batch.length)
      }
      expect(sent).toEqual(sizes)
    }),
  )
})

test('[D7.19] a batch at which the service fails is tried three times before it becomes smaller', () => {
  const counts: number[] = []
  let limit: BatchLimit | undefined = FULL_BATCH
  while (limit) {
    const count = Math.min(limit.maxChanges, 4)
    counts.push(count)
    const next = narrowBatch(limit, count, false)
    limit = next.outcome === 'retry' ? next.limit : undefined
  }
  expect(counts).toEqual([4, 4, 4, 2, 2, 2, 1, 1, 1])
})

test('[D7.15] a batch is as full as the limits of a push let it be', () => {
  const sizes = [30, 30, 1]
  const first = (maxChanges: number, maxBytes: number) => firstBatch(sizes, (size) => size, { maxChanges, maxBytes })
  expect(first(7, 60)).toEqual([30, 30])
  expect(first(7, 61)).toEqual([30, 30, 1])
  expect(first(2, 61)).toEqual([30, 30])
  expect(first(1, 61)).toEqual([30])
  expect(first(7, 29)).toEqual([30])
})

test('[D7.18] half of an odd batch is the larger half', () => {
  const next = narrowBatch(FULL_BATCH, 5, true)
  expect(next).toEqual({ outcome: 'retry', limit: { ...FULL_BATCH, maxChanges: 3 } })
})

test('[D7.15] after a fast push, the next may be twice as large, up to 1,000,000 bytes', () => {
  const sizes: number[] = []
  let limit: BatchLimit = FULL_BATCH
  for (const tookMs of [1_999, 0, 100, 100, 2_000, 100]) {
    limit = widenBatch({ ...limit, failures: 1 }, tookMs)
    sizes.push(limit.maxBytes)
  }
  expect(sizes).toEqual([200_000, 400_000, 800_000, 1_000_000, 100_000, 200_000])
  expect(limit.failures).toBe(0)
})
