import { HOUR_MS } from '@saldo/core'
import { expect, test } from 'vitest'
import {
  type ChosenFile,
  closingOffer,
  emptyFieldsFrom,
  factsOf,
  mapColumn,
  samplesOf,
  withAnswers,
} from './import-model.ts'

const file: ChosenFile = {
  source: new File([], 'hours.csv'),
  choices: {},
  answers: { timeZone: 'Europe/Berlin' },
  reading: undefined,
  look: undefined,
  isBusy: false,
}

test('an answer leaves those to other questions as they are, and replaces the one to its own', () => {
  const answered = withAnswers(withAnswers(file, { user: 'Ada', timeZone: 'Europe/London' }), { dateOrder: 'dmy' })
  expect(answered.answers).toEqual({ timeZone: 'Europe/London', user: 'Ada', dateOrder: 'dmy' })
  expect(withAnswers(answered, { user: 'Bob' }).answers).toEqual({ ...answered.answers, user: 'Bob' })
})

const preview = {
  entries: 4,
  settings: 2,
  adjustments: 1,
  covered_ms: 10 * HOUR_MS,
  overlapping_ms: 3 * HOUR_MS,
  first: '2026-01-01',
  account_from: '2026-01-01',
  weeks: [{ isClosed: true }, { isClosed: false }, { isClosed: true }],
} as const

test('an import adds entries, settings and adjustments, and counts no time twice', () => {
  expect(factsOf(preview)).toEqual({
    recordCount: 7,
    countedMs: 7 * HOUR_MS,
    isBeforeAccount: false,
    closedCount: 2,
  })
})

test('an import says if it has entries before the account, or without one', () => {
  expect(factsOf({ ...preview, account_from: '2026-01-02' }).isBeforeAccount).toBe(true)
  expect(factsOf({ ...preview, account_from: null }).isBeforeAccount).toBe(true)
  expect(factsOf({ ...preview, first: null, account_from: null }).isBeforeAccount).toBe(false)
})

test('a column holds one thing: chosen for another field, it leaves the one before', () => {
  const columns = { date: 'Tag', start: 'Kam' }
  expect(mapColumn(columns, 'end', 'Ging')).toEqual({ ...columns, end: 'Ging' })
  expect(mapColumn(columns, 'end', 'Kam')).toEqual({ date: 'Tag', end: 'Kam' })
  expect(mapColumn(columns, 'start', 'Ging')).toEqual({ date: 'Tag', start: 'Ging' })
  expect(mapColumn(columns, 'start', null)).toEqual({ date: 'Tag' })
})

test('a column shows its first three values, each once, and none that are empty', () => {
  const table = {
    header: ['Tag', 'Kam'],
    samples: [['1'], ['2', ' x '], ['3', ''], ['4', 'y'], ['5', 'x'], ['6', 'z']],
  }
  expect(samplesOf(table, 'Kam')).toEqual(['x', 'y', 'z'])
  expect(samplesOf(table, 'Tag')).toEqual(['1', '2', '3'])
  expect(samplesOf(table, 'Ging')).toEqual([])
  expect(samplesOf(table, undefined)).toEqual([])
})

test('[D11.12] an exported profile fills the empty fields and replaces none', () => {
  const own = { name: 'Ada Lovelace', personnel_number: '', employer: '' }
  const exported = { name: 'Ada Byron', personnel_number: '4711' }
  expect(emptyFieldsFrom(own, exported)).toEqual({ personnel_number: '4711' })
})

test('closings of an export are offered by weeks, or by days if only days were closed', () => {
  const [week, ...days] = ['2026-W01', '2025-12-29', '2025-12-30'] as const
  const key = 'importExport.close.why'
  expect(closingOffer({ closedWeeks: [week], closedDays: days })).toEqual({ key, count: 1 })
  expect(closingOffer({ closedWeeks: [week], closedDays: [] })).toEqual({ key, count: 1 })
  expect(closingOffer({ closedWeeks: [], closedDays: days })).toEqual({ key: `${key}Days`, count: 2 })
  expect(closingOffer({ closedWeeks: [], closedDays: [] })).toBeUndefined()
})
