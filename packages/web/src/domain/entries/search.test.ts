import type { TimedRecord } from '@saldo/client/entries'
import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, computeDay, type DateRange, datesIn, type Entry, HOUR_MS } from '@saldo/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyQuery, filterFields, indexOf, readFilter, readSearchDate, search, timeFound } from './search.ts'

const at = (text: string) => Date.parse(text)
const early = aWork(at('2026-03-02T08:00:00Z'), at('2026-03-02T10:00:00Z'), { project: 'Küche', tags: ['Bosch'] })
const late = aWork(at('2026-11-20T23:30:00Z'), at('2026-11-21T01:00:00Z'), { note: 'Night shift in the kitchen' })
const day = anAbsence('vacation', '2026-07-01')
const rows = [early, day, late].map((record) => ({ record, pending: false }))
const index = indexOf(rows, 'Europe/Berlin', '2026-11-21')
const ids = (query: Partial<typeof emptyQuery>) =>
  search(index, { ...emptyQuery, ...query }).map((row) => row.record.id)

test('an empty query finds everything, newest first', () => {
  expect(ids({})).toEqual([late.id, day.id, early.id])
})

test('words are found in notes, projects and tags', () => {
  expect(ids({ words: 'KITCHEN night' })).toEqual([late.id])
  expect(ids({ words: 'kuche #bosch' })).toEqual([early.id])
  expect(ids({ words: 'garden' })).toEqual([])
})

test('the date range applies to all dates that an entry touches', () => {
  expect(ids({ from: '2026-11-21' })).toEqual([late.id])
  expect(ids({ to: '2026-11-20' })).toEqual([day.id, early.id])
  expect(ids({ from: '2026-03-02', to: '2026-03-02' })).toEqual([early.id])
  const night = aWork(at('2026-11-20T22:00:00Z'), at('2026-11-21T02:00:00Z'))
  const nights = indexOf([{ record: night, pending: false }], 'Europe/Berlin', '2026-11-21')
  expect(search(nights, { ...emptyQuery, from: '2026-11-21', to: '2026-11-21' })).toHaveLength(1)
})

test('an entry that ends at midnight touches the date before it alone, and an empty one the date of its start', () => {
  const midnight = at('2026-11-20T23:00:00Z')
  const untilMidnight = aWork(at('2026-11-20T20:00:00Z'), midnight)
  const empty = aWork(midnight, midnight)
  const found = (date: '2026-11-20' | '2026-11-21') => {
    const both = [untilMidnight, empty].map((record) => ({ record, pending: false }))
    const query = { ...emptyQuery, from: date, to: date }
    return search(indexOf(both, 'Europe/Berlin', '2026-11-21'), query).map(({ record }) => record.id)
  }
  expect(found('2026-11-20')).toEqual([untilMidnight.id])
  expect(found('2026-11-21')).toEqual([empty.id])
})

test('kind, project, tag and running timers limit what is found', () => {
  expect(ids({ kind: 'vacation' })).toEqual([day.id])
  expect(ids({ project: 'Küche' })).toEqual([early.id])
  expect(ids({ tag: 'Bosch', kind: 'break' })).toEqual([])
  const timer = aWork(at('2026-11-21T08:00:00Z'), null)
  const withTimer = indexOf([...rows, { record: timer, pending: false }], 'Europe/Berlin', '2026-11-21')
  expect(search(withTimer, { ...emptyQuery, isRunning: true }).map(({ record }) => record.id)).toEqual([timer.id])
})

test('planned entries come last, the next first', () => {
  const planned = indexOf(rows, 'Europe/Berlin', '2026-06-01').map(({ record }) => record.id)
  expect(planned).toEqual([early.id, day.id, late.id])
})

describe('the time of a search', () => {
  const policy = { rules: [{ worked_above_ms: 6 * HOUR_MS, required_ms: HOUR_MS / 2 }], min_piece_ms: 0 }
  const timeline = buildTimeline([aSettingsRow({ break_policy: policy })])
  const worked = (entries: readonly Entry[], query: Partial<typeof emptyQuery> = {}) => {
    const all = indexOf(
      entries.map((record) => ({ record, pending: false })),
      'Europe/Berlin',
      '2026-11-21',
    )
    return timeFound(all, { ...emptyQuery, ...query }, timeline) / HOUR_MS
  }
  const range: DateRange = { from: '2026-11-16', to: '2026-11-17' }
  const monday = at('2026-11-15T23:00:00Z')
  const aQuarter = fc.integer({ min: -20, max: 4 * 60 })
  const anEntry = fc.record({ from: aQuarter, length: fc.integer({ min: 0, max: 40 }), isBreak: fc.boolean() })

  test('of what runs is none, whatever is finished', () => {
    expect(worked([aWork(monday, monday + HOUR_MS)], { isRunning: true })).toBe(0)
  })

  test('of a range is what the account counts for it', () => {
    fc.assert(
      fc.property(fc.array(anEntry, { maxLength: 8 }), (drawn) => {
        const entries = drawn.map(({ from, length, isBreak }) => {
          const start = monday + (from * HOUR_MS) / 4
          return aWork(start, start + (length * HOUR_MS) / 4, { kind: isBreak ? 'break' : 'work' })
        })
        const days = [...datesIn(range)].map((date) => computeDay(entries, timeline, date))
        const counted = days.reduce((sum, figures) => sum + figures.worked_ms - figures.deducted_break_ms, 0)
        expect(worked(entries, range)).toBe(counted / HOUR_MS)
      }),
    )
  })

  test('of words is the time that the found work covers, without breaks that were taken', () => {
    const hours = (from: number, to: number, changed: Partial<TimedRecord> = {}) =>
      aWork(monday + from * HOUR_MS, monday + to * HOUR_MS, changed)
    const entries = [
      hours(8, 12, { project: 'A' }),
      hours(10, 14, { project: 'A' }),
      hours(14, 18),
      hours(11, 11.5, { kind: 'break' }),
    ]
    expect(worked(entries, { words: 'A' })).toBe(5.5)
    expect(worked([aWork(monday, null)])).toBe(0)
  })
})

const filter = { project: 'Big & House', tag: 'ü', words: 'a b', kind: 'break' } as const

test('a filter is read from an address as it was written', () => {
  const written = new URLSearchParams(filterFields(filter))
  expect(readFilter(written, ['', 'work', 'break'])).toEqual(filter)
  expect(readFilter(written, ['', 'work'])).toEqual({ ...filter, kind: '' })
  expect(readFilter(new URLSearchParams(), ['', 'work'])).toEqual({ project: '', tag: '', words: '', kind: '' })
})

test('a date of an address is one of the calendar, or none', () => {
  const params = new URLSearchParams({ from: '2026-02-28', to: '2026-02-29' })
  expect([readSearchDate(params, 'from'), readSearchDate(params, 'to')]).toEqual(['2026-02-28', undefined])
  expect(readSearchDate(new URLSearchParams(), 'from')).toBeUndefined()
})
