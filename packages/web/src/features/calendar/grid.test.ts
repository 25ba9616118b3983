import { type DateRange, HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { columnsOf, heatOf, movedBy, weeksOf } from './grid.ts'

const november: DateRange = { from: '2026-11-01', to: '2026-11-30' }

test('a month has weeks from Monday or from Sunday', () => {
  const fromMonday = weeksOf(november, 1)
  expect(fromMonday).toHaveLength(6)
  expect(fromMonday[0]).toEqual([null, null, null, null, null, null, '2026-11-01'])
  expect(fromMonday[5]).toEqual(['2026-11-30', null, null, null, null, null, null])
  expect(weeksOf(november, 7)).toHaveLength(5)
  expect(weeksOf(november, 7)[0]?.[0]).toBe('2026-11-01')
})

test('columns are the days of the week', () => {
  expect(columnsOf(1)[0]).toBe('2026-01-05')
  expect(columnsOf(7)[0]).toBe('2026-01-04')
})

test.each([
  ['ArrowLeft', '2026-11-20'],
  ['ArrowDown', '2026-11-28'],
  ['Home', '2026-11-16'],
  ['End', '2026-11-22'],
  ['PageDown', '2026-12-21'],
  ['x', undefined],
])('the key %s moves the selection', (key, date) => {
  expect(movedBy(key, '2026-11-21', 1)).toBe(date)
})

test('PageDown leads from the last day of a month to the last of the next', () => {
  expect(movedBy('PageDown', '2026-01-31', 1)).toBe('2026-02-28')
})

test('more work has a stronger colour', () => {
  expect([0, 1, 4, 4.1, 8, 9, 10].map((hours) => heatOf(hours * HOUR_MS))).toEqual([0, 1, 1, 2, 3, 3, 4])
})
