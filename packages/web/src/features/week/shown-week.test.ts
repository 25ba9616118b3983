import { aClosedWeek, aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, computeDay, datesIn, datesOfWeek, HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { lawOfWeek, shownWeek, type WeekRecords, workedByWeek } from './shown-week.ts'

const timeline = buildTimeline([aSettingsRow({ hints: 'de' })])
const nine = (date: string) => Date.parse(`${date}T08:00:00Z`)
const workOn = (date: string) => aWork(nine(date), nine(date) + 6 * HOUR_MS)
const dates = datesOfWeek('2026-W47')
const worked = dates.slice(0, 5).map((date) => workOn(date))
const sunday = aWork(nine('2026-11-15') + 9 * HOUR_MS, nine('2026-11-15') + 14 * HOUR_MS)
const monday = workOn('2026-11-23')

function weekWith(pending: readonly object[], changed: Partial<WeekRecords> = {}) {
  const rows = [sunday, ...worked, monday].map((record) => ({ record, pending: pending.includes(record) }))
  const forecast = dates.map((date) => {
    return { date, state: 'open' as const, closed: null, forecast: computeDay(worked, timeline, date) }
  })
  const records = { forecast, rows, closedWeeks: [], longWeeks: undefined, ...changed }
  return shownWeek('2026-W47', records, timeline, '2026-11-22', nine('2026-11-22'))
}

test('a week has its own entries, and only their unsent changes are an issue', () => {
  const { entries, issues, sums } = weekWith([sunday, worked[1] as object, monday])
  expect(entries).toEqual(worked)
  expect(sums.all.worked_ms).toBe(30 * HOUR_MS)
  expect(issues.slice(0, 2)).toEqual([
    { kind: 'notOver', closableFrom: '2026-11-23' },
    { kind: 'unsent', count: 1 },
  ])
})

test('the rest before the first work of a week counts from the day before it', () => {
  const issues = weekWith([]).issues.filter(({ kind }) => kind === 'hints')
  expect(issues).toMatchObject([{ date: '2026-11-16', hints: [{ code: 'short_rest' }] }])
})

test('a week is closed if the service closed this one, and long weeks are an issue', () => {
  const [before, closed] = [aClosedWeek('2026-W46', 0), aClosedWeek('2026-W47', 0)]
  expect(weekWith([], { closedWeeks: [before] }).closed).toBeUndefined()
  expect(weekWith([], { closedWeeks: [before, closed] }).closed).toBe(closed)
  const longWeeks = { code: 'long_weeks' } as unknown as NonNullable<WeekRecords['longWeeks']>
  expect(weekWith([], { longWeeks }).issues.at(-1)).toEqual({ kind: 'longWeeks', hints: [longWeeks] })
})

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
