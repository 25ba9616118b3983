import { aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, computeDay, datesIn, HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { lawOfWeek, workedByWeek } from './long-weeks.ts'

test('the law of a week is that of its Sunday: the average of 24 weeks in Germany, of one in Switzerland', () => {
  const timeline = buildTimeline([
    aSettingsRow({ effective_from: '2026-01-01' }),
    aSettingsRow({ effective_from: '2026-11-14', hints: 'de' }),
    aSettingsRow({ effective_from: '2026-11-22', hints: 'ch' }),
  ])
  expect((['2026-W45', '2026-W46', '2026-W47'] as const).map((week) => lawOfWeek(week, timeline))).toEqual([
    undefined,
    { country: 'de', weeks: { from: '2026-06-01', to: '2026-11-15' } },
    { country: 'ch', weeks: { from: '2026-11-16', to: '2026-11-22' } },
  ])
})

test('work is added up by weeks, without weeks before the account', () => {
  const timeline = buildTimeline([aSettingsRow()])
  const nine = (date: string) => Date.parse(`${date}T08:00:00Z`)
  const entries = ['2026-11-15', '2026-11-16', '2026-11-22'].map((date, index) =>
    aWork(nine(date), nine(date) + (index + 1) * HOUR_MS),
  )
  const days = [...datesIn({ from: '2026-11-08', to: '2026-11-22' })].map((date) => ({
    date,
    state: date < '2026-11-09' ? ('outside' as const) : ('open' as const),
    forecast: computeDay(entries, timeline, date),
  }))
  expect(workedByWeek(days)).toEqual([HOUR_MS, 5 * HOUR_MS])
})
