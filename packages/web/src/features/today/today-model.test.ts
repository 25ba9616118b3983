import { partIn, type TimedRecord, timedIn } from '@saldo/client/entries'
import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, computeDay, dayWindow, type Entry, HOUR_MS, type LocalDate, MINUTE_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import {
  canGoOn,
  hasUntakenBreak,
  longestDayAhead,
  otherDays,
  ringOf,
  shownHints,
  shownLength,
  timerKeys,
  typedStart,
} from './today-model.ts'

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

const timeline = buildTimeline([aSettingsRow()])
const nine = Date.parse('2026-11-20T08:00:00Z')
const ringAfter = (hours: number, date: LocalDate = '2026-11-20') =>
  ringOf(computeDay([aWork(nine, nine + hours * HOUR_MS)], timeline, date))

test('the ring is full at the target; overtime begins a second round', () => {
  expect(ringAfter(2)).toEqual({ countedMs: 2 * HOUR_MS, targetMs: 8 * HOUR_MS, share: 0.25, beyond: 0 })
  expect(ringAfter(10)).toMatchObject({ share: 1, beyond: 0.25 })
  expect(ringAfter(0)).toMatchObject({ share: 0, beyond: 0 })
})

test('a break that is deducted is no work', () => {
  const figures = { ...computeDay([], timeline, '2026-11-20'), worked_ms: 9 * HOUR_MS, deducted_break_ms: HOUR_MS }
  expect(ringOf(figures)).toMatchObject({ countedMs: 8 * HOUR_MS, share: 1, beyond: 0 })
  expect(ringOf({ ...figures, worked_ms: 30 * HOUR_MS })).toMatchObject({ share: 1, beyond: 1 })
})

test('credited time counts as worked; any work fills the ring of a day without target', () => {
  expect(ringOf(computeDay([anAbsence('sick', '2026-11-20')], timeline, '2026-11-20'))).toMatchObject({
    share: 1,
    beyond: 0,
  })
  expect(ringOf({ ...computeDay([], timeline, '2026-11-21'), worked_ms: 1 })).toMatchObject({ share: 1, beyond: 0 })
  expect(ringOf(computeDay([], timeline, '2026-11-21'))).toMatchObject({ targetMs: 0, share: 0 })
})

const break_policy = { rules: [{ worked_above_ms: 6 * HOUR_MS, required_ms: 30 * MINUTE_MS }], min_piece_ms: 0 }
const limited = buildTimeline([aSettingsRow({ hints: 'de', break_policy })])

function aheadAt(hours: number, entries: Entry[], rows = limited) {
  const rowsOfDay = entries.map((record) => ({ record, pending: false }))
  const timed = timedIn(rowsOfDay, dayWindow(rows, date), at(hours))
  return longestDayAhead({ date, entries, timed, timeline: rows }, at(hours))
}

test('two hours ahead, running work is near the longest day of ten hours, without the deducted break', () => {
  const entries = [aWork(at(8), null)]
  const reached = { limitMs: 10 * HOUR_MS, atMs: at(18.5) }
  expect(aheadAt(16.5, entries)).toEqual(reached)
  expect(aheadAt(18.4, entries)).toEqual(reached)
  expect(aheadAt(16.4, entries)).toBeUndefined()
  expect(aheadAt(18.5, entries)).toBeUndefined()
})

test('finished work, a break and an account without hints reach no longest day', () => {
  expect(aheadAt(17, [aWork(at(8), at(17))])).toBeUndefined()
  expect(aheadAt(17, [aWork(at(8), at(17)), aWork(at(17), null, { kind: 'break' })])).toBeUndefined()
  expect(aheadAt(17, [aWork(at(8), null)], buildTimeline([aSettingsRow()]))).toBeUndefined()
  expect(aheadAt(17, [aWork(at(8), null)], buildTimeline([]))).toBeUndefined()
})

const window = { start: 0, end: 24 * HOUR_MS }
const work = (from: number, to: number) => aWork(from * HOUR_MS, to * HOUR_MS)
const pause = (from: number, to: number) => aWork(from * HOUR_MS, to * HOUR_MS, { kind: 'break' })

test('[D3.49] a break before all work is not taken, nor one after all work once the day is over', () => {
  expect(hasUntakenBreak([work(8, 17), pause(8, 8.5)], window, false)).toBe(true)
  expect(hasUntakenBreak([work(8, 17), pause(17, 18)], window, true)).toBe(true)
  expect(hasUntakenBreak([work(8, 17), pause(17, 18)], window, false)).toBe(false)
  expect(hasUntakenBreak([work(8, 17), pause(8, 8.5), pause(12, 13)], window, true)).toBe(true)
})

test('[D3.54] a break within work or over midnight is taken', () => {
  expect(hasUntakenBreak([work(8, 17), pause(12, 13)], window, true)).toBe(false)
  expect(hasUntakenBreak([work(8, 23), pause(23, 25)], window, true)).toBe(false)
  expect(hasUntakenBreak([work(1, 9), pause(-1, 1)], window, true)).toBe(false)
  expect(hasUntakenBreak([pause(12, 13)], window, true)).toBe(false)
})

test('core time is missed only once the day is over, and running work counts up to now', () => {
  const timeline = buildTimeline([aSettingsRow({ hints: 'de', core_time: { from: '10:00', to: '15:00' } })])
  const entries = [aWork(at(11), null)]
  const codesOn = (today: '2026-11-20' | '2026-11-21', nowMs: number) => {
    return shownHints({ entries, timeline, date, today }, nowMs).map(({ code }) => code)
  }
  expect(codesOn(date, at(12))).toEqual([])
  expect(codesOn(date, at(21.5))).toEqual(['long_day', 'missing_break'])
  expect(codesOn('2026-11-21', at(24))).toContain('core_time_missed')
})

test('a break ends with the key that began it, and the other key ends the day', () => {
  expect(timerKeys('working')).toEqual({ main: 'S', other: 'B' })
  expect(timerKeys('break')).toEqual({ main: 'B', other: 'S' })
})

test('a typed start is on the day in its time zone, and not in the future', () => {
  const eight = Date.parse('2026-11-20T07:00:00Z')
  const start = (text: string, nowMs = eight) => typedStart(text, { date: '2026-11-20', zone: 'Europe/Berlin' }, nowMs)
  expect(start('')).toEqual({ startMs: undefined, isAhead: false })
  expect(start('8:00')).toEqual({ startMs: eight, isAhead: false })
  expect(start('7:00')).toEqual({ startMs: eight - HOUR_MS, isAhead: false })
  expect(start('9:00')).toEqual({ startMs: eight + HOUR_MS, isAhead: true })
})
