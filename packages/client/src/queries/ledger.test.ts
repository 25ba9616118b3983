import {
  type Adjustment,
  addDays,
  buildTimeline,
  type ClosedWeek,
  computeDay,
  HOUR_MS,
  type LocalDate,
} from '@saldo/core'
import { describe, expect, test } from 'vitest'
import type { ShownRecord } from '../engine/shown-record.ts'
import { aClosedWeek, anAdjustment, aSettingsRow } from '../testing.ts'
import type { ForecastDay } from './forecast.ts'
import { ledgerOf, ledgerRange } from './ledger.ts'

const timeline = buildTimeline([aSettingsRow()])

/** Open days from a date on with the deltas, in hours. */
function days(from: LocalDate, ...hours: number[]): ForecastDay[] {
  return hours.map((delta, index) => {
    const date = addDays(from, index)
    const forecast = { ...computeDay([], timeline, date), delta_ms: delta * HOUR_MS }
    return { date, state: 'open', closed: null, forecast }
  })
}

const row = (date: LocalDate, hours: number, kind?: Adjustment['kind']): ShownRecord<Adjustment> => ({
  record: anAdjustment(date, hours * HOUR_MS, kind),
  pending: false,
})
const hours = (lines: readonly { deltaMs: number; balanceMs: number }[]) =>
  lines.map(({ deltaMs, balanceMs }) => [deltaMs / HOUR_MS, balanceMs / HOUR_MS])

describe('the ledger', () => {
  const week = days('2026-11-16', 1, -2, 0, 0, 0, 0, 0)
  const next = days('2026-11-23', 3, 5)
  const closed: ClosedWeek[] = [aClosedWeek('2026-W47', -HOUR_MS)]
  const rows = [row('2026-12-01', -4, 'payout'), row('2026-11-16', 10, 'opening')]
  const ledger = ledgerOf([...week, ...next], closed, rows, '2026-11-24')

  test('confirms neither open weeks nor unsent changes nor future adjustments', () => {
    const unsent = { ...row('2026-11-18', 2), pending: true }
    const changed = week.map((day, index) =>
      index === 0 ? { ...day, forecast: { ...day.forecast, delta_ms: 0 } } : day,
    )
    const { balanceMs, confirmedMs } = ledgerOf([...changed, ...next], closed, [...rows, unsent], '2026-11-24')
    expect([balanceMs, confirmedMs]).toEqual([(10 + 2 - 2 + 3) * HOUR_MS, (10 - 1) * HOUR_MS])
  })

  test('adds weeks and adjustments in the order of their dates; today does not count', () => {
    expect(hours(ledger.lines)).toEqual([
      [10, 10],
      [-1, 9],
      [3, 12],
    ])
    expect(ledger.lines).toMatchObject([{ kind: 'adjustment' }, { closed: closed[0] }, { date: '2026-11-23' }])
    expect(ledger.balanceMs).toBe(12 * HOUR_MS)
  })

  test('keeps future adjustments apart', () => {
    expect(hours(ledger.future)).toEqual([[-4, 8]])
  })

  test('counts an adjustment from its date on, and lists it once', () => {
    const from = (date: LocalDate) => ledgerOf([], [], [row(date, 2)], '2026-11-24')
    expect(from('2026-11-24')).toMatchObject({ lines: [{ deltaMs: 2 * HOUR_MS }], future: [], balanceMs: 2 * HOUR_MS })
    expect(from('2026-11-24').curve).toEqual([{ date: '2026-11-24', balanceMs: 2 * HOUR_MS }])
    expect(from('2026-11-25').curve).toEqual([{ date: '2026-11-24', balanceMs: 0 }])
    expect(from('2026-11-25')).toMatchObject({ lines: [], future: [{ deltaMs: 2 * HOUR_MS }], balanceMs: 0 })
  })

  test('has a curve that ends today with the balance', () => {
    expect(ledger.curve.at(0)).toEqual({ date: '2026-11-16', balanceMs: 11 * HOUR_MS })
    expect(ledger.curve.at(-1)).toEqual({ date: '2026-11-24', balanceMs: 12 * HOUR_MS })
  })

  test('has an adjustment before the week that ends on its date', () => {
    const sunday = [row('2026-11-22', 2), row('2026-11-22', 3)]
    const lines = ledgerOf(week, closed, sunday, '2026-11-24').lines
    expect(hours(lines)).toEqual([
      [2, 2],
      [3, 5],
      [-1, 4],
    ])
    expect(lines.map(({ kind }) => kind)).toEqual(['adjustment', 'adjustment', 'week'])
  })

  test('is empty without days and adjustments', () => {
    expect(ledgerOf([], [], [], '2026-11-24')).toMatchObject({ lines: [], balanceMs: 0 })
  })
})

test('the ledger covers the account up to yesterday, and closed weeks', () => {
  const closed = [aClosedWeek('2026-W47', 0)]
  expect(ledgerRange('2026-11-18', closed, '2026-11-25')).toEqual({ from: '2026-11-16', to: '2026-11-24' })
  expect(ledgerRange('2026-01-01', closed, '2026-11-20')).toEqual({ from: '2026-01-01', to: '2026-11-22' })
})
