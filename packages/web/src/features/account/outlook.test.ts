import type { AdjustmentLine } from '@saldo/client/account'
import { anAbsence, anAdjustment, aSettingsRow } from '@saldo/client/testing'
import { buildTimeline, HOUR_MS, type LocalDate } from '@saldo/core'
import { expect, test } from 'vitest'
import { outlookOn } from './outlook.ts'

const timeline = buildTimeline([aSettingsRow()])
const now = { today: '2026-11-23', balanceMs: 10 * HOUR_MS } as const
const payout = anAdjustment('2026-12-01', -4 * HOUR_MS)
const line: AdjustmentLine = {
  kind: 'adjustment',
  date: payout.effective_date,
  record: payout,
  pending: false,
  deltaMs: payout.delta_ms,
  balanceMs: 0,
}

test('days that are worked as planned change nothing', () => {
  expect(outlookOn('2026-11-29', now, [line], [], timeline, 0)).toMatchObject({ balanceMs: 10 * HOUR_MS })
})

test('adds future adjustments from their date on, and extra work', () => {
  expect(outlookOn('2026-12-06', now, [line], [], timeline, HOUR_MS)).toEqual({
    balanceMs: 8 * HOUR_MS,
    adjustmentsMs: -4 * HOUR_MS,
    lieuMs: 0,
    extraMs: 2 * HOUR_MS,
  })
})

test('an adjustment counts from its own date on', () => {
  const on = (date: LocalDate) => outlookOn(date, now, [line], [], timeline, 0).balanceMs / HOUR_MS
  expect([on('2026-11-30'), on('2026-12-01')]).toEqual([10, 6])
})

test('time off in lieu costs a whole day at most', () => {
  const absences = [1, 0.5].map((share) => anAbsence('time_off_in_lieu', '2026-11-24', share))
  expect(outlookOn('2026-11-29', now, [], absences, timeline, 0)).toMatchObject({ lieuMs: -8 * HOUR_MS })
})

test('time off in lieu costs the target of its share, vacation nothing', () => {
  const absences = [
    anAbsence('time_off_in_lieu', '2026-11-24', 0.5),
    anAbsence('time_off_in_lieu', '2026-11-28'),
    anAbsence('vacation', '2026-11-25'),
  ]
  expect(outlookOn('2026-11-29', now, [], absences, timeline, 0)).toMatchObject({ lieuMs: -4 * HOUR_MS })
})
