import { entriesAfter, type TimedRecord } from '@saldo/client/entries'
import { anAbsence, aSettingsRow, aWork } from '@saldo/client/testing'
import {
  buildTimeline,
  computeDay,
  type Entry,
  HOUR_MS,
  instantOf,
  netWorkMs,
  type RecordId,
  statutoryBreaks,
} from '@saldo/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Cell, cellOf, changesFor, losesDetails, projectsIn, typedHours } from './cells.ts'

const date = '2026-11-18'
const timeline = buildTimeline([aSettingsRow()])
const midnight = Date.parse('2026-11-17T23:00:00Z')
const at = (hours: number) => midnight + hours * HOUR_MS
const work = (from: number, to: number | null, project: string | null = 'A') =>
  aWork(at(from), to === null ? null : at(to), { project })

const idOf = (index: number): RecordId => `00000000-0000-4000-8000-00000000000${index}`

/** The entries once the hours were typed; `undefined` where they do not fit. */
function typed(entries: readonly Entry[], hours: number, project: string | null = 'A'): Entry[] | undefined {
  const changes = changesFor(cellOf(entries, timeline, date, project), hours * HOUR_MS, entries, timeline)
  if (!changes) return undefined
  let now = [...entries]
  for (const change of changes) {
    if (change.op === 'create') now.push({ ...aWork(0, 0), ...change.content })
    else now = now.filter(({ id }) => id !== change.record.id)
    if (change.op === 'update') now.push({ ...change.record, ...change.patch } as Entry)
  }
  return now
}

const hoursOf = (cell: Cell) => cell.workedMs / HOUR_MS
const hoursIn = (entries: readonly Entry[] | undefined, project: string | null = 'A') =>
  entries && hoursOf(cellOf(entries, timeline, date, project))

describe('a cell', () => {
  test('counts the time that a project covers once, without breaks', () => {
    const pause = aWork(at(12), at(12.5), { kind: 'break' })
    const uncounted = aWork(at(15), at(16), { project: 'A', counts: false })
    expect(hoursIn([work(9, 13), work(12, 14), work(20, 21, 'B'), pause, uncounted])).toBe(4.5)
  })

  test('is locked if work is running or reaches into another day', () => {
    expect(cellOf([work(22, 26)], timeline, date, 'A')).toMatchObject({ workedMs: 2 * HOUR_MS, locked: 'overMidnight' })
    expect(cellOf([work(-2, 1)], timeline, date, 'A')).toMatchObject({ workedMs: HOUR_MS, locked: 'overMidnight' })
    expect(cellOf([work(8, 9), work(22, 26)], timeline, date, 'A').locked).toBe('overMidnight')
    expect(cellOf([work(9, null)], timeline, date, 'A').locked).toBe('running')
    expect(cellOf([work(8, 9), work(9, null)], timeline, date, 'A').locked).toBe('running')
    expect(cellOf([work(30, null), work(-5, -2)], timeline, date, 'A').locked).toBeUndefined()
    expect(cellOf([work(-5, 0), work(24, 30)], timeline, date, 'A')).toMatchObject({ workedMs: 0 })
    expect(cellOf([work(-5, 0), work(0, 24), work(24, 30)], timeline, date, 'A').locked).toBeUndefined()
    expect(cellOf([work(-1, 25)], timeline, date, 'A').locked).toBe('overMidnight')
  })
})

describe('typed hours', () => {
  test('begin at nine, or after what is there', () => {
    expect(typed([], 7.5)?.[0]).toMatchObject({
      started_at: instantOf(at(9)),
      ended_at: instantOf(at(16.5)),
      project: 'A',
    })
    expect(typed([work(9, 12, 'B')], 2)?.[1]).toMatchObject({ started_at: instantOf(at(12)) })
    expect(typed([work(9, 23, 'B')], 3)?.[1]).toMatchObject({ started_at: instantOf(at(6)) })
    // Of two gaps before nine, the later one.
    expect(typed([work(3, 4, 'B'), work(8, 23, 'B')], 3)?.[2]).toMatchObject({ started_at: instantOf(at(5)) })
    // Of two gaps from nine on, the first one that is long enough.
    expect(typed([work(9, 10, 'B'), work(11, 12, 'B'), work(15, 16, 'B')], 2)?.[3]).toMatchObject({
      started_at: instantOf(at(12)),
    })
  })

  test('count in full: the break that the rules ask for lies inside new work, and goes with it', () => {
    const rules = buildTimeline([aSettingsRow({ break_policy: statutoryBreaks.de })])
    const typedUnder = (entries: readonly Entry[], hours: number, project: string) => {
      const changes = changesFor(cellOf(entries, rules, date, project), hours * HOUR_MS, entries, rules)
      return entriesAfter(
        entries,
        (changes ?? []).map((change, index) => ({ ...change, id: idOf(index) })),
      )
    }
    const counted = (entries: readonly Entry[]) => netWorkMs(computeDay(entries, rules, date)) / HOUR_MS
    for (const hours of [5, 6, 6.1, 7.5, 8, 9, 9.5, 12]) expect(counted(typedUnder([], hours, 'A'))).toBe(hours)
    const whole = typedUnder([], 8, 'A')
    expect(whole.map(({ kind }) => kind)).toEqual(['work', 'break'])
    expect(whole[1]).toMatchObject({ started_at: instantOf(at(12)), ended_at: instantOf(at(12.5)) })
    // The second project brings the day above six hours; a gap that is there already is enough.
    expect(counted(typedUnder([work(9, 13, 'B')], 4, 'A'))).toBe(8)
    expect(typedUnder([work(9, 13, 'B'), work(14, 15, 'B')], 3, 'A')).toHaveLength(3)
    expect(counted(typedUnder(whole, 4, 'A'))).toBe(4)
    expect(typedUnder(whole, 2, 'A').map(({ kind }) => kind)).toEqual(['work'])
    expect(typedUnder(whole, 0, 'A')).toEqual([])
  })

  test('are refused if the day has no room for them', () => {
    expect(typed([work(1, 23, 'B')], 3)).toBeUndefined()
  })

  test('shorten the last entries if they are fewer', () => {
    expect(typed([work(9, 12), work(13, 17)], 5)?.[1]).toMatchObject({ ended_at: instantOf(at(15)) })
    expect(typed([work(9, 12), work(13, 17)], 3)).toHaveLength(1)
    expect(typed([work(9, 12), work(13, 17)], 0)).toEqual([])
    expect(typed([work(9, 12)], 3)).toHaveLength(1)
    const [first, second] = [work(9, 12), work(13, 17)]
    const cell = cellOf([first, second], timeline, date, 'A')
    expect(changesFor(cell, 3 * HOUR_MS, [first, second], timeline)).toEqual([{ op: 'delete', record: second }])
  })

  test('leave the work of other days as it is', () => {
    const others = [work(-5, -2), work(-2, 0), work(24, 25), work(33, 36)]
    for (const hours of [0, 1, 3, 15]) {
      expect(typed([...others, work(9, 12)], hours)).toEqual(expect.arrayContaining(others))
    }
  })

  test('lose details if they delete an entry with a note, tags or chosen times', () => {
    const lossOf = (fields: Partial<TimedRecord>, hours = 0) => {
      const entry = aWork(at(9), at(12), { project: 'A', source: 'timesheet', ...fields })
      const changes = changesFor(cellOf([entry], timeline, date, 'A'), hours * HOUR_MS, [entry], timeline)
      return changes?.map(losesDetails)
    }
    expect(lossOf({})).toEqual([false])
    expect(lossOf({ note: 'Call' })).toEqual([true])
    expect(lossOf({ tags: ['a'] })).toEqual([true])
    expect(lossOf({ source: 'manual' })).toEqual([true])
    expect(lossOf({ note: 'Call' }, 1)).toEqual([false])
  })

  test('are the hours of the cell afterwards, and other projects keep theirs', () => {
    const span = fc.tuple(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 1, max: 30 }))
    const kind = fc.constantFrom('A', 'B', 'break')
    const entry = fc.record({ span, kind }).map(({ span: [from, length], kind: of }) => {
      const to = Math.min(96, from + length)
      return aWork(at(from / 4), at(to / 4), of === 'break' ? { kind: 'break' } : { project: of })
    })
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), fc.integer({ min: 0, max: 96 }), (entries, quarters) => {
        const after = typed(entries, quarters / 4)
        fc.pre(after !== undefined)
        expect(hoursIn(after)).toBe(quarters / 4)
        expect(hoursIn(after, 'B')).toBe(hoursIn(entries, 'B'))
      }),
    )
  })
})

test('sorts projects by name, work without a project first', () => {
  const entries = [work(1, 2, 'b'), work(2, 3, null), work(3, 4, 'a'), work(4, 5, 'b'), anAbsence('sick', date)]
  const uncounted = aWork(at(5), at(6), { project: 'c', counts: false })
  expect(projectsIn([...entries, uncounted])).toEqual([null, 'a', 'b'])
})

test('[D32.1] a cell takes hours from none to a day, and asks what 7.30 means', () => {
  const typed = (text: string) => typedHours(text, 'hours')
  const taken = (hours: number) => ({ kind: 'taken', value: hours * HOUR_MS })
  expect(['', ' ', '0', '7:30', '24', '24:00'].map(typed)).toEqual([0, 0, 0, 7.5, 24, 24].map(taken))
  for (const text of ['24:01', '-1', 'x', '25']) expect(typed(text), text).toEqual({ kind: 'unread' })
  expect(typed('7.30')).toEqual({ kind: 'asked', choices: [7.5 * HOUR_MS, 7.3 * HOUR_MS] })
})
