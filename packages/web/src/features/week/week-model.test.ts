import type { ForecastDay } from '@saldo/client'
import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, computeDay, datesOfWeek, type Entry, HOUR_MS, type IsoWeek, type LocalDate } from '@saldo/core'
import { expect, test } from 'vitest'
import { type WeekDay, weekDays } from './week-days.ts'
import { canClose, closingIssues, dayLockOf, dayRowOf, isBlocking, pathOfWeek, undoableClosing } from './week-model.ts'

const today = '2026-11-18'
const timeline = buildTimeline([aSettingsRow()])
const nine = Date.parse('2026-11-18T08:00:00Z')

function rowOf(date: LocalDate, entries: Entry[] = [], changed: Partial<WeekDay> = {}) {
  return dayRowOf({ date, state: 'open', isOver: date < today, ...changed }, { today, entries, timeline })
}

test('a day has a delta inside the account, once it is today or over', () => {
  expect(rowOf('2026-11-17')).toMatchObject({ isToday: false, isAhead: false, hasDelta: true })
  expect(rowOf(today)).toMatchObject({ isToday: true, isAhead: false, hasDelta: true })
  expect(rowOf('2026-11-19')).toMatchObject({ isToday: false, isAhead: true, hasDelta: false })
  expect(rowOf('2026-11-17', [], { state: 'outside' })).toMatchObject({ hasDelta: false })
  expect(rowOf('2026-11-19', [], { state: 'closed', isOver: true })).toMatchObject({ isAhead: false, hasDelta: true })
})

test('entries that overlap on a day are a warning there, and a running timer is none', () => {
  const overlapping = [aWork(nine, nine + 2 * HOUR_MS), aWork(nine + HOUR_MS, nine + 3 * HOUR_MS)]
  expect(rowOf(today, overlapping).hasWarning).toBe(true)
  expect(rowOf('2026-11-17', overlapping).hasWarning).toBe(false)
  expect(rowOf('2026-11-19', [aWork(nine, null)], { isOver: true }).hasWarning).toBe(false)
})

test('a day has the absences of its date', () => {
  const [sick, vacation] = [anAbsence('sick', today), anAbsence('vacation', '2026-11-19')]
  expect(rowOf(today, [aWork(nine, nine + HOUR_MS), vacation, sick]).absences).toEqual([sick])
})

test('a day that is over is closed or reopened alone, unless its week is closed', () => {
  const open = { state: 'open', isOver: true } as const
  const closed = { state: 'closed', isOver: true } as const
  expect([dayLockOf(open, false), dayLockOf(closed, false)]).toEqual(['close', 'reopen'])
  expect([dayLockOf(open, true), dayLockOf(closed, true)]).toEqual(['locked', 'locked'])
  expect(dayLockOf({ state: 'open', isOver: false }, false)).toBeUndefined()
  expect(dayLockOf({ state: 'outside', isOver: true }, true)).toBeUndefined()
})

const dates = datesOfWeek('2026-W47')
const atNine = (date: string) => Date.parse(`${date}T08:00:00Z`)
const whole = (date: string) => aWork(atNine(date), atNine(date) + 8 * HOUR_MS)
const allWorked = dates.slice(0, 5).map(whole)

function issues(
  entries: Entry[],
  today: LocalDate = '2026-11-23',
  state: ForecastDay['state'] = 'open',
  unsentCount = 0,
) {
  const days = dates.map((date) => ({ date, state, closed: null, forecast: computeDay(entries, timeline, date) }))
  const weekOfDays = weekDays(days, entries, timeline, today, atNine(today))
  return closingIssues(weekOfDays, entries, timeline, unsentCount, '2026-11-23')
}

test('a week with an entry on each working day has no issues', () => {
  expect(issues(allWorked)).toEqual([])
  expect(issues([...allWorked.slice(1), anAbsence('time_off_in_lieu', '2026-11-16')])).toEqual([])
})

test('a week that is not over, or outside the account, cannot be closed', () => {
  expect(issues(allWorked, '2026-11-22')).toEqual([{ kind: 'notOver', closableFrom: '2026-11-23' }])
  expect(issues([], '2026-11-23', 'outside')).toEqual([{ kind: 'outside' }])
  expect(issues(allWorked, '2026-11-22', 'open', 1).map(({ kind }) => kind)).toEqual(['notOver', 'unsent'])
})

test('lists empty days, running timers, entries with warnings and unsent changes', () => {
  const tuesday = atNine('2026-11-17')
  const entries = [
    ...allWorked.slice(1).filter(({ started_at }) => !String(started_at).startsWith('2026-11-18')),
    aWork(tuesday + HOUR_MS, tuesday + 2 * HOUR_MS),
    aWork(atNine('2026-11-18'), null),
  ]
  expect(issues(entries, undefined, undefined, 2)).toEqual([
    { kind: 'unsent', count: 2 },
    { kind: 'empty', date: '2026-11-16', targetMs: 8 * HOUR_MS },
    { kind: 'warnings', date: '2026-11-17', codes: ['overlapping_work'] },
    { kind: 'running', date: '2026-11-18' },
  ])
})

test('only a week that is not over or outside the account cannot be closed', () => {
  const kinds = [...issues(allWorked, '2026-11-22'), ...issues([], '2026-11-23', 'outside'), ...issues([])]
  expect(kinds.filter(isBlocking).map(({ kind }) => kind)).toEqual(['notOver', 'outside'])
})

test('an absence of another day does not excuse an empty one', () => {
  const entries = [...allWorked.slice(1, 4), anAbsence('time_off_in_lieu', '2026-11-16')]
  expect(issues(entries)).toEqual([{ kind: 'empty', date: '2026-11-20', targetMs: 8 * HOUR_MS }])
})

test('a day with nothing but a running break is not empty', () => {
  const pausing = aWork(atNine('2026-11-16'), null, { kind: 'break' })
  const free = dates.slice(1, 5).map((date) => anAbsence('vacation', date))
  expect(issues([pausing, ...free])).toEqual([{ kind: 'running', date: '2026-11-16' }])
})

test('[D14.3] [D14.4] tells hints of days that are over, the rest after the day before the week among them', () => {
  const timeline = buildTimeline([aSettingsRow({ hints: 'de' })])
  const sunday = aWork(atNine('2026-11-15') + 12 * HOUR_MS, atNine('2026-11-15') + 14 * HOUR_MS)
  const entries = [sunday, ...allWorked]
  const days = dates.map((date) => ({
    date,
    state: 'open' as const,
    closed: null,
    forecast: computeDay(entries, timeline, date),
  }))
  const average = { averageMs: 50 * HOUR_MS, weeks: 3, limitMs: 48 * HOUR_MS }
  const ofWeek = (today: LocalDate) => {
    const shown = weekDays(days, entries, timeline, today, atNine(today))
    const found = closingIssues(shown, entries, timeline, 0, '2026-11-23', average)
    return found.filter(({ kind }) => kind === 'hints' || kind === 'longWeeks')
  }
  const missingBreak = { code: 'missing_break', amountMs: HOUR_MS / 2 }
  const monday = [missingBreak, { code: 'short_rest', amountMs: 10 * HOUR_MS }]
  expect(ofWeek('2026-11-18')).toEqual([
    { kind: 'hints', date: '2026-11-16', hints: monday },
    { kind: 'hints', date: '2026-11-17', hints: [missingBreak] },
    { kind: 'longWeeks', hints: [average] },
  ])
  expect(ofWeek('2026-11-23')).toHaveLength(6)
})

test('one blocking issue is enough that a week cannot be closed, and others do not keep it open', () => {
  const unsent = { kind: 'unsent', count: 1 } as const
  expect([[], [unsent]].map(canClose)).toEqual([true, true])
  expect([[{ kind: 'outside' } as const], [unsent, { kind: 'outside' } as const]].map(canClose)).toEqual([false, false])
})

test.each([
  ['close', ['close 2026-W47', 'reopen 2026-W47']],
  ['reopen', ['reopen 2026-W47', 'close 2026-W47']],
] as const)('to %s a week is undone by the other', async (action, expected) => {
  const done: string[] = []
  const closings = {
    close: async (week: IsoWeek) => void done.push(`close ${week}`),
    reopen: async (week: IsoWeek) => void done.push(`reopen ${week}`),
  }
  const { make, takeBack } = undoableClosing(closings, '2026-W47', action)
  await make()
  await takeBack()
  expect(done).toEqual(expected)
})

test('the weeks before and after have addresses, that of the current week without its number', () => {
  expect(pathOfWeek('2026-W53', 1, '2026-W47')).toBe('/week/2027-W01')
  expect(pathOfWeek('2026-W01', -1, '2026-W47')).toBe('/week/2025-W52')
  expect([pathOfWeek('2026-W46', 1, '2026-W47'), pathOfWeek('2026-W48', -1, '2026-W47')]).toEqual(['/week', '/week'])
})
