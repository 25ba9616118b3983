import type { AwayDates, UserNumber } from '@saldo/core'
import { expect, test } from 'vitest'
import { cellsOf, countsOf, linesOf, parseMonth } from './away-model.ts'

const grace = { user_id: 2 as UserNumber, name: 'Grace', group_id: 1 }
const linus = { user_id: 3 as UserNumber, name: 'Linus', group_id: 1 }
const december = { from: '2026-12-01', to: '2026-12-31' } as const
const away = (from: string, to: string, sight: AwayDates['sight'] = 'away') => ({ from, to, sight }) as AwayDates

test('the month of an address is one of the calendar, by default that of today', () => {
  expect(parseMonth(undefined, '2026-11-28')).toBe('2026-11')
  expect(parseMonth('2027-02', '2026-11-28')).toBe('2027-02')
  for (const wrong of ['2026-13', '2026', 'away', '2026-11-01']) expect(parseMonth(wrong, '2026-11-28')).toBeUndefined()
})

test('dates that reach out of a month have cells in it alone, and begin or end there only if they do', () => {
  const cells = cellsOf([away('2026-11-30', '2026-12-02'), away('2026-12-31', '2026-12-31', 'part')], december)
  expect([...cells]).toEqual([
    ['2026-12-01', { sight: 'away', isFirst: false, isLast: false }],
    ['2026-12-02', { sight: 'away', isFirst: false, isLast: true }],
    ['2026-12-31', { sight: 'part', isFirst: true, isLast: true }],
  ])
})

test('the list has what is still to come, in the order of dates, and all of a month that is over', () => {
  const items = [
    { ...grace, dates: [away('2026-12-01', '2026-12-03'), away('2026-12-20', '2026-12-21')] },
    { ...linus, dates: [away('2026-12-10', '2026-12-11'), away('2027-01-02', '2027-01-02')] },
  ]
  expect(linesOf(items, december, '2026-12-05').map(({ name, from }) => [name, from])).toEqual([
    ['Linus', '2026-12-10'],
    ['Grace', '2026-12-20'],
  ])
  expect(linesOf(items, december, '2027-01-05')).toHaveLength(3)
})

test('a date counts who is away, in part too, and no requests', () => {
  const items = [
    { ...grace, dates: [away('2026-12-01', '2026-12-02')] },
    { ...linus, dates: [away('2026-12-02', '2026-12-02', 'part'), away('2026-12-03', '2026-12-03', 'asked')] },
  ]
  expect(Object.fromEntries(countsOf(items, december))).toEqual({ '2026-12-01': 1, '2026-12-02': 2 })
})
