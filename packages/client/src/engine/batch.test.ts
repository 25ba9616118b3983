import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstBatch, splitRejected } from './batch.ts'

test('[D7.18] a rejected batch is halved until the culprit is alone, and everything else is sent once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(), (count, chosen) => {
      const culprit = chosen % count
      const sent: number[] = []
      let requests = 0
      const push = (batch: readonly number[]): void => {
        requests += 1
        if (!batch.includes(culprit)) {
          sent.push(...batch)
          return
        }
        const split = splitRejected(batch)
        if (split.outcome === 'found') expect(split.culprit).toBe(culprit)
        else for (const half of split.halves) push(half)
      }
      const all = Array.from({ length: count }, (_, index) => index)
      push(all)
      expect(sent).toEqual(all.filter((item) => item !== culprit))
      expect(requests).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(count)) + 1)
    }),
  )
})

test('an empty batch cannot be rejected', () => {
  expect(() => splitRejected([])).toThrow(RangeError)
})

test('[D7.15] batches keep the limits of a push, lose nothing and keep the order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 50 })), (sizes) => {
      let left: number[] = sizes
      const sent: number[] = []
      while (left.length > 0) {
        const batch = firstBatch(left, (size) => size, 7, 60)
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
