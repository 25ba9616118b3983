import {
  addDays,
  type Group,
  type LocalDate,
  lastDateOfRole,
  lastMemberDate,
  type Membership,
  type UserNumber,
} from '@saldo/core'
import type { StoredGrant } from '../store/team/team-store.ts'
import type { TeamWriter } from '../store/team/team-writer.ts'
import type { TeamViewer } from './access.ts'
import type { TeamNews } from './announcements.ts'

/** True if a role of HR would end on a date long past, which would hide who has been HR since (D24.4). */
export function hidesHr(before: readonly StoredGrant[], after: readonly StoredGrant[], today: LocalDate): boolean {
  return after.some(({ role, until }, index) => {
    const isEnded = until !== null && until !== before[index]?.until
    return role === 'hr' && isEnded && until < addDays(today, -1)
  })
}

/** Returns the roles of a company once a user has other memberships in it, with which the roles end (D24.20). */
export function grantsWithMemberships(
  grants: readonly StoredGrant[],
  user: UserNumber,
  memberships: readonly Pick<Membership, 'until' | 'acceptedOn'>[],
): StoredGrant[] {
  const last = lastMemberDate(memberships)
  return grants.map((grant) => (grant.user === user ? { ...grant, until: lastDateOfRole(grant.until, last) } : grant))
}

/**
 * Ends the roles that end earlier after a change than before it, and returns what it says of each (D24.5). `known` are
 * the groups of the company, if they were read.
 */
export async function endRoles(
  writer: TeamWriter,
  { companyId, user: actor }: Pick<TeamViewer, 'companyId' | 'user'>,
  before: readonly StoredGrant[],
  after: readonly StoredGrant[],
  known?: readonly Group[],
): Promise<TeamNews[]> {
  const ended = after.filter(({ until }, index) => until !== null && until !== before[index]?.until)
  if (ended.length === 0) return []
  const groups = new Map((known ?? (await writer.store.groups(companyId))).map(({ id, name }) => [id, name]))
  const news: TeamNews[] = []
  for (const { id, user, role, groupId, from, until, path } of ended) {
    const group = groups.get(groupId) ?? ''
    await writer.endRole(id, until)
    await writer.note(companyId, actor, 'role_ended', { user, role, group, from, until })
    news.push({ what: 'role_ended', user, role, group, path })
  }
  return news
}
