import { expect, test } from 'vitest'
import { digestOf } from '../digest.ts'
import type { LocalDate, RecordId, UserNumber } from '../values.ts'
import {
  type AccountTrailEntry,
  dataOfMembership,
  isRowOfMembership,
  seenTrailState,
  trailedChange,
  trailFault,
  trailText,
} from './trail.ts'

const start = { number: 0, hash: '' }

/** A chain of rows, with its last one. */
function chain(length: number): { rows: AccountTrailEntry[]; last: { number: number; hash: string } } {
  const rows: AccountTrailEntry[] = []
  let last = start
  for (let number = 1; number <= length; number += 1) {
    const content = { number, at: '2026-11-21T12:00:00.000Z', actor: 1 as UserNumber, kind: 'month_locked' } as const
    const row = { ...content, data: { month: `2026-0${number}` } }
    const [previous, hash] = [last.hash, digestOf(trailText(row, last.hash))]
    rows.push({ ...row, previous, hash })
    last = { number, hash }
  }
  return { rows, last }
}

test('[D29.4] [D29.7] a chain that is whole has no fault, also behind a checkpoint', () => {
  const { rows, last } = chain(4)
  expect(trailFault(rows, { first: start, last }, digestOf)).toBeUndefined()
  const [, second] = rows as [unknown, AccountTrailEntry]
  expect(trailFault(rows.slice(2), { first: second, last }, digestOf)).toBeUndefined()
})

test('[D29.4] [D29.7] a device finds that a trail lacks the row that it has seen, unless it went by itself', () => {
  const { rows, last } = chain(4)
  const [, second] = rows as [unknown, AccountTrailEntry]
  expect(seenTrailState(second, rows.slice(1), last)).toBe('held')
  expect(seenTrailState(last, [], last)).toBe('held')
  expect(seenTrailState(start, rows, last)).toBe('held')
  expect(seenTrailState({ ...second, hash: 'other' }, rows.slice(1), last)).toBe('rewritten')
  expect(seenTrailState({ ...last, hash: 'other' }, [], last)).toBe('rewritten')
  expect(seenTrailState(last, [], second)).toBe('cut_off')
  expect(seenTrailState(last, [], start)).toBe('cut_off')
  expect(seenTrailState(second, rows.slice(2), last)).toBe('held')
})

test('[D29.7] a row that is missing, changed, rechained or cut off is found', () => {
  const { rows, last } = chain(4)
  const faultOf = (changed: AccountTrailEntry[]) => trailFault(changed, { first: start, last }, digestOf)
  const other = (number: number) =>
    rows.map((row) => (row.number === number ? { ...row, data: { month: 'other' } } : row))
  expect(faultOf(rows.filter(({ number }) => number !== 2))).toEqual({ number: 2, why: 'missing' })
  expect(faultOf(other(3))).toEqual({ number: 3, why: 'changed' })
  expect(faultOf(rows.slice(0, 3))).toEqual({ number: 4, why: 'cut_off' })
  expect(faultOf(rows.slice(1))).toEqual({ number: 1, why: 'missing' })
  // Whoever writes all hashes anew does not get the last one, which stands in the counter.
  const forged: AccountTrailEntry[] = []
  for (const row of other(1)) {
    const previous = forged.at(-1)?.hash ?? ''
    forged.push({ ...row, previous, hash: digestOf(trailText(row, previous)) })
  }
  expect(faultOf(forged)).toEqual({ number: 5, why: 'cut_off' })
})

test('[D29.3] a trail has times and figures of a change, and of its texts only that they changed', () => {
  const id = 'a' as RecordId
  const before = {
    content: { kind: 'work', started_at: 'a', ended_at: 'b', note: 'secret', tags: ['x'], project: 'p' },
  }
  const change = { kind: 'entries', id, content: { ...before.content, ended_at: 'c', note: 'other' } } as const
  expect(trailedChange(change, before)).toEqual({
    ...{ record: 'entries', id, texts_changed: true },
    before: { kind: 'work', started_at: 'a', ended_at: 'b' },
    after: { kind: 'work', started_at: 'a', ended_at: 'c' },
  })
  expect(trailedChange({ ...change, content: null }, before)).toMatchObject({ after: null, texts_changed: false })
})

test('[D29.3] a trail has no field that the service does not know, whatever it is called', () => {
  const id = '00000000-0000-4000-8000-000000000001' as RecordId
  const figuresOf = (kind: 'entries' | 'settings_history', content: object) =>
    trailedChange({ kind, id, content } as Parameters<typeof trailedChange>[0], undefined).after
  const times = { kind: 'work', started_at: 'a', ended_at: 'b' }
  expect(figuresOf('entries', { ...times, days: 'words', date: { more: 'words' } })).toEqual(times)
  expect(figuresOf('entries', { kind: 'sick', date: 'a', started_at: 'words' })).toEqual({ kind: 'sick', date: 'a' })
  const rule = { worked_above_ms: 1, required_ms: 2 }
  const hours = { effective_from: 'a', target_ms: [0] }
  expect(
    figuresOf('settings_history', {
      ...hours,
      break_policy: { rules: [{ ...rule, x: 'words' }], min_piece_ms: 0, x: 'words' },
    }),
  ).toEqual({ ...hours, break_policy: { rules: [rule], min_piece_ms: 0 } })
  expect(figuresOf('settings_history', { ...hours, break_policy: null })).toEqual({ ...hours, break_policy: null })
})

test('[D29.8] a company sees rows of the membership, and later ones about its months', () => {
  const memberDates = [{ from: '2026-09-15', to: '2026-10-31' }] as const
  const isSeen = (date: LocalDate, month?: string) =>
    isRowOfMembership({ at: `${date}T12:00:00.000Z`, data: month ? { month } : {} }, memberDates)
  for (const date of ['2026-09-15', '2026-10-31'] as const) expect(isSeen(date)).toBe(true)
  for (const date of ['2026-09-14', '2026-11-01'] as const) expect(isSeen(date)).toBe(false)
  const months = ['2026-08', '2026-09', '2026-10', '2026-11']
  expect(months.map((month) => isSeen('2026-11-02', month))).toEqual([false, true, true, false])
})

test('[D24.3] [D29.8] of a changed record, a company sees what it was and is on dates of the membership', () => {
  const memberDates = [{ from: '2026-09-15', to: '2026-10-31' }] as const
  const timed = (date: string) => ({ started_at: `${date}T08:00:00.000Z`, ended_at: `${date}T16:00:00.000Z` })
  const seen = (before: object | null, after: object) => {
    const { before: was, after: is, record } = dataOfMembership({ record: 'entries', before, after }, memberDates)
    expect(record).toBe('entries')
    return [was, is]
  }
  expect(seen(timed('2026-09-14'), timed('2026-09-15'))).toEqual([null, timed('2026-09-15')])
  expect(seen(null, { date: '2026-11-01' })).toEqual([null, null])
  expect(seen({ effective_date: '2026-10-01' }, { effective_date: '2026-11-01' })).toEqual([
    { effective_date: '2026-10-01' },
    null,
  ])
  const hours = (effective_from: string) => ({ effective_from, target_ms: [1] })
  expect(seen(hours('2026-01-01'), hours('2026-10-01'))).toEqual([hours('2026-09-15'), hours('2026-10-01')])
  expect(dataOfMembership({ month: '2026-09' }, memberDates)).toEqual({ month: '2026-09' })
})
