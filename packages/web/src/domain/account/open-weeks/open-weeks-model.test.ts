import type { ForecastDay } from '@saldo/client'
import { shownTimeline } from '@saldo/client/entries'
import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import {
  buildTimeline,
  computeDay,
  type DateRange,
  datesIn,
  type Entry,
  entriesByDate,
  HOUR_MS,
  type IsoWeek,
  type LocalDate,
} from '@saldo/core'
import { expect, test } from 'vitest'
import {
  daysToCheck,
  finishedWeeks,
  openWeeksOf,
  undoableClosingOfWeeks,
  weeksUntil,
  weekToRemind,
} from './open-weeks-model.ts'

const timeline = buildTimeline([aSettingsRow()])
const daysOf = (range: DateRange): ForecastDay[] =>
  [...datesIn(range)].map((date) => ({
    date,
    state: date < '2026-11-05' ? 'outside' : 'open',
    closed: null,
    forecast: computeDay([], timeline, date),
  }))

test('open weeks are over, not closed, and at least partly in the account', () => {
  const days = daysOf({ from: '2026-10-26', to: '2026-11-29' })
  const closed = [{ week: '2026-W46' as const }]
  expect(openWeeksOf(days, closed, '2026-11-22')).toEqual([
    { week: '2026-W45', lastDate: '2026-11-08', deltaMs: -16 * HOUR_MS },
  ])
  expect(openWeeksOf(days, closed, '2026-11-23').map(({ week }) => week)).toEqual(['2026-W45', '2026-W47'])
})

test('days to check are working days without an entry, and days with a warning', () => {
  const at = (time: string) => Date.parse(`${time}+01:00`)
  const whole = (date: string) => aWork(at(`${date}T09:00`), at(`${date}T17:00`))
  const dates = ['2026-11-16', '2026-11-17', '2026-11-18'] as const
  const entries: Entry[] = [...dates.map(whole), whole('2026-11-18'), anAbsence('vacation', '2026-11-19')]
  const entriesOn = entriesByDate(entries, timeline, { from: '2026-11-16', to: '2026-11-22' })
  // The overlap on Wednesday, and Friday.
  expect(daysToCheck({ week: '2026-W47' }, entriesOn, timeline)).toBe(2)
})

test('finished weeks are those from the beginning of the account to the end of last week', () => {
  const shown = (from: LocalDate) => shownTimeline([aSettingsRow({ effective_from: from })], 'Europe/Berlin').timeline
  const range = { from: '2026-11-05', to: '2026-11-15' }
  expect(finishedWeeks(shown('2026-11-05'), '2026-11-16')).toEqual(range)
  expect(finishedWeeks(shown('2026-11-05'), '2026-11-22')).toEqual(range)
  expect(finishedWeeks(shown('2026-11-15'), '2026-11-22')).toEqual({ from: '2026-11-15', to: '2026-11-15' })
  expect(finishedWeeks(shown('2026-11-16'), '2026-11-22')).toBeUndefined()
  expect(finishedWeeks(shownTimeline([], 'Europe/Berlin').timeline, '2026-11-22')).toBeUndefined()
})

const openWeeks = (['2026-W45', '2026-W46', '2026-W47'] as const).map((week) => {
  return { week, lastDate: '2026-11-22' as const, deltaMs: 0 }
})

test('weeks are closed up to the chosen one', () => {
  expect(weeksUntil(openWeeks, '2026-W46')).toEqual(openWeeks.slice(0, 2))
  expect(weeksUntil(openWeeks, undefined)).toEqual([])
})

test('the user is reminded of two open weeks, unless the service closes them or the user postponed it', () => {
  const autoClose = { day_after_ms: 0, week_after_days: 7 }
  expect(weekToRemind(openWeeks.slice(0, 2), null, null)).toBe('2026-W46')
  expect(weekToRemind(openWeeks.slice(0, 1), null, null)).toBeUndefined()
  expect(weekToRemind([], undefined, null)).toBeUndefined()
  expect(weekToRemind(openWeeks, autoClose, null)).toBeUndefined()
  expect(weekToRemind(openWeeks, undefined, '2026-W47')).toBeUndefined()
  expect(weekToRemind(openWeeks, null, '2026-W46')).toBe('2026-W47')
})

const weeks: IsoWeek[] = ['2026-W45', '2026-W46', '2026-W47']

test('weeks are closed in order, and undo reopens those that were closed, also after a failure', async () => {
  for (const failing of [undefined, '2026-W47']) {
    const done: string[] = []
    const closings = {
      async close(week: IsoWeek) {
        if (week === failing) throw new Error('no')
        done.push(`close ${week}`)
      },
      reopen: async (week: IsoWeek) => void done.push(`reopen ${week}`),
    }
    const { make, takeBack } = undoableClosingOfWeeks(closings, weeks)
    const closed = weeks.filter((week) => week !== failing)
    await make().catch(() => {})
    await takeBack()
    expect(done).toEqual([...closed.map((week) => `close ${week}`), ...closed.map((week) => `reopen ${week}`)])
  }
})
