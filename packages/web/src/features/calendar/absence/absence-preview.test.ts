import type { AbsenceRecord } from '@saldo/client/entries'
import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, contentOf, HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { type AbsenceContext, absencePreview, workedOn } from './absence-preview.ts'

const vacation = { days_per_year: 30, carry_over_until: null }
const now: AbsenceContext = {
  timeline: buildTimeline([aSettingsRow({ vacation })]),
  today: '2026-11-20',
  balanceMs: 10 * HOUR_MS,
  vacation: { year: 2026, left: 5 },
}
const nothing = { balance: undefined, vacationLeft: undefined }
const create = (kind: AbsenceRecord['kind'], date: AbsenceRecord['date']) => {
  return { op: 'create', content: contentOf(anAbsence(kind, date)) } as const
}

test('the work of the entered days is added up', () => {
  const noon = Date.parse('2026-11-24T11:00:00Z')
  const entries = [aWork(noon, noon + HOUR_MS), aWork(noon + 24 * HOUR_MS, noon + 26 * HOUR_MS)]
  expect(workedOn(['2026-11-24', '2026-11-25', '2026-11-26'], entries, now.timeline)).toBe(3 * HOUR_MS)
})

test('time off in lieu costs balance and no vacation', () => {
  expect(absencePreview([], [create('time_off_in_lieu', '2026-11-24')], now)).toEqual({
    balance: { nowMs: 10 * HOUR_MS, thenMs: 2 * HOUR_MS },
    vacationLeft: undefined,
  })
})

test('vacation costs days of its year and no balance', () => {
  const days = [create('vacation', '2026-12-30'), create('vacation', '2026-12-31'), create('vacation', '2027-01-04')]
  const balance = { nowMs: 10 * HOUR_MS, thenMs: 10 * HOUR_MS }
  expect(absencePreview([], days, now)).toEqual({ balance, vacationLeft: 3 })
  expect(absencePreview([], days, { ...now, vacation: null })).toEqual({ balance, vacationLeft: undefined })
  expect(absencePreview([], days, { ...now, balanceMs: undefined })).toEqual({ balance: undefined, vacationLeft: 3 })
})

test('an entered day that is deleted is won back', () => {
  const record = anAbsence('vacation', '2026-11-24') as AbsenceRecord
  expect(absencePreview([record], [{ op: 'delete', record }], now).vacationLeft).toBe(6)
})

test('nothing is shown without changes, and until the entries are read', () => {
  expect(absencePreview([], [], now)).toEqual(nothing)
  expect(absencePreview(undefined, [create('vacation', '2026-11-24')], now)).toEqual(nothing)
})
