import { HOUR_MS, instantOf } from '@saldo/core'
import { expect, test } from 'vitest'
import { aSettingsRow, aWork } from '../../../test/records.ts'
import { formatOf } from '../../context/format.ts'
import { compare, factsOf } from './facts.ts'

const format = formatOf({ locale: 'en-GB', durations: 'clock', hours: 'auto' })
const words = { t: (key: string) => key, format, zone: 'Europe/Berlin' }
const texts = (facts: { text: string }[]) => facts.map(({ text }) => text)
const START_MS = Date.parse('2026-11-20T08:00:00Z')

test('an entry says when, what and where it ends, in the zone of its place', () => {
  const work = aWork(START_MS, START_MS + HOUR_MS, { project: 'Saldo', tags: ['a', 'b'] })
  expect(texts(factsOf('entries', work, words))).toEqual([
    'entries.kind.work',
    '20 Nov 2026, 09:00',
    '10:00',
    'Saldo',
    '#a #b',
  ])
  const away = { ...work, ended_at: null, time_zone: 'America/New_York' }
  expect(texts(factsOf('entries', away, words)).slice(1, 3)).toEqual(['20 Nov 2026, 03:00', 'sync.fact.running'])
})

test('settings and adjustments say what the account is reckoned with', () => {
  expect(texts(factsOf('settings_history', aSettingsRow(), words))).toContain(
    '8:00 · 8:00 · 8:00 · 8:00 · 8:00 · 0:00 · 0:00',
  )
  const payout = { effective_date: '2026-11-01', delta_ms: -HOUR_MS, kind: 'payout', reason: 'Paid' }
  expect(texts(factsOf('balance_adjustments', payout, words))).toEqual([
    'sync.adjustment.payout',
    '1 Nov 2026',
    '−1:00',
    'Paid',
  ])
})

test('two states stand beside each other, field by field; a deleted one says nothing', () => {
  const mine = aWork(START_MS, START_MS + HOUR_MS, { note: 'mine' })
  const theirs = { ...mine, note: '', ended_at: instantOf(START_MS + 7_200_000) }
  const compared = compare(factsOf('entries', mine, words), factsOf('entries', theirs, words))
  expect(compared.find(({ field }) => field === 'sync.fact.note')).toMatchObject({ mine: 'mine', theirs: undefined })
  expect(compared.filter((row) => row.mine !== row.theirs)).toHaveLength(2)
  expect(compare([], factsOf('entries', mine, words)).every((row) => row.mine === undefined)).toBe(true)
})
