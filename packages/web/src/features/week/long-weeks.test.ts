import { aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, computeDay, datesIn, daysBetween, HOUR_MS, weekdayIndex } from '@saldo/core'
import { expect, test } from 'vitest'
import { hintedWeeks, workedByWeek } from './long-weeks.ts'

test('the average of work is that of whole weeks, of 24 in Germany and of one in Switzerland', () => {
  for (const [country, weeks] of [
    ['de', 24],
    ['ch', 1],
  ] as const) {
    const { from, to } = hintedWeeks('2026-11-22', country)
    expect([weekdayIndex(from), daysBetween(from, to) + 1, to]).toEqual([0, 7 * weeks, '2026-11-22'])
  }
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
