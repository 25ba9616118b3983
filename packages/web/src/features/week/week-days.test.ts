import type { ForecastDay } from '@saldo/client'
import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import {
  addDays,
  buildTimeline,
  type ClosedDay,
  computeDay,
  type DateRange,
  datesOfWeek,
  HOUR_MS,
  statutoryBreaks,
} from '@saldo/core'
import { expect, test } from 'vitest'
import { rowsTouching, weekDays, weekSums } from './week-days.ts'

const timeline = buildTimeline([aSettingsRow()])
const dates = datesOfWeek('2026-W47')
const open: ForecastDay[] = dates.map((date) => ({
  date,
  state: 'open',
  closed: null,
  forecast: computeDay([], timeline, date),
}))
const nine = Date.parse('2026-11-17T08:00:00Z')

test('includes entries that reach into the week, not those beside it', () => {
  const monday = Date.parse('2026-11-15T23:00:00Z')
  const sunday = monday + 7 * 24 * HOUR_MS
  const inside = [
    aWork(monday - HOUR_MS, monday + HOUR_MS),
    aWork(sunday - HOUR_MS, null),
    anAbsence('vacation', '2026-11-16'),
    anAbsence('vacation', '2026-11-22'),
  ]
  const days = (['2026-11-15', '2026-11-23'] as const).map((date) => anAbsence('vacation', date))
  const beside = [aWork(monday - HOUR_MS, monday), aWork(sunday, null), ...days]
  const rows = [...inside, ...beside].map((record) => ({ record, pending: false }))
  const range: DateRange = { from: '2026-11-16', to: addDays('2026-11-16', 6) }
  const touching = rowsTouching(range, rows, timeline, sunday + HOUR_MS)
  expect(touching.map(({ record }) => record)).toEqual(inside)
})

test('running work counts up to now; the sums of finished days leave today out', () => {
  const days = weekDays(open, [aWork(nine, null)], timeline, '2026-11-17', nine + 2 * HOUR_MS)
  expect(days[1]?.figures.worked_ms).toBe(2 * HOUR_MS)
  const over = { target_ms: 8 * HOUR_MS, worked_ms: 0, delta_ms: -8 * HOUR_MS }
  expect(weekSums(days)).toMatchObject({ over, all: { delta_ms: -38 * HOUR_MS }, isOver: false })
})

test('breaks are the gaps in the work of a day and what its rules deduct, without rest', () => {
  const rules = buildTimeline([aSettingsRow({ break_policy: statutoryBreaks.de })])
  const at = (hours: number) => nine + hours * HOUR_MS
  const breaksOf = (...works: [number, number][]) =>
    weekDays(
      open,
      works.map(([from, to]) => aWork(at(from), at(to))),
      rules,
      '2026-11-30',
      nine,
    )[1]?.breaksMs
  expect(breaksOf([0, 4], [5, 9])).toBe(HOUR_MS)
  expect(breaksOf([0, 8])).toBe(HOUR_MS / 2)
  expect(breaksOf([-8, -6], [1.5, 4])).toBe(0)
})

test('a closed day shows its figures with unsent changes', () => {
  const forecast = { ...computeDay([], timeline, '2026-11-16'), delta_ms: -HOUR_MS }
  const closed = { ...forecast, delta_ms: 0 } as ClosedDay
  const [day] = weekDays([{ date: '2026-11-16', state: 'closed', closed, forecast }], [], timeline, '2026-11-30', nine)
  expect(day).toMatchObject({ closedDeltaMs: 0, figures: { delta_ms: -HOUR_MS }, isOver: true })
})

test('a closed day that unsent changes leave as it is has one delta', () => {
  const forecast = computeDay([], timeline, '2026-11-16')
  const closed = { ...forecast } as ClosedDay
  const [day] = weekDays([{ date: '2026-11-16', state: 'closed', closed, forecast }], [], timeline, '2026-11-16', nine)
  expect(day).not.toHaveProperty('closedDeltaMs')
  expect(day?.isOver).toBe(true)
})

test('a timer that starts later than the clock shows touches its week', () => {
  const rows = [{ record: aWork(nine + 30_000, null), pending: false }]
  expect(rowsTouching({ from: '2026-11-16', to: '2026-11-22' }, rows, timeline, nine)).toEqual(rows)
})

test('sums leave out days outside the account', () => {
  const days = open.map((day, index): ForecastDay => (index < 3 ? { ...day, state: 'outside' } : day))
  const sums = weekSums(weekDays(days, [], timeline, '2026-11-30', nine))
  expect(sums).toMatchObject({ all: { target_ms: 16 * HOUR_MS }, over: { delta_ms: -16 * HOUR_MS }, isOver: true })
})
