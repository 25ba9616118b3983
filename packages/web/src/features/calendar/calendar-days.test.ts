import type { ForecastDay } from '@saldo/client'
import { type AbsenceRecord, shownTimeline } from '@saldo/client/entries'
import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, computeDay, type DateRange, type Entry, HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { calendarDays, chosenDays, countAbsences } from './calendar-days.ts'

const settings = aSettingsRow({ effective_from: '2026-11-18' })
const range: DateRange = { from: '2026-11-17', to: '2026-11-22' }
const entries: Entry[] = [
  aWork(Date.parse('2026-11-19T08:00:00Z'), Date.parse('2026-11-19T12:00:00Z')),
  anAbsence('vacation', '2026-11-19', 0.5),
  anAbsence('vacation', '2026-11-20'),
  anAbsence('vacation', '2026-11-21'),
  anAbsence('sick', '2026-11-18'),
]
const forecast: ForecastDay[] = (['2026-11-18', '2026-11-19', '2026-11-20'] as const).map((date) => ({
  date,
  state: 'open',
  closed: null,
  forecast: computeDay(entries, buildTimeline([settings]), date),
}))
const days = calendarDays(
  range,
  shownTimeline([settings], 'UTC'),
  forecast,
  entries.map((record) => ({ record, pending: false })),
)

test('each date has its figures and its absences', () => {
  expect(days.size).toBe(6)
  expect(days.get('2026-11-19')).toMatchObject({
    plannedMs: 8 * HOUR_MS,
    workedMs: 4 * HOUR_MS,
    targetMs: 4 * HOUR_MS,
    deltaMs: 0,
    counts: true,
  })
  expect(days.get('2026-11-19')?.absences.map(({ record }) => record.kind)).toEqual(['vacation'])
  expect(days.get('2026-11-17')).toMatchObject({ counts: false, plannedMs: 0, workedMs: 0 })
})

test('worked time is without the breaks that are deducted, and a closed day has its stored figures', () => {
  const figures = {
    worked_ms: 9 * HOUR_MS,
    deducted_break_ms: HOUR_MS / 2,
    credited_ms: HOUR_MS,
    target_ms: 8 * HOUR_MS,
    delta_ms: 1.5 * HOUR_MS,
  }
  const day = { date: '2026-11-18', state: 'closed', closed: null, forecast: figures } as unknown as ForecastDay
  const shown = calendarDays({ from: '2026-11-18', to: '2026-11-18' }, shownTimeline([settings], 'UTC'), [day], [])
  expect(shown.get('2026-11-18')).toEqual({
    date: '2026-11-18',
    plannedMs: 8 * HOUR_MS,
    workedMs: 8.5 * HOUR_MS,
    creditedMs: HOUR_MS,
    targetMs: 8 * HOUR_MS,
    deltaMs: 1.5 * HOUR_MS,
    isClosed: true,
    counts: true,
    absences: [],
  })
})

test('counts absences on days with a target, up to today and after it', () => {
  expect(countAbsences(days.values(), ['vacation', 'sick', 'unpaid'], '2026-11-19')).toEqual([
    { kind: 'vacation', soFar: 0.5, ahead: 1 },
    { kind: 'sick', soFar: 1, ahead: 0 },
    { kind: 'unpaid', soFar: 0, ahead: 0 },
  ])
})

test('[D3.13] of absences beyond a whole day, those count that the account counts, in its order', () => {
  const day = days.get('2026-11-20')
  if (!day) throw new Error('it is in the range')
  const kinds = ['public_holiday', 'sick', 'vacation', 'paid_other', 'unpaid', 'time_off_in_lieu'] as const
  const shares = [0.25, 0.25, 0.125, 0.25, 0.25, 0.5]
  const absences = kinds.map((kind, index) => ({
    record: anAbsence(kind, day.date, shares[index]) as AbsenceRecord,
    pending: false,
  }))
  const counts = countAbsences([{ ...day, absences: absences.toReversed() }], kinds, day.date)
  expect(counts.map(({ soFar }) => soFar)).toEqual([0.25, 0.25, 0.125, 0.25, 0.125, 0])
})

test('counts at most one whole day: a public holiday goes before vacation', () => {
  const day = days.get('2026-11-20')
  if (!day) throw new Error('it is in the range')
  const holiday = { record: anAbsence('public_holiday', day.date) as AbsenceRecord, pending: false }
  const both = { ...day, absences: [...day.absences, holiday] }
  expect(countAbsences([both], ['vacation', 'public_holiday'], '2026-11-21')).toEqual([
    { kind: 'vacation', soFar: 0, ahead: 0 },
    { kind: 'public_holiday', soFar: 1, ahead: 0 },
  ])
})

test('chosen days are those of the range that the calendar has', () => {
  const rows = entries.map((record) => ({ record, pending: false }))
  const days = calendarDays(range, shownTimeline([settings], 'Europe/Berlin'), forecast, rows)
  const { chosen, absences, targetCount } = chosenDays(days, { from: '2026-11-20', to: '2026-11-30' })
  expect(chosen.map(({ date }) => date)).toEqual(['2026-11-20', '2026-11-21', '2026-11-22'])
  expect(absences).toEqual([entries[2], entries[3]])
  expect(targetCount).toBe(1)
  expect(chosenDays(days, undefined)).toEqual({ chosen: [], absences: [], targetCount: 0 })
})
