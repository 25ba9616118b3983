import { HOUR_MS, parseContent } from '@saldo/core'
import { expect, test } from 'vitest'
import { breakPresets, usualWeek } from '../../domain/work-hours/work-hours-model.ts'
import { answersOf, asksVacationLeft, dueBefore, recordsOf } from './answers.ts'

const answers = {
  targetMs: usualWeek,
  since: '2026-11-01',
  openingMs: -1_800_000,
  isDueWorked: false,
  zone: 'Europe/Berlin',
  breaks: 'de',
  holidays: { country: 'DE', state: 'BY', region: null, partial: {} },
  vacationDays: null,
  vacationLeft: null,
  isAutoClosing: false,
} as const

test('the answers become valid records', () => {
  const { settings, opening } = recordsOf(answers, 0, 'Brought along')
  expect(parseContent('settings_history', settings)).toMatchObject({ ok: true })
  expect(parseContent('balance_adjustments', opening)).toMatchObject({
    ok: true,
    value: { effective_date: '2026-11-01', delta_ms: -1_800_000, kind: 'opening' },
  })
})

test('the settings have the answers, and weeks begin on Monday', () => {
  const { settings } = recordsOf(answers, 0, 'Brought along')
  expect(settings).toEqual({
    effective_from: '2026-11-01',
    time_zone: 'Europe/Berlin',
    target_ms: usualWeek,
    break_policy: breakPresets.de,
    auto_close: null,
    week_starts_on: 1,
    hints: null,
    core_time: null,
    frame: null,
    holidays: answers.holidays,
    vacation: null,
    limits: null,
    note: '',
  })
})

test('weeks close by themselves only if that is wanted', () => {
  const autoCloseOf = (isAutoClosing: boolean) => recordsOf({ ...answers, isAutoClosing }, 0, 'x').settings.auto_close
  expect(autoCloseOf(false)).toBeNull()
  expect(autoCloseOf(true)).toMatchObject({ week_after_days: 2 })
})

test('vacation days make a vacation account, whose carried days expire where the law says so', () => {
  const vacationOf = (change: object) => recordsOf({ ...answers, ...change }, 0, 'x').settings.vacation
  expect(vacationOf({})).toBeNull()
  expect(vacationOf({ vacationDays: 0 })).toEqual({ days_per_year: 0, carry_over_until: '03-31' })
  expect(vacationOf({ vacationDays: 27.5 })).toEqual({ days_per_year: 27.5, carry_over_until: '03-31' })
  const holidays = { ...answers.holidays, country: 'CH' }
  expect(vacationOf({ vacationDays: 25, holidays })).toEqual({ days_per_year: 25, carry_over_until: null })
  expect(vacationOf({ vacationDays: 25, holidays: null })).toEqual({ days_per_year: 25, carry_over_until: null })
})

test('an opening balance of 0 makes no adjustment', () => {
  expect(recordsOf({ ...answers, openingMs: 0 }, HOUR_MS, 'x').opening).toBeUndefined()
})

test('hours that count as worked before today are added to the balance that was typed', () => {
  const openingOf = (isDueWorked: boolean) => recordsOf({ ...answers, isDueWorked }, HOUR_MS, 'x').opening?.delta_ms
  expect([openingOf(false), openingOf(true)]).toEqual([-1_800_000, 1_800_000])
})

test.each([
  [{ since: '2026-10-01', vacationDays: 30, vacationLeft: null }, true, undefined],
  [{ since: '2026-10-01', vacationDays: 30, vacationLeft: 12 }, true, 4.5],
  [{ since: '2026-10-01', vacationDays: 30, vacationLeft: 7.5 }, true, undefined],
  [{ since: '2026-11-02', vacationDays: 28, vacationLeft: -1 }, true, -3.33],
  [{ since: '2026-01-01', vacationDays: 30, vacationLeft: 12 }, false, undefined],
  [{ since: '2026-10-01', vacationDays: null, vacationLeft: 12 }, false, undefined],
] as const)(
  'a start within a year asks for the vacation left, and grants what the twelfths lack: %j',
  (some, isAsked, days) => {
    const changed = { ...answers, ...some }
    expect(asksVacationLeft(changed)).toBe(isAsked)
    const { grant } = recordsOf(changed, 0, 'Left')
    expect(grant).toEqual(
      days && expect.objectContaining({ kind: 'vacation_grant', date: some.since, days, note: 'Left' }),
    )
    if (grant) expect(parseContent('entries', grant)).toMatchObject({ ok: true })
  },
)

test('a start in the past has due hours, up to yesterday', () => {
  // From a Sunday to a Thursday.
  expect(dueBefore({ ...answers, since: '2026-11-01' }, '2026-11-06')).toBe(32 * HOUR_MS)
  expect(dueBefore({ ...answers, since: '2026-11-06' }, '2026-11-06')).toBe(0)
  expect(dueBefore({ ...answers, since: '2026-12-01' }, '2026-11-06')).toBe(0)
})

test('public holidays of a start in the past are not due', () => {
  const allSaints = [{ date: '2026-11-02', name: 'x', isPublic: true, share: 1 }] as const
  const holidays = { ...answers.holidays, partial: { '11-03': 0.5 } }
  expect(dueBefore({ ...answers, holidays }, '2026-11-06', () => allSaints)).toBe(20 * HOUR_MS)
})

test('[D24.13] the defaults of a company are not asked, and are in the settings as they are', () => {
  const limits = { green_ms: HOUR_MS, yellow_ms: 2 * HOUR_MS, period_ends: [], keep_at_most_ms: null }
  const defaults = {
    target_ms: [HOUR_MS, 0, 0, 0, 0, 0, 0],
    limits,
    vacation: { days_per_year: 28, carry_over_until: null },
  }
  const start = { since: '2027-01-01', defaults } as const
  expect(answersOf(answers, start)).toMatchObject({
    targetMs: defaults.target_ms,
    since: start.since,
    vacationDays: 28,
  })
  const { settings } = recordsOf(answersOf(answers, start), 0, 'Brought along', defaults)
  expect(settings).toMatchObject({ ...defaults, effective_from: '2027-01-01', time_zone: 'Europe/Berlin' })
})
