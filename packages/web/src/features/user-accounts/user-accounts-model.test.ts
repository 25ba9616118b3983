import { expect, test } from 'vitest'
import { isUsable, pageCountOf, pageOf } from './user-accounts-model.ts'

test('an active or invited account is usable, and has a link, a role and sessions', () => {
  expect([isUsable({ state: 'active' }), isUsable({ state: 'invited' })]).toEqual([true, true])
  expect([isUsable({ state: 'deactivated' }), isUsable({ state: 'erasing' })]).toEqual([false, false])
})

test('fifty accounts are a page', () => {
  expect([pageOf(1), pageOf(3)]).toEqual([
    { offset: 0, limit: 50 },
    { offset: 100, limit: 50 },
  ])
  expect([0, 1, 50, 51].map(pageCountOf)).toEqual([0, 1, 1, 2])
})
