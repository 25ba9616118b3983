import {
  addDays,
  COLLEAGUE_DAYS,
  companyOf,
  coversGroup,
  dateInZone,
  type EpochMs,
  type Group,
  type Instant,
  isMemberOn,
  type Membership,
  type UserNumber,
} from '@saldo/core'
import type { StoredGrant, TeamStore } from '../store/team/team-store.ts'
import { TimeSlice } from '../time-slice.ts'
import { rolesInForce } from './roles-in-force.ts'
import { seeingRoles } from './sight.ts'

/**
 * Returns when what users see of others last changed, for those who see anybody (D30.4): of colleagues by what
 * colleagues see alone, so that an event tells of nothing that is hidden (D25.6); below a role by all facts.
 */
export async function lastTeamChanges(
  store: TeamStore,
  users: readonly UserNumber[],
  nowMs: EpochMs,
): Promise<Map<UserNumber, Instant>> {
  const today = dateInZone(nowMs, 'UTC')
  const accepted = (await store.memberships(users)).filter((membership) => isMemberOn(membership, today))
  const acceptedByUser = Map.groupBy(accepted, ({ user }) => user)
  // Somebody of HR need not be a member.
  const ties = [...accepted, ...(await store.rolesOf(users))]
  const changes = new Map<UserNumber, Instant>()
  for (const [company, ofCompany] of Map.groupBy(ties, ({ path }) => companyOf(path))) {
    const groups = await store.groups(company)
    const grants = await rolesInForce(store, company, nowMs)
    const since = addDays(today, -COLLEAGUE_DAYS.back)
    const byGroup = await store.changesByGroup(
      company,
      groups.map(({ id }) => id),
      since,
    )
    const slice = new TimeSlice()
    for (const user of new Set(ofCompany.map((tie) => tie.user))) {
      if (slice.isUsedUp()) await slice.renew()
      const own = acceptedByUser.get(user) ?? []
      const roles = grants.filter((grant) => grant.user === user && seeingRoles.includes(grant.role))
      const last = groups
        .flatMap((group) => lastChange(group, own, roles, byGroup.get(group.id)) ?? [])
        .sort()
        .at(-1)
      if (last !== undefined) changes.set(user, last)
    }
  }
  return changes
}

function lastChange(
  { id, path, seesMembers }: Group,
  own: readonly Membership[],
  roles: readonly StoredGrant[],
  changes: { shownAt: Instant; changedAt: Instant } | undefined,
): Instant | undefined {
  if (roles.some((role) => coversGroup(role, path))) return changes?.changedAt
  return seesMembers && own.some(({ groupId }) => groupId === id) ? changes?.shownAt : undefined
}
