import {
  buildTimeline,
  type ClosedDay,
  datesIn,
  datesOfWeek,
  type Entry,
  GENERATED_AT,
  HOUR_MS,
  holidayId,
  type KnownDays,
  LAST_DATE,
  type LocalDate,
  type UserNumber,
} from '@saldo/core'
import { expect, test } from 'vitest'
import { aClosedWeek, anAbsence, anAdjustment, aSettingsRow, aWork } from '../testing.ts'
import {
  type AccountRecords,
  balanceRange,
  computedRanges,
  datesOfEntry,
  forecastBalance,
  forecastDays,
  previewRecords,
  previewSettings,
} from './forecast.ts'

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
  expect(previewSettings(account, row, noonMs)).toMatchObject({ beforeMs: HOUR_MS, afterMs: HOUR_MS, weeks: [] })
  expect(forecastBalance(account, [], noonMs)).toMatchObject({ futureAdjustmentsMs: 4 * HOUR_MS })
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
  expect(balance).toMatchObject({ confirmedMs: 7 * HOUR_MS, forecastMs: 7 * HOUR_MS })
})

test('[D3.45] the preview of records has the effect of these alone, whatever unsent changes alter closed days', () => {
  const work = (date: string) => aWork(Date.parse(`${date}T08:00:00Z`), Date.parse(`${date}T14:00:00Z`))
  const account = {
    settings: [aSettingsRow({ effective_from: '2026-11-09' })],
    entries: [work('2026-11-09')],
    adjustments: [],
    // Closed before the work of Monday was recorded.
    closedDays: [{ date: '2026-11-09' as LocalDate, delta_ms: -8 * HOUR_MS } as ClosedDay],
    closedWeeks: [],
    affectedRanges: [{ from: '2026-11-09', to: '2026-11-09' }] as const,
  }
  const preview = previewRecords(account, { entries: [work('2026-11-10')] }, Date.parse('2026-11-11T11:00:00Z'))
  expect(preview).toMatchObject({ beforeMs: -10 * HOUR_MS, afterMs: -4 * HOUR_MS })
})

test('a range of days begins and ends with closed days that lie beyond the settings and today', () => {
  const settings = [aSettingsRow({ effective_from: '2026-11-10' })]
  const closedDays = ['2026-11-09', '2026-11-13'].map((date) => ({ date }) as ClosedDay)
  const noonMs = Date.parse('2026-11-12T11:00:00Z')
  expect(balanceRange({ settings, closedDays }, noonMs)).toEqual({ from: '2026-11-09', to: '2026-11-13' })
  expect(balanceRange({ settings, closedDays: [] }, noonMs)).toEqual({ from: '2026-11-10', to: '2026-11-11' })
})

test('[D16.14] the preview of settings counts the holidays that the service will generate and remove', () => {
  const user = 7 as UserNumber
  const [tuesday, wednesday, thursday, friday] = ['2026-11-10', '2026-11-11', '2026-11-12', '2026-11-13'] as const
  const days: Record<string, readonly LocalDate[]> = { AA: [tuesday, wednesday], BB: [thursday, friday] }
  const knownDays: KnownDays = ({ country }) =>
    (days[country] ?? []).map((date) => ({ date, name: date, isPublic: true, share: 1 }))
  const rule = (country: string) => ({ country, state: null, region: null, partial: {} })
  const generated = (date: LocalDate, changed: Partial<Entry> = {}) =>
    ({
      ...anAbsence('public_holiday', date),
      id: holidayId(user, date),
      source: 'holidays',
      updated_at: GENERATED_AT,
      ...changed,
    }) as Entry
  const row = aSettingsRow({ effective_from: '2026-11-09', holidays: rule('AA') })
  const account = {
    settings: [row],
    // Of Tuesday as it was generated, of Wednesday edited, and of Friday one that was entered.
    entries: [
      generated(tuesday),
      generated(wednesday, { day_share: 0.5, updated_at: '2026-11-01T00:00:00.000Z' }),
      anAbsence('public_holiday', friday),
    ],
    adjustments: [],
    closedDays: [],
    closedWeeks: [],
    affectedRanges: [],
  }
  const mondayMs = Date.parse('2026-11-16T11:00:00Z')
  const preview = (country: string) =>
    previewSettings(account, { ...row, holidays: rule(country) }, mondayMs, { user, knownDays })
  expect(preview('AA')).toMatchObject({ beforeMs: -20 * HOUR_MS, afterMs: -20 * HOUR_MS, weeks: [] })
  // Tuesday is a working day, and Thursday is not.
  expect(preview('BB')).toMatchObject({ afterMs: -20 * HOUR_MS })
  expect(preview('CC')).toMatchObject({ afterMs: -28 * HOUR_MS })
  // A holiday that the user deleted stays deleted where another row applies, whose rule does not change.
  const ownLater = [row, aSettingsRow({ effective_from: thursday, holidays: rule('BB') })]
  const noEntries = { ...account, settings: ownLater, entries: [] }
  expect(previewSettings(noEntries, { ...row, holidays: rule('CC') }, mondayMs, { user, knownDays })).toMatchObject({
    ...{ beforeMs: -40 * HOUR_MS, afterMs: -40 * HOUR_MS },
  })
  // The rule ends with Friday, whose holiday by hand still counts.
  const until = { ...account, settings: [row, aSettingsRow({ effective_from: '2026-11-14' })] }
  expect(previewSettings(until, { ...row, holidays: rule('BB') }, mondayMs, { user, knownDays })).toMatchObject({
    afterMs: -20 * HOUR_MS,
  })
})

/** An account that begins on a Tuesday, with six hours of work on each day. Nobody worked on days when they closed. */
const begun: AccountRecords = {
  settings: [aSettingsRow({ effective_from: '2026-11-10' })],
  entries: ['09', '10', '11', '12'].map((day) => {
    const startMs = Date.parse(`2026-11-${day}T08:00:00Z`)
    return aWork(startMs, startMs + 6 * HOUR_MS)
  }),
  adjustments: [],
  closedDays: ['2026-11-09', '2026-11-10', '2026-11-11'].map((date) => ({ date, delta_ms: -HOUR_MS }) as ClosedDay),
  closedWeeks: [],
  affectedRanges: [{ from: '2026-11-11', to: '2026-11-11' }],
}

test('[D3.44] a day is closed, open or outside, and computed unless it is closed and nothing unsent alters it', () => {
  const days = forecastDays(begun, { from: '2026-11-08', to: '2026-11-12' })
  expect(days.map(({ date, state, closed, forecast }) => [date, state, closed?.date, forecast.delta_ms])).toEqual([
    ['2026-11-08', 'outside', undefined, 0],
    ['2026-11-09', 'closed', '2026-11-09', -HOUR_MS],
    ['2026-11-10', 'closed', '2026-11-10', -HOUR_MS],
    ['2026-11-11', 'closed', '2026-11-11', -2 * HOUR_MS],
    ['2026-11-12', 'open', undefined, -2 * HOUR_MS],
  ])
})

test('[R2.7] the balance is that of closed weeks and adjustments, its forecast that of days and unsent ones', () => {
  const [sent, unsent] = [anAdjustment('2026-11-10', 10 * HOUR_MS), anAdjustment('2026-11-11', 100 * HOUR_MS)]
  const closedWeeks = [aClosedWeek('2026-W44', 2 * HOUR_MS), aClosedWeek('2026-W45', 3 * HOUR_MS)]
  const account = { ...begun, adjustments: [sent, unsent], closedWeeks }
  // The days from the ninth to the twelfth.
  expect(forecastBalance(account, [sent], Date.parse('2026-11-13T11:00:00Z'))).toEqual({
    confirmedMs: 15 * HOUR_MS,
    forecastMs: 104 * HOUR_MS,
    futureAdjustmentsMs: 0,
  })
})

test('an entry touches its date, the dates of its time, or all dates from its start on while it is running', () => {
  const timeline = buildTimeline(begun.settings)
  const at = (time: string) => Date.parse(`2026-11-${time}+01:00`)
  const dates = (entry: Entry) => Object.values(datesOfEntry(entry, timeline))
  expect(dates(anAbsence('sick', '2026-11-12'))).toEqual(['2026-11-12', '2026-11-12'])
  expect(dates(aWork(at('12T22:00:00'), at('13T02:00:00')))).toEqual(['2026-11-12', '2026-11-13'])
  expect(dates(aWork(at('12T22:00:00'), at('13T00:00:00')))).toEqual(['2026-11-12', '2026-11-12'])
  expect(dates(aWork(at('12T22:00:00'), null))).toEqual(['2026-11-12', LAST_DATE])
  expect(dates(aWork(at('12T22:00:00'), at('12T22:00:00')))).toEqual(['2026-11-12', '2026-11-12'])
})

test('[D3.45] the preview of records computes all days anew for a settings row, for entries only theirs', () => {
  const nowMs = Date.parse('2026-11-13T11:00:00Z')
  const row = aSettingsRow({ effective_from: '2026-11-12', target_ms: Array<number>(7).fill(0) })
  // Tuesday and Wednesday have a delta of −2 h; before the account begins, work counts nothing.
  expect(previewRecords(begun, { settings: [row] }, nowMs)).toMatchObject({
    beforeMs: -6 * HOUR_MS,
    afterMs: 2 * HOUR_MS,
  })
  const startMs = Date.parse('2026-11-12T15:00:00Z')
  const more = aWork(startMs, startMs + HOUR_MS)
  expect(previewRecords(begun, { entries: [more] }, nowMs)).toMatchObject({
    beforeMs: -6 * HOUR_MS,
    afterMs: -5 * HOUR_MS,
    weeks: [{ week: '2026-W46', isClosed: false }],
  })
  const [, , , last] = begun.entries
  const shorter = { ...last, ended_at: '2026-11-12T10:00:00.000Z' } as Entry
  expect(previewRecords(begun, { entries: [shorter] }, nowMs)).toMatchObject({ afterMs: -10 * HOUR_MS })
})
