import { shownTimeline } from '@saldo/client/entries'
import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import { type Entry, HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { figuresAt, runningBeforeMs, shownDay } from './useDay.ts'

const date = '2026-11-20'
const midnight = Date.parse('2026-11-20T00:00:00Z')
const at = (hours: number) => midnight + hours * HOUR_MS
const inLondon = aSettingsRow({ effective_from: date, time_zone: 'Europe/London' })
const later = aSettingsRow({ effective_from: '2026-11-23', time_zone: 'Asia/Tokyo' })
const timeline = shownTimeline([inLondon, later], 'Europe/Berlin')
const [before, night, morning, running] = [
  aWork(at(-3), at(-1)),
  aWork(at(-1), at(2)),
  aWork(at(8), at(9)),
  aWork(at(10), null),
]
const [off, offLater] = [anAbsence('sick', date), anAbsence('sick', '2026-11-21')]
const rows = [before, night, off, offLater, running, morning].map((record) => ({ record, pending: record === off }))

test('a day shows the entries that touch it in order and its own absences, and knows all entries around it', () => {
  const day = shownDay(date, rows, timeline, '2026-11-24', at(11))
  expect(day).toMatchObject({ date, today: '2026-11-24', zone: 'Europe/London', window: { start: at(0), end: at(24) } })
  expect(day.timed.map(({ record }) => record)).toEqual([night, morning, running])
  expect(day.absences).toEqual([{ record: off, pending: true }])
  expect(day.entries).toEqual(rows.map(({ record }) => record))
  expect(figuresAt(day, at(11.5)).worked_ms).toBe(4.5 * HOUR_MS)
})

test('a day before the account does not count', () => {
  const countsOn = (day: '2026-11-19' | '2026-11-20') => shownDay(day, rows, timeline, date, at(11)).counts
  expect([countsOn('2026-11-19'), countsOn('2026-11-20')]).toEqual([false, true])
})

test('work that runs over midnight will count on the days before too, if the account has them', () => {
  const next = '2026-11-21'
  const gainOf = (...running: Entry[]) => {
    const kept = [aWork(at(8), at(16)), ...running].map((record) => ({ record, pending: false }))
    return runningBeforeMs(shownDay(next, kept, timeline, next, at(26)), timeline.counts, at(26)) / HOUR_MS
  }
  expect(gainOf()).toBe(0)
  expect(gainOf(aWork(at(25), null))).toBe(0)
  expect(gainOf(aWork(at(22), null))).toBe(2)
  expect(gainOf(aWork(at(22), null, { counts: false }))).toBe(0)
  // Recorded work of the 20th counts once, and the 19th is before the account.
  expect(gainOf(aWork(at(15), null))).toBe(8)
  expect(gainOf(aWork(at(-2), null))).toBe(16)
  // A break takes its time off the work of the day before.
  expect(gainOf(aWork(at(20), at(24)), aWork(at(22), null, { kind: 'break' }))).toBe(-2)
})
