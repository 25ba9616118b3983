import { aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, dayWindow, HOUR_MS, type LocalDate } from '@saldo/core'
import { expect, test } from 'vitest'
import { freeSlotIn, freeSpan } from './free-slot.ts'
import { partIn } from './parts.ts'

const date: LocalDate = '2026-11-20'
const window = dayWindow(buildTimeline([aSettingsRow()]), date)
const at = (hours: number) => window.start + hours * HOUR_MS
const dayWith = (today: LocalDate, ...spans: [number, number][]) => ({
  date,
  today,
  zone: 'Europe/Berlin',
  window,
  timed: spans.flatMap(([from, to]) => {
    const record = aWork(at(from), at(to))
    const part = partIn(record, window, 0)
    return part ? [{ record, pending: false, part }] : []
  }),
})

test('a duration without times ends now today, and follows the last entry on other days', () => {
  expect(freeSlotIn(dayWith(date), HOUR_MS, at(15) + 30_000)).toEqual({ start: at(14), end: at(15) })
  expect(freeSlotIn(dayWith('2026-11-21', [8, 12]), HOUR_MS, at(40))).toEqual({ start: at(12), end: at(13) })
  expect(freeSlotIn(dayWith('2026-11-21'), HOUR_MS, at(40))).toEqual({ start: at(9), end: at(10) })
})

test('a duration without times ends now beside an entry that begins now or ends where it begins', () => {
  const wanted = { start: at(14), end: at(15) }
  expect(freeSlotIn(dayWith(date, [15, 16]), HOUR_MS, at(15))).toEqual(wanted)
  expect(freeSlotIn(dayWith(date, [12, 14]), HOUR_MS, at(15))).toEqual(wanted)
  expect(freeSlotIn(dayWith(date, [12, 14.5], [14.9, 16]), HOUR_MS, at(15))).toEqual({ start: at(11), end: at(12) })
  expect(freeSlotIn(dayWith('2026-11-21', [8, 23]), HOUR_MS, at(40))).toEqual({ start: at(23), end: at(24) })
})

test('a duration without times goes into the last gap that is long enough', () => {
  expect(freeSlotIn(dayWith(date, [9, 12.5], [13, 17]), HOUR_MS, at(17.5))).toEqual({ start: at(8), end: at(9) })
  expect(freeSlotIn(dayWith(date, [9, 12], [13, 17]), HOUR_MS, at(17))).toEqual({ start: at(12), end: at(13) })
  expect(freeSlotIn(dayWith(date, [0, 17]), HOUR_MS, at(17))).toEqual({ start: at(16), end: at(17) })
  expect(freeSlotIn(dayWith('2026-11-21', [8, 12], [22, 30]), HOUR_MS, at(40))).toEqual({ start: at(21), end: at(22) })
  expect(freeSlotIn(dayWith('2026-11-21', [8, 16], [9, 10]), HOUR_MS, at(40))).toEqual({ start: at(16), end: at(17) })
})

test('a new entry begins at the end of the last one and does not end after now', () => {
  expect(freeSpan(dayWith(date, [8, 11.95]), at(12.5) + 30_000)).toEqual({ start: at(12), end: at(12.5) })
  expect(freeSpan(dayWith(date, [8, 12]), at(12.5))).toEqual({ start: at(12), end: at(12.5) })
  expect(freeSpan(dayWith(date, [8, 12]), at(16))).toEqual({ start: at(12), end: at(13) })
  expect(freeSpan(dayWith(date, [8, 12]), at(12))).toEqual({ start: at(12), end: at(13) })
  expect(freeSpan(dayWith(date, [8, 12]), at(11))).toEqual({ start: at(12), end: at(13) })
  expect(freeSpan(dayWith('2026-11-19'), at(9.5))).toEqual({ start: at(9), end: at(10) })
  expect(freeSpan(dayWith('2026-11-21', [8, 23.5]), at(40))).toEqual({ start: at(23), end: at(24) })
})
