import { expect, test } from 'vitest'
import { digestOf } from '../digest.ts'
import type { LocalDate, UserNumber } from '../values.ts'
import { type AccountTrailEntry, isRowOfMembership, seenTrailState, trailFault, trailText } from './trail.ts'

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

test('[D29.8] a company sees rows of the membership, and later ones about its months', () => {
  const memberDates = [{ from: '2026-09-15', to: '2026-10-31' }] as const
  const isSeen = (date: LocalDate, month?: string) =>
    isRowOfMembership({ at: `${date}T12:00:00.000Z`, data: month ? { month } : {} }, memberDates)
  for (const date of ['2026-09-15', '2026-10-31'] as const) expect(isSeen(date)).toBe(true)
  for (const date of ['2026-09-14', '2026-11-01'] as const) expect(isSeen(date)).toBe(false)
  const months = ['2026-08', '2026-09', '2026-10', '2026-11']
  expect(months.map((month) => isSeen('2026-11-02', month))).toEqual([false, true, true, false])
})
