import {
  addDaysWithinCalendar,
  companyOf,
  coversGroup,
  dateInZone,
  type EpochMs,
  isInForce,
  type LocalDate,
  lastMemberDate,
  type UserNumber,
} from '@saldo/core'
import type { StoredFacts } from '../store/team/team-facts.ts'
import { endingDateOfRoles, hrsOn, type StoredGrant, type TeamStore } from '../store/team/team-store.ts'

/**
 * Returns the roles of a company that give their rights now (D24.4, D24.6, D24.9). Those of a deputy need a lead of the
 * group who is away on their own present date.
 */
export async function rolesInForce(store: TeamStore, companyId: number, nowMs: EpochMs): Promise<StoredGrant[]> {
  const grants = await store.grants(companyId)
  const users = [...new Set(grants.flatMap(({ user, standsInFor }) => [user, standsInFor ?? user]))]
  const strong = await store.strongOf(users)
  const facts = await store.facts(users)
  const hasEnded = ({ user, until }: StoredGrant) =>
    until !== null && until < endingDateOfRoles(nowMs, facts.get(user)?.timeZone ?? 'UTC')
  const isInForceNow = (grant: StoredGrant, isLeadAway: boolean) =>
    isInForce(grant, {
      today: presentDateOf(facts.get(grant.standsInFor ?? grant.user), nowMs),
      isStronglySignedIn: strong.has(grant.user),
      isLeadAway,
    }) && !hasEnded(grant)
  const isAway = (lead: UserNumber) => {
    const own = facts.get(lead)
    const today = presentDateOf(own, nowMs)
    return own?.absences.some(({ from, to }) => from <= today && today <= to) === true
  }
  const leads = grants.filter((grant) => grant.role === 'lead' && isInForceNow(grant, false))
  const isLeadAway = ({ standsInFor, path }: StoredGrant) =>
    leads.some((lead) => lead.user === standsInFor && coversGroup(lead, path) && isAway(lead.user))
  return grants.filter((grant) => isInForceNow(grant, isLeadAway(grant)))
}

/** Returns the last date of a user's accepted memberships in a company; see `lastMemberDate`. */
export async function lastMemberDateOf(
  store: TeamStore,
  user: UserNumber,
  companyId: number,
): Promise<LocalDate | null> {
  return lastMemberDate((await store.memberships([user])).filter(({ path }) => companyOf(path) === companyId))
}

/** True if a company would have no HR any more once roles end with a date, one of which makes somebody HR today. */
export function endsLastHr(
  grants: readonly StoredGrant[],
  isEnding: (grant: StoredGrant) => boolean,
  { until, today }: { until: LocalDate; today: LocalDate },
): boolean {
  const after = addDaysWithinCalendar(until, 1)
  const others = grants.filter((grant) => !isEnding(grant))
  return hrsOn(grants.filter(isEnding), today).length > 0 && hrsOn(others, after > today ? after : today).length === 0
}

/** Returns the present date in the zone of a user's account; of UTC before there are facts. */
export function presentDateOf(facts: Pick<StoredFacts, 'timeZone'> | undefined, nowMs: EpochMs) {
  return dateInZone(nowMs, facts?.timeZone ?? 'UTC')
}
