import { partIn, type TimedRecord } from '@saldo/client/entries'
import { aWork } from '@saldo/client/testing'
import { HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { canGoOn, otherDays, shownLength } from './entry-row.ts'

const date = '2026-11-20'
const at = (hours: number) => Date.parse('2026-11-19T23:00:00Z') + hours * HOUR_MS
const partOf = (record: TimedRecord, nowMs = at(12)) => {
  const part = partIn(record, { start: at(0), end: at(24) }, nowMs)
  if (!part) throw new Error('The entry is not of this day.')
  return part
}

test('the length of an entry is that of all of it, of a running one up to now and never negative', () => {
  const lengthOf = (record: TimedRecord, nowMs: number) => shownLength({ record, part: partOf(record) }, nowMs)
  expect(lengthOf(aWork(at(-2), at(6)), at(12))).toBe(8 * HOUR_MS)
  expect(lengthOf(aWork(at(9), null), at(12.5))).toBe(3.5 * HOUR_MS)
  expect(lengthOf(aWork(at(9), null), at(8.9))).toBe(0)
})

test('finished work of today and earlier can be continued', () => {
  const work = aWork(at(8), at(9))
  const on = (today: '2026-11-19' | '2026-11-20' | '2026-11-21') => canGoOn(work, { date, today })
  expect([on('2026-11-19'), on('2026-11-20'), on('2026-11-21')]).toEqual([false, true, true])
  expect(canGoOn(aWork(at(8), null), { date, today: date })).toBe(false)
  expect(canGoOn(aWork(at(8), at(9), { kind: 'break' }), { date, today: date })).toBe(false)
})

test('the days of an entry that are not the shown one are the day before or after, or a date', () => {
  const daysOf = (from: number, to: number) => otherDays(partOf(aWork(at(from), at(to))), date, 'Europe/Berlin')
  expect(daysOf(8, 12)).toEqual({ start: undefined, end: undefined })
  expect(daysOf(-1, 12)).toEqual({ start: 'dayBefore', end: undefined })
  expect(daysOf(8, 25)).toEqual({ start: undefined, end: 'dayAfter' })
  expect(daysOf(-25, 49)).toEqual({ start: '2026-11-18', end: '2026-11-22' })
})
