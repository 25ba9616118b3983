import { expect, test } from 'vitest'
import { dateByKey, isWithin } from './date-steps.ts'

test('the arrow keys step a date by a day, up to a later one', () => {
  const dates = ['ArrowUp', 'ArrowDown', 'ArrowLeft'].map((key) => dateByKey(key, '2026-03-01'))
  expect(dates).toEqual(['2026-03-02', '2026-02-28', undefined])
})

test('a field takes dates from its first to its last, both included', () => {
  const dates = ['2026-02-28', '2026-03-01', '2026-03-02', '2026-03-03'] as const
  const taken = (min?: (typeof dates)[number], max?: (typeof dates)[number]) =>
    dates.map((date) => isWithin(date, { min, max }))
  expect(taken(dates[1], dates[2])).toEqual([false, true, true, false])
  expect(taken(dates[1])).toEqual([false, true, true, true])
  expect(taken(undefined, dates[1])).toEqual([true, true, false, false])
  expect(taken()).toEqual([true, true, true, true])
})
