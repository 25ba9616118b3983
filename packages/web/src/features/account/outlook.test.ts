import type { AdjustmentLine } from '@saldo/client/account'
import { anAbsence, anAdjustment, aSettingsRow } from '@saldo/client/testing'
import { buildTimeline, HOUR_MS, type LocalDate } from '@saldo/core'
import { describe, expect, test } from 'vitest'
import { outlookDates, outlookOn, rangeOutlook } from './outlook.ts'

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
  expect(outlookOn('2026-11-29', now, [], absences, timeline, 0)).toMatchObject({
    lieuMs: -8 * HOUR_MS,
    balanceMs: 2 * HOUR_MS,
  })
})

test('time off in lieu costs the target of its share, vacation nothing', () => {
  const absences = [
    anAbsence('time_off_in_lieu', '2026-11-24', 0.5),
    anAbsence('time_off_in_lieu', '2026-11-28'),
    anAbsence('vacation', '2026-11-25'),
  ]
  expect(outlookOn('2026-11-29', now, [], absences, timeline, 0)).toMatchObject({ lieuMs: -4 * HOUR_MS })
})

describe('the range of the balance', () => {
  const limits = { green_ms: 12 * HOUR_MS, yellow_ms: 20 * HOUR_MS, period_ends: [], keep_at_most_ms: null }
  const limited = buildTimeline([aSettingsRow({ limits })])
  const on = (extraMs: number, balanceMs = now.balanceMs, rows = limited) =>
    rangeOutlook('2027-11-23', { ...now, balanceMs }, [line], [], rows, extraMs)

  test('stays in the green range, if nothing is worked beyond the plan', () => {
    expect(on(0)).toEqual({ change: 'stays', color: 'green', date: '2027-11-23' })
  })

  test('leaves the green range on the first date beyond it, after adjustments on the way', () => {
    // 10 h, 4 h of which are paid out on 1 December, and 1 h more in each week.
    expect(on(HOUR_MS)).toEqual({ change: 'leaves', color: 'green', date: '2027-01-04' })
    expect(on(7 * HOUR_MS)).toEqual({ change: 'leaves', color: 'green', date: '2026-11-25' })
  })

  test('time off in lieu brings the balance back to the green range', () => {
    const lieu = [anAbsence('time_off_in_lieu', '2026-11-26')]
    const later = { ...now, balanceMs: 15 * HOUR_MS }
    const outlook = rangeOutlook('2026-11-30', later, [], lieu, limited, 0)
    expect(outlook).toEqual({ change: 'returns', color: 'yellow', date: '2026-11-26' })
  })

  test('is unknown without limits, and ends where they do', () => {
    expect(on(HOUR_MS, 0, timeline)).toBeUndefined()
    const rows = buildTimeline([...limited, aSettingsRow({ effective_from: '2026-11-30' })])
    expect(on(HOUR_MS, now.balanceMs, rows)).toEqual({ change: 'stays', color: 'green', date: '2026-11-29' })
  })
})

test('an outlook is on a date from today to ten years on, and looks at a year at least', () => {
  const today = '2026-11-23'
  const aYearOn = '2027-11-23'
  const last = '2036-11-23'
  const until = (to: LocalDate) => ({ from: today, to })
  expect(outlookDates('2026-11-22', today)).toEqual({ to: today, ahead: until(aYearOn), last })
  expect(outlookDates('2026-12-31', today)).toEqual({ to: '2026-12-31', ahead: until(aYearOn), last })
  expect(outlookDates('2027-11-24', today)).toEqual({ to: '2027-11-24', ahead: until('2027-11-24'), last })
  expect(outlookDates('2040-01-01', today)).toEqual({ to: last, ahead: until(last), last })
})
