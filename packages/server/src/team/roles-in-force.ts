import {
  companyOf,
  dateInZone,
  type EpochMs,
  type LocalDate,
  lastMemberDate,
  rolesInForceOf,
  type UserNumber,
  type ZoneName,
} from '@saldo/core'
import type { Presence } from '../store/team/team-facts.ts'
import { endingDateOfRoles, type StoredGrant, type TeamStore } from '../store/team/team-store.ts'
import { mapInSlices } from '../time-slice.ts'

/**
 * Returns the roles of a company that give their rights now (D24.4, D24.6, D24.9). Those of a deputy need a lead of the
 * group who is away on their own present date.
 */
export async function rolesInForce(store: TeamStore, companyId: number, nowMs: EpochMs): Promise<StoredGrant[]> {
  const grants = await store.grants(companyId)
  return grantsInForce(store, grants, { strong: await store.strongOf(usersOf(grants)), areAllAway: false }, nowMs)
}

/**
 * Returns the roles that would give their rights now if all who have them signed in strongly and were away: for those
 * who must not learn how others sign in (D24.9) or, by the deputies, which leads are away (D25.6).
 */
export async function rolesKnownToMembers(store: TeamStore, companyId: number, nowMs: EpochMs): Promise<StoredGrant[]> {
  const grants = await store.grants(companyId)
  return grantsInForce(store, grants, { strong: new Set(usersOf(grants)), areAllAway: true }, nowMs)
}

function usersOf(grants: readonly StoredGrant[]): UserNumber[] {
  return [...new Set(grants.flatMap(({ user, standsInFor }) => [user, standsInFor ?? user]))]
}

async function grantsInForce(
  store: TeamStore,
  grants: readonly StoredGrant[],
  { strong, areAllAway }: { strong: ReadonlySet<UserNumber>; areAllAway: boolean },
  nowMs: EpochMs,
): Promise<StoredGrant[]> {
  const users = usersOf(grants)
  const presences = await store.presences(users)
  // Thousands are in few zones.
  const datesByZone = new Map<ZoneName, { today: LocalDate; endingDate: LocalDate }>()
  const datesIn = (zone: ZoneName) => {
    const known = datesByZone.get(zone)
    if (known) return known
    const dates = { today: dateInZone(nowMs, zone), endingDate: endingDateOfRoles(nowMs, zone) }
    datesByZone.set(zone, dates)
    return dates
  }
  const personOf = (user: UserNumber) => {
    const own = presences.get(user)
    const { today, endingDate } = datesIn(own?.timeZone ?? 'UTC')
    return {
      today,
      isStronglySignedIn: strong.has(user),
      isAway: areAllAway || own?.absences.some(({ from, to }) => from <= today && today <= to) === true,
      endingDate,
    }
  }
  const people = await mapInSlices(users, (user) => [user, personOf(user)] as const)
  return rolesInForceOf(grants, new Map(people))
}

/** Returns the last date of a user's accepted memberships in a company; see `lastMemberDate`. */
export async function lastMemberDateOf(
  store: TeamStore,
  user: UserNumber,
  companyId: number,
): Promise<LocalDate | null> {
  return lastMemberDate((await store.memberships([user])).filter(({ path }) => companyOf(path) === companyId))
}

/** Returns the present date in the zone of a user's account; of UTC before there are facts. */
export function presentDateOf(facts: Pick<Presence, 'timeZone'> | undefined, nowMs: EpochMs) {
  return dateInZone(nowMs, facts?.timeZone ?? 'UTC')
}
