import type { GroupRow, LeaveResult, MemberRow, UserNumber } from '@saldo/core'
import { expect, test } from 'vitest'
import { membersIn, summaryOfLeave } from './leave-model.ts'

test('[D28.7] company leave of a group is of its members and of those of all groups below it', () => {
  const groups = [
    { id: 1, parent_id: null },
    { id: 2, parent_id: 1 },
    { id: 3, parent_id: 2 },
    { id: 4, parent_id: 1 },
  ] as GroupRow[]
  const person = (user_id: number, group_id: number, state = 'member') =>
    ({ user_id, state, memberships: [{ group_id }] }) as MemberRow
  const people = [person(10, 1), person(20, 2), person(30, 3), person(40, 4), person(50, 3, 'left')]
  const usersIn = (group: number) => membersIn(people, groups, group).map(({ user_id }) => user_id)
  expect(usersIn(1)).toEqual([10, 20, 30, 40])
  expect(usersIn(2)).toEqual([20, 30])
})

test('[D28.7] the outcome names whose days are left out, and who gets none', () => {
  const result = (user_id: number, dates: string[], left_out: string[] = [], detail?: string) =>
    ({ user_id, dates, left_out, ...(detail !== undefined && { detail }) }) as LeaveResult
  const results = [
    result(1, ['2026-12-28', '2026-12-29']),
    result(2, ['2026-12-28'], ['2026-12-29']),
    result(3, [], ['2026-12-28', '2026-12-29']),
    result(4, [], [], 'Another HR writes your leave.'),
  ]
  const { days, people, partly, nobody } = summaryOfLeave(results)
  expect([days, people]).toEqual([3, [1, 2] as UserNumber[]])
  expect([partly, nobody]).toEqual([[results[1]], results.slice(2)])
})
