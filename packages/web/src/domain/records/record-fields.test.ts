import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import { HOUR_MS, instantOf } from '@saldo/core'
import { expect, test } from 'vitest'
import { formatOf } from '../../context/format.ts'
import { compareFields, shownFieldsOf } from './record-fields.ts'

const format = formatOf({ locale: 'en-GB', durations: 'clock', hours: 'auto' })
const options = { t: (key: string) => key, format, zone: 'Europe/Berlin' }
const texts = (fields: { text: string }[]) => fields.map(({ text }) => text)
const START_MS = Date.parse('2026-11-20T08:00:00Z')

test('entries show their kind and times in their own zone', () => {
  const work = aWork(START_MS, START_MS + HOUR_MS, { project: 'Saldo', tags: ['a', 'b'] })
  expect(texts(shownFieldsOf('entries', work, options))).toEqual([
    'entries.kind.work',
    '20 Nov 2026, 09:00',
    '10:00',
    'Saldo',
    '#a #b',
  ])
  // In Berlin it is the next day already.
  const late = Date.parse('2026-11-20T23:30:00Z')
  const evening = aWork(late, late + HOUR_MS, { time_zone: 'America/New_York' })
  expect(texts(shownFieldsOf('entries', evening, options)).slice(1, 3)).toEqual(['20 Nov 2026, 18:30', '19:30'])
  const overnight = aWork(START_MS, START_MS + 15 * HOUR_MS)
  expect(texts(shownFieldsOf('entries', overnight, options)).slice(1, 3)).toEqual([
    '20 Nov 2026, 09:00',
    '21 Nov 2026, 00:00',
  ])
  const away = { ...work, ended_at: null, time_zone: 'America/New_York' }
  expect(texts(shownFieldsOf('entries', away, options)).slice(1, 3)).toEqual([
    '20 Nov 2026, 03:00',
    'sync.field.running',
  ])
})

test('a rotation shows each of its weeks on a line', () => {
  const week = (hours: number) => Array.from({ length: 7 }, () => hours * HOUR_MS)
  const t = (key: string, { number = 0 }: Record<string, number> = {}) => `${key.split('.').at(-1)} ${number}`
  const row = aSettingsRow({ target_ms: [...week(8), ...week(4)] })
  expect(texts(shownFieldsOf('settings_history', row, { ...options, t }))).toContain(
    `week 1: ${Array(7).fill('8:00').join(' · ')}\nweek 2: ${Array(7).fill('4:00').join(' · ')}`,
  )
})

test('settings and adjustments show the figures of the account', () => {
  expect(texts(shownFieldsOf('settings_history', aSettingsRow(), options))).toContain(
    '8:00 · 8:00 · 8:00 · 8:00 · 8:00 · 0:00 · 0:00',
  )
  const row = aSettingsRow({
    break_policy: { rules: [], min_piece_ms: 1 },
    auto_close: { day_after_ms: 0, week_after_days: 0 },
    note: 'agreed',
    week_starts_on: 7,
    hints: 'de',
    core_time: { from: '09:00', to: '15:00' },
    frame: { from: '06:00', to: '20:00' },
  })
  const named = shownFieldsOf('settings_history', row, options).map(({ name, text }) => [name.split('.').at(-1), text])
  expect(named.filter(([name]) => name !== 'hours')).toEqual([
    ['from', format.date(row.effective_from, 'medium')],
    ['zone', 'Europe/Berlin'],
    ['breaks', 'sync.field.ownBreaks'],
    ['autoClose', 'sync.field.on'],
    ['weekStart', 'Sunday'],
    ['hints', 'workHours.breaks.de.name'],
    ['coreTime', '09:00 – 15:00'],
    ['frame', '06:00 – 20:00'],
    ['note', 'agreed'],
  ])
  const plain = texts(
    shownFieldsOf('settings_history', aSettingsRow({ break_policy: null, auto_close: null }), options),
  )
  expect(plain.slice(-3)).toEqual(['workHours.breaks.none.name', 'sync.field.off', 'Monday'])
  const payout = { effective_date: '2026-11-01', delta_ms: -HOUR_MS, kind: 'payout', reason: 'Paid' }
  expect(texts(shownFieldsOf('balance_adjustments', payout, options))).toEqual([
    'account.kind.payout',
    '1 Nov 2026',
    '−1:00',
    'Paid',
  ])
})

test('the rules of vacation and of limits show their days and hours', () => {
  const shown = (changed: Parameters<typeof aSettingsRow>[0]) =>
    shownFieldsOf('settings_history', aSettingsRow(changed), options)
      .filter(({ name }) => ['sync.field.vacation', 'sync.field.limits'].includes(name))
      .map(({ text }) => text)
  const vacation = { days_per_year: 27.5, carry_over_until: null }
  const limits = { green_ms: 10 * HOUR_MS, yellow_ms: 20 * HOUR_MS, period_ends: [], keep_at_most_ms: null }
  expect(shown({ vacation, limits })).toEqual(['27.5', '±10:00 · ±20:00'])
  expect(
    shown({
      vacation: { ...vacation, carry_over_until: '03-31' },
      limits: { ...limits, period_ends: ['06-30', '12-31'], keep_at_most_ms: 40 * HOUR_MS },
    }),
  ).toEqual(['27.5 · 31 March', '±10:00 · ±20:00 · ≤ 40:00 · 30 June · 31 December'])
})

test('an absence shows its date and share, and a deleted record nothing', () => {
  expect(texts(shownFieldsOf('entries', anAbsence('sick', '2026-11-20', 0.5), options))).toEqual([
    'entries.kind.sick',
    '20 Nov 2026',
    '50%',
  ])
  const inHours = { ...anAbsence('sick', '2026-11-20'), day_share: null, amount_ms: 1.5 * HOUR_MS }
  expect(shownFieldsOf('entries', inHours, options).at(-1)).toEqual({ name: 'sync.field.length', text: '1:30' })
  const grant = { ...anAbsence('vacation', '2026-01-01'), kind: 'vacation_grant', days: 2.5 }
  expect(shownFieldsOf('entries', grant, options).at(-1)).toEqual({ name: 'sync.field.days', text: '+2.5' })
  expect(shownFieldsOf('entries', null, options)).toEqual([])
})

test('compared fields are in the order of the version with more of them', () => {
  const field = (name: string) => ({ name, text: name })
  const [short, long] = [['a', 'c'].map(field), ['a', 'b', 'c'].map(field)]
  expect(compareFields(short, long).map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  expect(compareFields(long, short).map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  expect(compareFields(short, [field('d')]).map(({ name }) => name)).toEqual(['a', 'c', 'd'])
})

test('two versions are compared field by field; a deleted one has no fields', () => {
  const mine = aWork(START_MS, START_MS + HOUR_MS, { note: 'mine' })
  const theirs = { ...mine, note: '', ended_at: instantOf(START_MS + 7_200_000) }
  const compared = compareFields(shownFieldsOf('entries', mine, options), shownFieldsOf('entries', theirs, options))
  expect(compared.find(({ name }) => name === 'sync.field.note')).toMatchObject({ mine: 'mine', theirs: undefined })
  expect(compared.filter((row) => row.mine !== row.theirs)).toHaveLength(2)
  expect(compareFields([], shownFieldsOf('entries', mine, options)).every((row) => row.mine === undefined)).toBe(true)
})
