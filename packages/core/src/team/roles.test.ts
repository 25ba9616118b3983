import { expect, test } from 'vitest'
import type { LocalDate, UserNumber } from '../values.ts'
import {
  countedHrs,
  isConfirmedByGiving,
  isInForce,
  lastDateOfRole,
  lastMemberDate,
  type Membership,
  mayConfirm,
  type RoleGrant,
  type RolePerson,
  rolesInForceOf,
  visibleDates,
} from './roles.ts'

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
  wasConfirmed: true,
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

test('[D24.6] the lead of a deputy is one of the group or of one above it, and is away', () => {
  const people = new Map(
    [1, 2, 3].map((number): [UserNumber, RolePerson] => [
      user(number),
      { today: '2026-06-01', endingDate: '2026-06-01', isStronglySignedIn: true, isAway: number !== 3 },
    ]),
  )
  const lead = (number: number, path: string) => ({ ...grant, user: user(number), path })
  const deputy = (of: number, path: string) =>
    ({ ...grant, user: user(2), role: 'deputy', path, standsInFor: user(of) }) as const
  const inForce = (...grants: RoleGrant[]) => rolesInForceOf(grants, people).filter(({ role }) => role === 'deputy')
  expect(inForce(lead(1, '/1/2/'), deputy(1, '/1/2/'))).toHaveLength(1)
  expect(inForce(lead(1, '/1/'), deputy(1, '/1/2/'))).toHaveLength(1)
  expect(inForce(lead(1, '/1/2/'), deputy(1, '/1/'))).toHaveLength(0)
  expect(inForce(lead(1, '/1/3/'), deputy(1, '/1/2/'))).toHaveLength(0)
  expect(inForce(lead(3, '/1/2/'), deputy(3, '/1/2/'))).toHaveLength(0)
  expect(inForce({ ...lead(1, '/1/2/'), until: '2026-05-31' }, deputy(1, '/1/2/'))).toHaveLength(0)
  expect(inForce(lead(1, '/1/'), { ...deputy(1, '/1/2/'), until: '2026-05-31' })).toHaveLength(0)
})

test('[D1.37] [D24.6] the roles in force take a few steps for each role, however many a lead and a deputy have', () => {
  let steps = 0
  const counted = (given: RoleGrant) =>
    new Proxy(given, {
      get(target, name) {
        steps += 1
        return Reflect.get(target, name)
      },
    })
  const roles = Array.from({ length: 1_000 }, (_, index) => [
    counted({ ...grant, path: `/1/${index + 2}/` }),
    counted({ ...grant, user: user(2), role: 'deputy', path: `/1/${index + 2}/`, standsInFor: user(1) }),
  ])
  const person = { today: '2026-06-01', endingDate: '2026-06-01', isStronglySignedIn: true, isAway: true } as const
  const inForce = rolesInForceOf(
    roles.flat(),
    new Map([
      [user(1), person],
      [user(2), person],
    ]),
  )
  expect(inForce).toHaveLength(2_000)
  expect(steps).toBeLessThan(50 * 2_000)
})

test('[D24.4] the only HR confirms by giving, but not to themself, and nobody does without an HR', () => {
  const given = (to: number, by: number | null, ...hrs: number[]) =>
    isConfirmedByGiving({ user: user(to), givenBy: by === null ? null : user(by) }, hrs.map(user))
  expect(given(1, 9)).toBe(false)
  expect(given(1, 2, 2)).toBe(true)
  expect(given(2, 2, 2)).toBe(false)
  expect(given(1, 2, 2, 3)).toBe(false)
  expect(given(1, 9, 2)).toBe(false)
  // Nobody else could confirm what one of two gives to the other.
  expect(given(3, 2, 2, 3)).toBe(true)
  expect(given(3, null, 2, 3)).toBe(false)
})

test('[D24.4] another HR confirms: neither who has got the role nor who gave it, unless there is one other', () => {
  expect(mayConfirm(grant, user(3), [user(2), user(3)])).toBe(true)
  expect(mayConfirm(grant, user(2), [user(2), user(3)])).toBe(false)
  expect(mayConfirm(grant, user(2), [user(2)])).toBe(true)
  expect(mayConfirm(grant, user(1), [user(1), user(2)])).toBe(false)
  expect(mayConfirm(grant, user(1), [user(1)])).toBe(false)
  expect(mayConfirm(grant, user(4), [user(2), user(3)])).toBe(false)
  expect(mayConfirm(grant, user(2), [user(1), user(2)])).toBe(true)
  expect(mayConfirm(grant, user(2), [user(1), user(2), user(3)])).toBe(false)
})

test('[D24.4] an HR counts for 14 days after their role has ended, unless the operator has replaced them', () => {
  const hr = (number: number, from: LocalDate, until: LocalDate | null = null, givenBy: number | null = 9) => {
    const by = givenBy === null ? null : user(givenBy)
    return { user: user(number), role: 'hr' as const, wasConfirmed: true, from, until, givenBy: by }
  }
  const stays = hr(1, '2026-01-01')
  const counted = (...others: ReturnType<typeof hr>[]) => countedHrs([stays, ...others], '2026-11-29')
  expect(counted(hr(2, '2026-02-01', '2026-11-28'))).toEqual([user(1), user(2)])
  expect(counted(hr(2, '2026-02-01', '2026-11-15'))).toEqual([user(1), user(2)])
  expect(counted(hr(2, '2026-02-01', '2026-11-14'))).toEqual([user(1)])
  expect(counted(hr(2, '2026-12-01'))).toEqual([user(1)])
  expect(counted({ ...hr(2, '2026-02-01'), wasConfirmed: false })).toEqual([user(1)])
  const replaced = [hr(2, '2026-02-01', '2026-11-28'), hr(3, '2026-11-29', null, null)]
  expect(countedHrs(replaced, '2026-11-29')).toEqual([user(3)])
})

test('[D24.20] a role ends with the last membership of its user', () => {
  expect(lastDateOfRole(null, null)).toBe(null)
  expect(lastDateOfRole('2026-06-30', null)).toBe('2026-06-30')
  expect(lastDateOfRole(null, '2026-10-31')).toBe('2026-10-31')
  expect(lastDateOfRole('2026-12-31', '2026-10-31')).toBe('2026-10-31')
  expect(lastDateOfRole('2026-06-30', '2026-10-31')).toBe('2026-06-30')
})

test('[D24.20] memberships end with the last accepted one; without any, or with an open one, at no date', () => {
  const of = (until: LocalDate | null, acceptedOn: LocalDate | null = '2026-01-01') => ({ until, acceptedOn })
  expect(lastMemberDate([])).toBe(null)
  expect(lastMemberDate([of('2026-12-31', null)])).toBe(null)
  expect(lastMemberDate([of('2026-10-31'), of(null)])).toBe(null)
  expect(lastMemberDate([of('2026-10-31'), of('2026-06-30'), of(null, null)])).toBe('2026-10-31')
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
