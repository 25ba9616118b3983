import { type ClosedDay, datesIn, HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { anAdjustment, aSettingsRow } from '../../test/records.ts'
import { computedRanges, forecastBalance, previewSettings } from './forecast.ts'

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
