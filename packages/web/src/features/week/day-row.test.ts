import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, type Entry, HOUR_MS, type LocalDate } from '@saldo/core'
import { expect, test } from 'vitest'
import { dayLockOf, dayRowOf } from './day-row.ts'
import type { WeekDay } from './week-days.ts'

const today = '2026-11-18'
const timeline = buildTimeline([aSettingsRow()])
const nine = Date.parse('2026-11-18T08:00:00Z')

function rowOf(date: LocalDate, entries: Entry[] = [], changed: Partial<WeekDay> = {}) {
  return dayRowOf({ date, state: 'open', isOver: date < today, ...changed }, { today, entries, timeline })
}

test('a day has a delta inside the account, once it is today or over', () => {
  expect(rowOf('2026-11-17')).toMatchObject({ isToday: false, isAhead: false, hasDelta: true })
  expect(rowOf(today)).toMatchObject({ isToday: true, isAhead: false, hasDelta: true })
  expect(rowOf('2026-11-19')).toMatchObject({ isToday: false, isAhead: true, hasDelta: false })
  expect(rowOf('2026-11-17', [], { state: 'outside' })).toMatchObject({ hasDelta: false })
  expect(rowOf('2026-11-19', [], { state: 'closed', isOver: true })).toMatchObject({ isAhead: false, hasDelta: true })
})

test('entries that overlap on a day are a warning there, and a running timer is none', () => {
  const overlapping = [aWork(nine, nine + 2 * HOUR_MS), aWork(nine + HOUR_MS, nine + 3 * HOUR_MS)]
  expect(rowOf(today, overlapping).hasWarning).toBe(true)
  expect(rowOf('2026-11-17', overlapping).hasWarning).toBe(false)
  expect(rowOf('2026-11-19', [aWork(nine, null)], { isOver: true }).hasWarning).toBe(false)
})

test('a day has the absences of its date', () => {
  const [sick, vacation] = [anAbsence('sick', today), anAbsence('vacation', '2026-11-19')]
  expect(rowOf(today, [aWork(nine, nine + HOUR_MS), vacation, sick]).absences).toEqual([sick])
})

test('a day that is over is closed or reopened alone, unless its week is closed', () => {
  const open = { state: 'open', isOver: true } as const
  const closed = { state: 'closed', isOver: true } as const
  expect([dayLockOf(open, false), dayLockOf(closed, false)]).toEqual(['close', 'reopen'])
  expect([dayLockOf(open, true), dayLockOf(closed, true)]).toEqual(['locked', 'locked'])
  expect(dayLockOf({ state: 'open', isOver: false }, false)).toBeUndefined()
  expect(dayLockOf({ state: 'outside', isOver: true }, true)).toBeUndefined()
})
