import { type ClosedDay, datesIn, datesOfWeek, HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { aClosedWeek, anAdjustment, aSettingsRow } from '../../test/records.ts'
import { balanceRange, computedRanges, forecastBalance, previewSettings } from './forecast.ts'

test('a late change of an old week reads the entries around it and of the open days, and not all in between', () => {
  const closed = [...datesIn({ from: '2026-01-01', to: '2026-03-31' })]
  const account = {
    settings: [aSettingsRow()],
    entries: [],
    adjustments: [],
    closedDays: closed.map((date) => ({ date }) as ClosedDay),
    closedWeeks: [],
    affectedRanges: [
      { from: '2026-01-05', to: '2026-01-05' },
      { from: '2026-01-20', to: '2026-01-21' },
    ] as const,
  }
  expect(computedRanges(account, { from: '2026-01-01', to: '2026-04-02' })).toEqual([
    { from: '2026-01-05', to: '2026-01-21' },
    { from: '2026-04-01', to: '2026-04-02' },
  ])
})

test('[D3.41] an adjustment counts from its date on, in the balance and in the preview of settings', () => {
  const row = aSettingsRow({ effective_from: '2026-11-24' })
  const account = {
    settings: [row],
    entries: [],
    adjustments: [anAdjustment('2026-11-24', HOUR_MS), anAdjustment('2026-11-25', 4 * HOUR_MS)],
    closedDays: [],
    closedWeeks: [],
    affectedRanges: [],
  }
  const noonMs = Date.parse('2026-11-24T11:00:00Z')
  expect(previewSettings(account, row, noonMs)).toMatchObject({ before_ms: HOUR_MS, after_ms: HOUR_MS, weeks: [] })
  expect(forecastBalance(account, [], noonMs)).toMatchObject({ future_adjustments_ms: 4 * HOUR_MS })
})

test.each([
  ['before the settings begin', '2026-11-23', '2026-11-23T11:00:00Z'],
  ['beyond today, where the clock is behind', '2026-11-09', '2026-11-11T11:00:00Z'],
] as const)('[D3.44] a closed week %s counts in the forecast as in the balance', (_, effective_from, now) => {
  const account = {
    settings: [aSettingsRow({ effective_from })],
    entries: [],
    adjustments: [],
    closedDays: datesOfWeek('2026-W46').map((date) => ({ date, delta_ms: HOUR_MS }) as ClosedDay),
    closedWeeks: [aClosedWeek('2026-W46', 7 * HOUR_MS)],
    affectedRanges: [],
  }
  const balance = forecastBalance(account, [], Date.parse(now))
  expect(balance).toMatchObject({ confirmed_ms: 7 * HOUR_MS, forecast_ms: 7 * HOUR_MS })
})

test('a range of days begins and ends with closed days that lie beyond the settings and today', () => {
  const settings = [aSettingsRow({ effective_from: '2026-11-10' })]
  const closedDays = ['2026-11-09', '2026-11-13'].map((date) => ({ date }) as ClosedDay)
  const noonMs = Date.parse('2026-11-12T11:00:00Z')
  expect(balanceRange({ settings, closedDays }, noonMs)).toEqual({ from: '2026-11-09', to: '2026-11-13' })
  expect(balanceRange({ settings, closedDays: [] }, noonMs)).toEqual({ from: '2026-11-10', to: '2026-11-11' })
})
