import { expect, test } from 'vitest'
import { readFixture } from '../../test/fixtures.ts'
import { type CompanyPolicy, defaultPolicy } from './policy.ts'
import { type FactOwner, type Sight, sightOf, type TeamFact, type Viewer } from './visibility.ts'

const { policies, cases } = readFixture<{
  policies: Record<string, CompanyPolicy>
  cases: { why: string; viewer: Viewer; owner?: FactOwner; fact: TeamFact; policy?: string; sight: Sight }[]
}>('team-visibility')

const member: FactOwner = { today: '2026-11-28', memberDates: [{ from: '2026-01-01', to: '9999-12-31' }] }

test.each(cases)('[D25.1] $why', ({ viewer, owner = member, fact, policy = 'default', sight }) => {
  expect(sightOf(viewer, owner, fact, policies[policy] ?? defaultPolicy)).toBe(sight)
})

test('[D25.2] the sight of a colleague does not depend on the kind of the absence', () => {
  const colleague: Viewer = { isOwner: false, sharedDates: member.memberDates, roles: [] }
  const seen = (['vacation', 'sick', 'public_holiday', 'time_off_in_lieu', 'unpaid', 'paid_other'] as const).map(
    (absence) =>
      sightOf(colleague, member, { kind: 'absence', date: '2026-12-01', absence, isWholeDay: true }, defaultPolicy),
  )
  expect(new Set(seen)).toEqual(new Set(['away']))
})
