import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import { HOUR_MS, instantOf } from '@saldo/core'
import { expect, test } from 'vitest'
import { formatOf } from '../../context/format.ts'
import { compareFields, fieldsOf } from './record-fields.ts'

const format = formatOf({ locale: 'en-GB', durations: 'clock', hours: 'auto' })
const options = { t: (key: string) => key, format, zone: 'Europe/Berlin' }
const texts = (fields: { text: string }[]) => fields.map(({ text }) => text)
const START_MS = Date.parse('2026-11-20T08:00:00Z')

test('entries show their kind and times in their own zone', () => {
  const work = aWork(START_MS, START_MS + HOUR_MS, { project: 'Saldo', tags: ['a', 'b'] })
  expect(texts(fieldsOf('entries', work, options))).toEqual([
    'entries.kind.work',
    '20 Nov 2026, 09:00',
    '10:00',
    'Saldo',
    '#a #b',
  ])
  // In Berlin it is the next day already.
  const late = Date.parse('2026-11-20T23:30:00Z')
  const evening = aWork(late, late + HOUR_MS, { time_zone: 'America/New_York' })
  expect(texts(fieldsOf('entries', evening, options)).slice(1, 3)).toEqual(['20 Nov 2026, 18:30', '19:30'])
  const away = { ...work, ended_at: null, time_zone: 'America/New_York' }
  expect(texts(fieldsOf('entries', away, options)).slice(1, 3)).toEqual(['20 Nov 2026, 03:00', 'sync.field.running'])
})

test('a rotation shows each of its weeks on a line', () => {
  const week = (hours: number) => Array.from({ length: 7 }, () => hours * HOUR_MS)
  const t = (key: string, { number = 0 }: Record<string, number> = {}) => `${key.split('.').at(-1)} ${number}`
  const row = aSettingsRow({ target_ms: [...week(8), ...week(4)] })
  expect(texts(fieldsOf('settings_history', row, { ...options, t }))).toContain(
    `week 1: ${Array(7).fill('8:00').join(' · ')}\nweek 2: ${Array(7).fill('4:00').join(' · ')}`,
  )
})

test('settings and adjustments show the figures of the account', () => {
  expect(texts(fieldsOf('settings_history', aSettingsRow(), options))).toContain(
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
  const named = fieldsOf('settings_history', row, options).map(({ name, text }) => [name.split('.').at(-1), text])
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
  const plain = texts(fieldsOf('settings_history', aSettingsRow({ break_policy: null, auto_close: null }), options))
  expect(plain.slice(-3)).toEqual(['workHours.breaks.none.name', 'sync.field.off', 'Monday'])
  const payout = { effective_date: '2026-11-01', delta_ms: -HOUR_MS, kind: 'payout', reason: 'Paid' }
  expect(texts(fieldsOf('balance_adjustments', payout, options))).toEqual([
    'account.kind.payout',
    '1 Nov 2026',
    '−1:00',
    'Paid',
  ])
})

test('an absence shows its date and share, and a deleted record nothing', () => {
  expect(texts(fieldsOf('entries', anAbsence('sick', '2026-11-20', 0.5), options))).toEqual([
    'entries.kind.sick',
    '20 Nov 2026',
    '50%',
  ])
  expect(fieldsOf('entries', null, options)).toEqual([])
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
  const compared = compareFields(fieldsOf('entries', mine, options), fieldsOf('entries', theirs, options))
  expect(compared.find(({ name }) => name === 'sync.field.note')).toMatchObject({ mine: 'mine', theirs: undefined })
  expect(compared.filter((row) => row.mine !== row.theirs)).toHaveLength(2)
  expect(compareFields([], fieldsOf('entries', mine, options)).every((row) => row.mine === undefined)).toBe(true)
})
