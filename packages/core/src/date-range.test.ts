import { expect, test } from 'vitest'
import { addDaysWithinCalendar, FIRST_DATE, LAST_DATE } from './date.ts'
import { allDates, datesIn, groupByDates, intersection, mergeRanges, partsOf } from './date-range.ts'
import type { LocalDate } from './values.ts'

const range = (from: number, to: number) => {
  const dateOf = (day: number): LocalDate => `2026-01-${String(day).padStart(2, '0')}` as LocalDate
  return { from: dateOf(from), to: dateOf(to) }
}

test('a range has both of its ends; one that ends before it begins has no dates', () => {
  expect([...datesIn({ from: '2026-02-27', to: '2026-03-01' })]).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
  expect([...datesIn(range(2, 2))]).toEqual(['2026-01-02'])
  expect([...datesIn(range(2, 1))]).toEqual([])
  expect(allDates).toEqual({ from: '0001-01-01', to: '9999-12-31' })
})

test('a range in parts has each of its dates once, and only its last part is shorter', () => {
  expect([...partsOf(range(1, 7), 3)]).toEqual([range(1, 3), range(4, 6), range(7, 7)])
  expect([...partsOf(range(1, 6), 3)]).toEqual([range(1, 3), range(4, 6)])
  expect([...partsOf(range(1, 2), 3)]).toEqual([range(1, 2)])
  expect([...partsOf(range(2, 1), 3)]).toEqual([])
  const last = { from: LAST_DATE, to: LAST_DATE }
  expect([...partsOf(last, 3)]).toEqual([last])
})

test('the intersection of ranges has the dates that both have', () => {
  expect(intersection(range(1, 5), range(3, 9))).toEqual(range(3, 5))
  expect(intersection(range(3, 9), range(1, 5))).toEqual(range(3, 5))
  expect(intersection(range(1, 9), range(3, 5))).toEqual(range(3, 5))
  expect([...datesIn(intersection(range(1, 2), range(3, 4)))]).toEqual([])
})

test('merged ranges are in order, and those that overlap or adjoin each other are one', () => {
  expect(mergeRanges([range(8, 9), range(1, 2), range(3, 4)])).toEqual([range(1, 4), range(8, 9)])
  expect(mergeRanges([range(1, 9), range(2, 3)])).toEqual([range(1, 9)])
  expect(mergeRanges([range(1, 3), range(2, 5), range(7, 8)])).toEqual([range(1, 5), range(7, 8)])
  expect(mergeRanges([])).toEqual([])
  const last = { from: LAST_DATE, to: LAST_DATE }
  expect(mergeRanges([last, last])).toEqual([last])
})

test('items are on each of their dates within a range, in their order', () => {
  const items = [
    { name: 'a', dates: range(1, 3) },
    { name: 'b', dates: range(3, 9) },
    { name: 'c', dates: undefined },
  ]
  const byDate = groupByDates(items, ({ dates }) => dates, range(2, 4))
  expect([...byDate].map(([date, of]) => [date, of.map(({ name }) => name).join('')])).toEqual([
    ['2026-01-02', 'a'],
    ['2026-01-03', 'ab'],
    ['2026-01-04', 'b'],
  ])
})

test('days added beyond the calendar end with its first or last date', () => {
  expect([-1, 0, 1].map((days) => addDaysWithinCalendar(FIRST_DATE, days))).toEqual([
    FIRST_DATE,
    FIRST_DATE,
    '0001-01-02',
  ])
  expect([-1, 0, 1].map((days) => addDaysWithinCalendar(LAST_DATE, days))).toEqual(['9999-12-30', LAST_DATE, LAST_DATE])
})
