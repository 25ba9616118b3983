import { HOUR_MS, parseContent } from '@saldo/core'
import { expect, test } from 'vitest'
import { usualWeek } from '../../domain/work-hours/week-hours.ts'
import { dueBefore, recordsOf } from './answers.ts'

const answers = {
  targetMs: usualWeek,
  since: '2026-11-01',
  openingMs: -1_800_000,
  zone: 'Europe/Berlin',
  breaks: 'de',
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

test('weeks close by themselves only if that is wanted', () => {
  const autoCloseOf = (isAutoClosing: boolean) => recordsOf({ ...answers, isAutoClosing }, 'x').settings.auto_close
  expect(autoCloseOf(false)).toBeNull()
  expect(autoCloseOf(true)).toMatchObject({ week_after_days: 2 })
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
