import type { OwnRequest, RequestEntry } from '@saldo/core'
import { expect, test } from 'vitest'
import { isWithdrawable, shownRequests } from './requests-model.ts'

const row = (id: string, date: string, pending = false) => ({
  record: { id, date } as unknown as RequestEntry,
  pending,
})
const known = (id: string, state: OwnRequest['state']) => ({ id, state }) as unknown as OwnRequest

test('[D26.2] requests that wait are first, then the decided ones, each from the latest date on', () => {
  const rows = [row('a', '2026-12-01'), row('b', '2026-12-24'), row('c', '2027-01-02'), row('d', '2026-12-30', true)]
  const states = [known('a', 'waiting'), known('b', 'approved'), known('c', 'declined'), known('d', 'waiting')]
  expect(shownRequests(rows, states).map(({ record, state }) => [record.id, state])).toEqual([
    ['d', 'unsent'],
    ['a', 'waiting'],
    ['c', 'declined'],
    ['b', 'approved'],
  ])
})

test('a request that the service has not told of is unknown, and can be withdrawn', () => {
  const [shown] = shownRequests([row('a', '2026-12-01')], [])
  expect(shown).toMatchObject({ state: 'unknown', known: undefined })
  expect(isWithdrawable('unknown')).toBe(true)
  expect(isWithdrawable('waiting_for_hr')).toBe(true)
  expect(isWithdrawable('approved')).toBe(false)
})
