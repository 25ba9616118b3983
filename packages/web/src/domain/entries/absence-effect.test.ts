import type { AbsenceRecord } from '@saldo/client/entries'
import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, contentOf, epochMs, HOUR_MS, sizeOfAmount } from '@saldo/core'
import { expect, test } from 'vitest'
import { balanceEffect, vacationEffect } from './absence-effect.ts'

const timeline = buildTimeline([aSettingsRow()])
const today = '2026-11-20'
const hoursOff = (kind: AbsenceRecord['kind'], date: AbsenceRecord['date'], hours: number) =>
  ({ ...anAbsence(kind, date), ...sizeOfAmount(hours * HOUR_MS) }) as AbsenceRecord
const create = (record: AbsenceRecord) => ({ op: 'create', content: contentOf(record) }) as const

test('hours at the doctor fill a past day that was worked in part', () => {
  const start = epochMs('2026-11-18T08:00:00.000Z')
  const worked = [aWork(start, start + 6.5 * HOUR_MS)]
  const visit = create(hoursOff('paid_other', '2026-11-18', 1.5))
  expect(balanceEffect(worked, [visit], timeline, today)).toBe(1.5 * HOUR_MS)
})

test('ahead, only time off in lieu costs the balance: what is planned is worked', () => {
  const lieu = create(hoursOff('time_off_in_lieu', '2026-11-24', 2))
  const vacation = create(hoursOff('vacation', '2026-11-25', 2))
  expect(balanceEffect([], [lieu, vacation], timeline, today)).toBe(-2 * HOUR_MS)
})

test('time off in lieu costs what another absence of its day leaves of the target', () => {
  const halfDay = anAbsence('sick', '2026-11-24', 0.5)
  const lieu = create(hoursOff('time_off_in_lieu', '2026-11-24', 6))
  expect(balanceEffect([halfDay], [lieu], timeline, today)).toBe(-4 * HOUR_MS)
  const onToday = create(hoursOff('time_off_in_lieu', today, 2))
  expect(balanceEffect([], [onToday], timeline, today)).toBe(-2 * HOUR_MS)
})

test('an absence that moves changes the balance by what both days differ', () => {
  const record = hoursOff('time_off_in_lieu', '2026-11-24', 2)
  const move = { op: 'update', record, patch: { date: '2026-11-25', ...sizeOfAmount(3 * HOUR_MS) } } as const
  expect(balanceEffect([record], [move], timeline, today)).toBe(-1 * HOUR_MS)
  expect(balanceEffect([record], [{ op: 'delete', record }], timeline, today)).toBe(2 * HOUR_MS)
})

test('vacation over the end of a year counts in the year of each of its days', () => {
  const off = (date: AbsenceRecord['date']) => anAbsence('vacation', date) as AbsenceRecord
  const taken = off('2027-01-04')
  const changes = [
    ...(['2026-12-30', '2026-12-31', '2027-01-05'] as const).map((date) => create(off(date))),
    { op: 'delete', record: taken } as const,
  ]
  const effectIn = (year: number) => vacationEffect([taken], changes, timeline, year)
  expect([2025, 2026, 2027, 2028].map(effectIn)).toEqual([0, 2, 0, 0])
  expect(vacationEffect([taken], changes.slice(2), timeline, 2027)).toBe(0)
  expect(vacationEffect([taken], changes.slice(0, 3), timeline, 2027)).toBe(1)
})
