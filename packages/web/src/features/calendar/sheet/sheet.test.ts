import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, computeDay, type DateRange, type Entry, HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import { shownTimeline } from '../../../domain/account/timeline.ts'
import { calendarDays } from '../calendar-days.ts'
import { sheetOf } from './sheet.ts'

const at = (time: string) => Date.parse(`2026-11-${time}:00+01:00`)
const settings = aSettingsRow({ effective_from: '2026-11-17' })
const shown = shownTimeline([settings], 'Europe/Berlin')
const range: DateRange = { from: '2026-11-16', to: '2026-11-21' }
const entries: Entry[] = [
  aWork(at('16T09:00'), at('16T10:00')),
  aWork(at('17T13:00'), at('17T17:30')),
  aWork(at('17T09:00'), at('17T12:30')),
  aWork(at('18T22:00'), at('19T02:00')),
  anAbsence('sick', '2026-11-19', 0.5),
  aWork(at('20T09:00'), null),
]
const forecast = (['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'] as const).map((date) => ({
  date,
  state: 'open' as const,
  closed: null,
  forecast: computeDay(entries, buildTimeline([settings]), date),
}))
const rows = entries.map((record) => ({ record, pending: false }))
const days = [...calendarDays(range, shown, forecast, rows).values()]
const sheet = sheetOf(days, entries, shown.timeline, '2026-11-20')

test('each row has the first start, the last end and the break of its day', () => {
  const times = sheet.rows.map(({ present, breakMs }) => present && [present.start, present.end, breakMs / HOUR_MS])
  expect(times).toEqual([
    [at('16T09:00'), at('16T10:00'), 0],
    [at('17T09:00'), at('17T17:30'), 0.5],
    [at('18T22:00'), at('19T00:00'), 0],
    [at('19T00:00'), at('19T02:00'), 0],
    undefined,
    undefined,
  ])
})

test('the sums cover the finished days inside the account, and add up', () => {
  const { sums, sumsUntil } = sheet
  expect(sumsUntil).toBe('2026-11-19')
  expect(sums).toEqual({
    breakMs: 0.5 * HOUR_MS,
    workedMs: 12 * HOUR_MS,
    creditedMs: 4 * HOUR_MS,
    targetMs: 24 * HOUR_MS,
    deltaMs: -8 * HOUR_MS,
  })
  expect(sums.workedMs + sums.creditedMs - sums.targetMs).toBe(sums.deltaMs)
  expect(sheetOf(days, entries, shown.timeline, '2026-11-30').sumsUntil).toBeUndefined()
})
