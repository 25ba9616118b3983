import type { BoardRow, MonthResult, UserNumber } from '@saldo/core'
import { expect, test } from 'vitest'
import { inHundreds } from '../in-hundreds.ts'
import { chosenAmong, outcomeCounts, parsePlace, pathOfPlace, withOutcomes } from './board-model.ts'
import { digestsRead, noteSheetRead } from './read-sheets.ts'

test('the address of the months of others has a month and perhaps a person, and is else the last month', () => {
  expect(parsePlace(undefined, '2026-01-15')).toEqual({ month: '2025-12', user: undefined })
  expect(parsePlace('2026-11', '2026-12-01')).toEqual({ month: '2026-11', user: undefined })
  expect(parsePlace('2026-11-42', '2026-12-01')).toEqual({ month: '2026-11', user: 42 })
  for (const wrong of ['2026-13', '2026-11-', '2026-11-x', '42'])
    expect(parsePlace(wrong, '2026-12-01')).toBeUndefined()
  expect(parsePlace(pathOfPlace('2026-11', 42).split('/').at(-1), '2026-12-01')).toEqual({ month: '2026-11', user: 42 })
})

test('only people who are shown are acted on', () => {
  const rows = [1, 2, 3].map((user_id) => ({ user_id }) as BoardRow)
  expect(chosenAmong(rows, new Set([3, 1, 9])).map(({ user_id }) => user_id)).toEqual([1, 3])
})

test('[D27.13] more than a hundred people are locked by several requests, with an outcome for each', async () => {
  const users = Array.from({ length: 205 }, (_, index) => index as UserNumber)
  const sizes: number[] = []
  const results = await inHundreds(users, async (some) => {
    sizes.push(some.length)
    return some.map((user_id): MonthResult => ({ user_id, outcome: user_id % 2 === 0 ? 'changed' : 'rejected' }))
  })
  expect(sizes).toEqual([100, 100, 5])
  expect(results.map(({ user_id }) => user_id)).toEqual(users)
  expect(outcomeCounts(results)).toEqual({ changed: 103, unchanged: 0, rejected: 102 })
})

test('a month that was just locked is shown so, before the board of the service has followed', () => {
  const rows = [1, 2].map((user_id) => ({ user_id, state: 'submitted' }) as BoardRow)
  const results: MonthResult[] = [
    { user_id: 1 as UserNumber, outcome: 'changed' },
    { user_id: 2 as UserNumber, outcome: 'rejected', detail: 'no' },
  ]
  const states = withOutcomes(rows, { action: 'lock', results }).map(({ state }) => state)
  expect(states).toEqual(['locked', 'submitted'])
  expect(withOutcomes(rows, undefined)).toEqual(rows)
})

test('[D27.20] locking names what each sheet showed last, to this user and of this month', () => {
  const [lead, other, anna, ben] = [1, 2, 3, 4] as UserNumber[] as [UserNumber, UserNumber, UserNumber, UserNumber]
  noteSheetRead(lead, '2026-10', anna, 'early')
  noteSheetRead(lead, '2026-10', anna, 'late')
  noteSheetRead(lead, '2026-10', ben, 'locked since')
  noteSheetRead(lead, '2026-10', ben, null)
  expect(digestsRead(lead, '2026-10', [anna, ben])).toEqual([{ user_id: anna, digest: 'late' }])
  expect([digestsRead(lead, '2026-11', [anna]), digestsRead(other, '2026-10', [anna])]).toEqual([[], []])
})
