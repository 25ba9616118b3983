import { addDays } from '@saldo/core'
import { expect, test } from 'vitest'
import { monthEnds, thinned } from './points.ts'

test('thinning keeps the ends of a curve; months end with their last point', () => {
  const curve = Array.from({ length: 100 }, (_, index) => ({ date: addDays('2026-01-01', index), balanceMs: index }))
  const few = thinned(curve, 10)
  expect(few.length).toBeLessThanOrEqual(12)
  expect([few[0], few.at(-1)]).toEqual([curve[0], curve[99]])
  expect(thinned(curve, 500)).toEqual(curve)
  expect(monthEnds(curve).map(({ date }) => date)).toEqual(['2026-04-10', '2026-03-31', '2026-02-28', '2026-01-31'])
})
