import { expect, test } from 'vitest'
import type { UserNumber } from '../values.ts'
import { isConfirmedByGiving, isInForce, type Membership, mayConfirm, type RoleGrant, visibleDates } from './roles.ts'

const user = (number: number) => number as UserNumber
const grant: RoleGrant = {
  id: 1,
  user: user(1),
  role: 'lead',
  path: '/1/',
  from: '2026-01-01',
  until: '2026-12-31',
  standsInFor: null,
  givenBy: user(2),
  isConfirmed: true,
}
const facts = { today: '2026-06-01', isStronglySignedIn: true, isLeadAway: false } as const

test('[D24.4] [D24.9] a role is in force within its dates, confirmed, and with a strong sign-in', () => {
  expect(isInForce(grant, facts)).toBe(true)
  expect(isInForce(grant, { ...facts, today: '2026-01-01' })).toBe(true)
  expect(isInForce(grant, { ...facts, today: '2026-12-31' })).toBe(true)
  expect(isInForce(grant, { ...facts, today: '2025-12-31' })).toBe(false)
  expect(isInForce(grant, { ...facts, today: '2027-01-01' })).toBe(false)
  expect(isInForce({ ...grant, isConfirmed: false }, facts)).toBe(false)
  expect(isInForce(grant, { ...facts, isStronglySignedIn: false })).toBe(false)
})

test('[D24.6] a deputy has rights only while the lead is away', () => {
  const deputy = { ...grant, role: 'deputy' as const, standsInFor: user(3) }
  expect(isInForce(deputy, facts)).toBe(false)
  expect(isInForce(deputy, { ...facts, isLeadAway: true })).toBe(true)
})

test('[D24.4] the first HR needs nobody, once, and the only HR confirms by giving, but not to themself', () => {
  const hr = { role: 'hr', user: user(1), givenBy: user(9) } as const
  expect(isConfirmedByGiving(hr, [], false)).toBe(true)
  expect(isConfirmedByGiving(hr, [], true)).toBe(false)
  expect(isConfirmedByGiving({ role: 'lead', user: user(1), givenBy: user(2) }, [user(2)], true)).toBe(true)
  expect(isConfirmedByGiving({ role: 'lead', user: user(2), givenBy: user(2) }, [user(2)], true)).toBe(false)
  expect(isConfirmedByGiving({ role: 'lead', user: user(1), givenBy: user(2) }, [user(2), user(3)], true)).toBe(false)
  expect(isConfirmedByGiving({ role: 'lead', user: user(1), givenBy: user(9) }, [user(2)], true)).toBe(false)
})

test('[D24.4] another HR confirms: neither who has got the role nor who gave it, unless there is one HR only', () => {
  expect(mayConfirm(grant, user(3), [user(2), user(3)])).toBe(true)
  expect(mayConfirm(grant, user(2), [user(2), user(3)])).toBe(false)
  expect(mayConfirm(grant, user(2), [user(2)])).toBe(true)
  expect(mayConfirm(grant, user(1), [user(1), user(2)])).toBe(false)
  expect(mayConfirm(grant, user(1), [user(1)])).toBe(false)
  expect(mayConfirm(grant, user(4), [user(2), user(3)])).toBe(false)
})

test('[D24.3] nothing of a membership is visible before it was accepted', () => {
  const membership: Membership = {
    id: 1,
    user: user(1),
    groupId: 1,
    path: '/1/',
    from: '2026-01-01',
    until: null,
    acceptedOn: '2026-03-01',
  }
  expect(visibleDates(membership)).toEqual({ from: '2026-03-01', to: '9999-12-31' })
  expect(visibleDates({ ...membership, from: '2026-05-01' })?.from).toBe('2026-05-01')
  expect(visibleDates({ ...membership, until: '2026-04-30' })?.to).toBe('2026-04-30')
  expect(visibleDates({ ...membership, acceptedOn: null })).toBeUndefined()
  expect(visibleDates({ ...membership, until: '2026-02-01' })).toBeUndefined()
})
