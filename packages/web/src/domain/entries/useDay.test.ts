import { shownTimeline } from '@saldo/client/entries'
import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import { HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { figuresAt, shownDay } from './useDay.ts'

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
