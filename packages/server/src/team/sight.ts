import {
  coversGroup,
  type DateRange,
  type FactOwner,
  type Group,
  type LocalDate,
  type Membership,
  sharedDates,
  type TeamRole,
  type UserNumber,
  type Viewer,
  visibleDates,
} from '@saldo/core'
import type { StoredGrant } from '../store/team/team-store.ts'

/** Somebody who looks at others. `seeing` are the groups whose members see each other. */
export interface Looking {
  user: UserNumber
  memberships: readonly Membership[]
  grants: readonly StoredGrant[]
  seeing: ReadonlySet<number>
}

/** The roles by which somebody sees who is away below a group. */
export const seeingRoles: readonly TeamRole[] = ['lead', 'deputy', 'hr']

/** Returns the groups whose members see each other, by their ids. */
export function seeingGroups(groups: readonly Group[]): Set<number> {
  return new Set(groups.filter(({ seesMembers }) => seesMembers).map(({ id }) => id))
}

/** Returns how somebody is related to a member, as the function of sight wants it (D25.1). */
export function viewerOf(
  { user, memberships: own, grants, seeing }: Looking,
  member: UserNumber,
  memberships: readonly Membership[],
): Viewer {
  return {
    isOwner: member === user,
    sharedDates: sharedDates(datesByGroup(own, seeing), datesByGroup(memberships, seeing)),
    roles: grants.flatMap((grant) => {
      const dates = memberships.flatMap((membership) =>
        coversGroup(grant, membership.path) ? (visibleDates(membership) ?? []) : [],
      )
      return dates.length === 0 ? [] : { role: grant.role, dates }
    }),
  }
}

/** Returns a member as the function of sight wants it. */
export function ownerOf(memberships: readonly Membership[], today: LocalDate): FactOwner {
  return { today, memberDates: memberships.flatMap((membership) => visibleDates(membership) ?? []) }
}

function datesByGroup(
  memberships: readonly Membership[],
  groupIds: ReadonlySet<number>,
): { groupId: number; dates: DateRange }[] {
  return memberships
    .filter(({ groupId }) => groupIds.has(groupId))
    .flatMap((membership) => {
      const dates = visibleDates(membership)
      return dates ? [{ groupId: membership.groupId, dates }] : []
    })
}
