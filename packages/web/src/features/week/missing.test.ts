import type { ForecastDay } from '@saldo/client'
import { computeDay, datesOfWeek, type Entry, HOUR_MS, timelineOf } from '@saldo/core'
import { expect, test } from 'vitest'
import { anAbsence, aSettingsRow, aWork } from '../../../test/records.ts'
import { missingIn } from './missing.ts'
import { weekDays } from './week-days.ts'

const timeline = timelineOf([aSettingsRow()])
const dates = datesOfWeek('2026-W47')
const atNine = (date: string) => Date.parse(`${date}T08:00:00Z`)
const whole = (date: string) => aWork(atNine(date), atNine(date) + 8 * HOUR_MS)
const allWorked = dates.slice(0, 5).map(whole)

function missing(entries: Entry[], today = '2026-11-23', state: ForecastDay['state'] = 'open', pending = 0) {
  const days = dates.map((date) => ({ date, state, closed: null, forecast: computeDay(entries, timeline, date) }))
  const shown = weekDays(days, entries, timeline, today, atNine(today))
  return missingIn(shown, entries, timeline, pending, '2026-11-23')
}

test('a week with something on each working day lacks nothing', () => {
  expect(missing(allWorked)).toEqual([])
  expect(missing([...allWorked.slice(1), anAbsence('time_off_in_lieu', '2026-11-16')])).toEqual([])
})

test('a week that is not over, or outside the account, cannot be closed', () => {
  expect(missing(allWorked, '2026-11-22')).toEqual([{ kind: 'notOver', mustNot: true, opens: '2026-11-23' }])
  expect(missing([], '2026-11-23', 'outside')).toEqual([{ kind: 'outside', mustNot: true }])
})

test('days without anything, timers that run, odd entries and unsent changes are told', () => {
  const tuesday = atNine('2026-11-17')
  const entries = [
    ...allWorked.slice(1).filter(({ started_at }) => !String(started_at).startsWith('2026-11-18')),
    aWork(tuesday + HOUR_MS, tuesday + 2 * HOUR_MS),
    aWork(atNine('2026-11-18'), null),
  ]
  expect(missing(entries, undefined, undefined, 2)).toEqual([
    { kind: 'pending', mustNot: false, count: 2 },
    { kind: 'empty', mustNot: false, date: '2026-11-16', targetMs: 8 * HOUR_MS },
    { kind: 'odd', mustNot: false, date: '2026-11-17', codes: ['overlapping_work'] },
    { kind: 'running', mustNot: false, date: '2026-11-18' },
  ])
})
