import { HOUR_MS, parseContent } from '@saldo/core'
import { expect, test } from 'vitest'
import { breakPresets, usualWeek } from '../../domain/work-hours/work-hours-model.ts'
import { dueBefore, recordsOf } from './answers.ts'

const answers = {
  targetMs: usualWeek,
  since: '2026-11-01',
  openingMs: -1_800_000,
  zone: 'Europe/Berlin',
  breaks: 'de',
  holidays: { country: 'DE', state: 'BY', region: null, partial: {} },
  vacationDays: null,
  isAutoClosing: false,
} as const

test('the answers become valid records', () => {
  const { settings, opening } = recordsOf(answers, 'Brought along')
  expect(parseContent('settings_history', settings)).toMatchObject({ ok: true })
  expect(parseContent('balance_adjustments', opening)).toMatchObject({
    ok: true,
    value: { effective_date: '2026-11-01', delta_ms: -1_800_000, kind: 'opening' },
  })
})

test('the settings have the answers, and weeks begin on Monday', () => {
  const { settings } = recordsOf(answers, 'Brought along')
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
  const autoCloseOf = (isAutoClosing: boolean) => recordsOf({ ...answers, isAutoClosing }, 'x').settings.auto_close
  expect(autoCloseOf(false)).toBeNull()
  expect(autoCloseOf(true)).toMatchObject({ week_after_days: 2 })
})

test('vacation days make a vacation account, whose carried days expire where the law says so', () => {
  const vacationOf = (change: object) => recordsOf({ ...answers, ...change }, 'x').settings.vacation
  expect(vacationOf({})).toBeNull()
  expect(vacationOf({ vacationDays: 0 })).toEqual({ days_per_year: 0, carry_over_until: '03-31' })
  expect(vacationOf({ vacationDays: 27.5 })).toEqual({ days_per_year: 27.5, carry_over_until: '03-31' })
  const holidays = { ...answers.holidays, country: 'CH' }
  expect(vacationOf({ vacationDays: 25, holidays })).toEqual({ days_per_year: 25, carry_over_until: null })
  expect(vacationOf({ vacationDays: 25, holidays: null })).toEqual({ days_per_year: 25, carry_over_until: null })
})

test('an opening balance of 0 makes no adjustment', () => {
  expect(recordsOf({ ...answers, openingMs: 0 }, 'x').opening).toBeUndefined()
})

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
