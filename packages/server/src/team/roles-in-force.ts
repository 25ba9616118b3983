import {
  addDays,
  companyOf,
  dateInZone,
  type EpochMs,
  type LocalDate,
  lastDateOfRole,
  lastMemberDate,
  type Membership,
  rolesInForceOf,
  type UserNumber,
} from '@saldo/core'
import type { StoredFacts } from '../store/team/team-facts.ts'
import { endingDateOfRoles, firstDateWithoutHr, type StoredGrant, type TeamStore } from '../store/team/team-store.ts'
import type { TeamWriter } from '../store/team/team-writer.ts'
import type { TeamViewer } from './access.ts'
import type { TeamNews } from './announcements.ts'

/**
 * Returns the roles of a company that give their rights now (D24.4, D24.6, D24.9). Those of a deputy need a lead of the
 * group who is away on their own present date.
 */
export async function rolesInForce(store: TeamStore, companyId: number, nowMs: EpochMs): Promise<StoredGrant[]> {
  const grants = await store.grants(companyId)
  const users = [...new Set(grants.flatMap(({ user, standsInFor }) => [user, standsInFor ?? user]))]
  const strong = await store.strongOf(users)
  const facts = await store.facts(users)
  const personOf = (user: UserNumber) => {
    const own = facts.get(user)
    const today = presentDateOf(own, nowMs)
    return {
      today,
      isStronglySignedIn: strong.has(user),
      isAway: own?.absences.some(({ from, to }) => from <= today && today <= to) === true,
      endingDate: endingDateOfRoles(nowMs, own?.timeZone ?? 'UTC'),
    }
  }
  return rolesInForceOf(grants, new Map(users.map((user) => [user, personOf(user)])))
}

/** Returns the last date of a user's accepted memberships in a company; see `lastMemberDate`. */
export async function lastMemberDateOf(
  store: TeamStore,
  user: UserNumber,
  companyId: number,
): Promise<LocalDate | null> {
  return lastMemberDate((await store.memberships([user])).filter(({ path }) => companyOf(path) === companyId))
}

/** True if a company would be without HR by a change of its roles, or earlier than before it (D24.20). */
export function leavesNoHr(before: readonly StoredGrant[], after: readonly StoredGrant[], today: LocalDate): boolean {
  const [knownGap, gap] = [firstDateWithoutHr(before, today), firstDateWithoutHr(after, today)]
  return gap !== null && (knownGap === null || gap < knownGap)
}

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

/** Ends the roles that end earlier after a change than before it, and returns what it says of each (D24.5). */
export async function endRoles(
  writer: TeamWriter,
  { companyId, user: actor }: Pick<TeamViewer, 'companyId' | 'user'>,
  before: readonly StoredGrant[],
  after: readonly StoredGrant[],
): Promise<TeamNews[]> {
  const groups = new Map((await writer.store.groups(companyId)).map(({ id, name }) => [id, name]))
  const news: TeamNews[] = []
  for (const [index, { id, user, role, groupId, from, until, path }] of after.entries()) {
    if (until === null || until === before[index]?.until) continue
    const group = groups.get(groupId) ?? ''
    await writer.endRole(id, until)
    await writer.note(companyId, actor, 'role_ended', { user, role, group, from, until })
    news.push({ what: 'role_ended', user, role, group, path })
  }
  return news
}

/** Returns the present date in the zone of a user's account; of UTC before there are facts. */
export function presentDateOf(facts: Pick<StoredFacts, 'timeZone'> | undefined, nowMs: EpochMs) {
  return dateInZone(nowMs, facts?.timeZone ?? 'UTC')
}
