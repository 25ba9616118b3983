import { epochMs } from '@saldo/core'
import { expect, test } from 'vitest'
import { formatOf } from '../../context/format.ts'
import { blockText, datesOfSheet } from './sheet-text.ts'

const february = { from: '2028-02-01', to: '2028-02-29' } as const

test('a sheet of a whole month is named by it, any other range by its dates', () => {
  const isMonth = (range: {
    from: typeof february.from | '2028-02-02'
    to: '2028-02-28' | '2028-02-29' | '2028-03-31'
  }) => datesOfSheet({ range, countedTo: '2028-12-31' }).isMonth
  expect(isMonth(february)).toBe(true)
  expect(isMonth({ ...february, from: '2028-02-02' })).toBe(false)
  expect(isMonth({ ...february, to: '2028-02-28' })).toBe(false)
  expect(isMonth({ ...february, to: '2028-03-31' })).toBe(false)
})

test.each([
  ['2028-03-15', '2028-01-31', '2028-02-29'],
  ['2028-02-29', '2028-01-31', '2028-02-29'],
  ['2028-02-10', '2028-01-31', '2028-02-10'],
  ['2028-01-20', '2028-01-20', '2028-01-20'],
] as const)('where days count up to %s, balances are those of %s and %s', (countedTo, balanceInDate, lastCounted) => {
  expect(datesOfSheet({ range: february, countedTo })).toEqual({ isMonth: true, balanceInDate, lastCounted })
})

const format = formatOf({ locale: 'en-GB', durations: 'clock', hours: 'auto' })
const zone = 'Europe/Berlin'
const block = { start: epochMs('2026-10-25T00:30:00.000Z'), end: epochMs('2026-10-25T01:30:00.000Z') }

test('both times of a block have their zone on the day of a clock change, and none on other days', () => {
  expect(blockText(block, { zone, hasClockChange: true }, format)).toBe('02:30 CEST–02:30 CET')
  expect(blockText(block, { zone, hasClockChange: false }, format)).toBe('02:30–02:30')
})
