import {
  type AwayPage,
  addDaysWithinCalendar,
  awayDates,
  COLLEAGUE_DAYS,
  coversGroup,
  type DateRange,
  dateInZone,
  type EpochMs,
  type Group,
  isMemberOn,
  isWithin,
  type LocalDate,
  type Membership,
  policyOn,
  TEAM_PAGE,
  type UserNumber,
  visibleDates,
} from '@saldo/core'
import type { GroupsOnDates, MemberKey, StoredGrant, TeamStore } from '../store/team/team-store.ts'
import { mapInSlices } from '../time-slice.ts'
import { presentDateOf, rolesInForce } from './roles-in-force.ts'
import { ownerOf, seeingGroups, seeingRoles, viewerOf } from './sight.ts'

/** A page to read of who is away. */
export interface AwayQuery extends DateRange {
  /** The group with all below it; all that the viewer sees without one. */
  groupId?: number | undefined
  /** The last person of the page before. */
  after?: MemberKey | undefined
}

/** A page of who is away, or the reason why there is none. */
export type AwayOutcome =
  | { outcome: 'read'; page: Omit<AwayPage, 'cursor'>; last: MemberKey | undefined }
  | { outcome: 'no_company' | 'unknown_group' }

/** Reads a page of who is away as a user sees it, by a constant number of statements (D30.2). */
export async function readAway(
  store: TeamStore,
  user: UserNumber,
  { groupId, after, ...range }: AwayQuery,
  nowMs: EpochMs,
): Promise<AwayOutcome> {
  const company = await store.companyOf(user, nowMs)
  if (!company) return { outcome: 'no_company' }
  const allGroups = await store.groups(company.companyId)
  const ownToday = presentDateOf((await store.presences([user])).get(user), nowMs)
  // Whoever has left a group sees nobody of it any more, and whoever joins it later nobody yet (D24.3, D24.7).
  const ownMemberships = (await store.memberships([user])).filter((membership) => isMemberOn(membership, ownToday))
  const grants = (await rolesInForce(store, company.companyId, nowMs)).filter((grant) => grant.user === user)
  const { covered, shared } = groupsSeen(allGroups, ownMemberships, grants)
  const seen = allGroups.filter(({ id }) => covered.has(id) || shared.has(id))
  const asked = seen.find(({ id }) => id === groupId)
  if (groupId !== undefined && !asked) return { outcome: 'unknown_group' }
  const ids = (asked ? seen.filter(({ path }) => isWithin(path, asked.path)) : seen).map(({ id }) => id)

  // By a role, who is there on the dates is known, in the groups that it covers alone (D25.4).
  const groups: [GroupsOnDates, GroupsOnDates] = [
    { ids: ids.filter((id) => covered.has(id)), dates: range },
    { ids: ids.filter((id) => !covered.has(id)), dates: datesForColleagues(range.from, ownToday) },
  ]
  const found =
    ids.length === 0 ? [] : await store.members(groups, { companyId: company.companyId, after, limit: TEAM_PAGE + 1 })
  const people = found.slice(0, TEAM_PAGE)
  const users = people.map((person) => person.user)
  const membershipsByUser = Map.groupBy(await store.memberships(users), (membership) => membership.user)
  const factsByUser = await store.facts(users)
  const policies = await store.policies(company.companyId)
  const looking = { user, memberships: ownMemberships, grants, seeing: seeingGroups(allGroups) }

  const items = await mapInSlices(people, (person) => {
    const memberships = (membershipsByUser.get(person.user) ?? []).filter(isOf(company.companyId))
    const facts = factsByUser.get(person.user)
    const today = dateInZone(nowMs, facts?.timeZone ?? 'UTC')
    const owner = ownerOf(memberships, today)
    const viewer = viewerOf(looking, person.user, memberships)
    const dates = facts ? awayDates(viewer, owner, facts, range, policyOn(policies, today)) : []
    const group = memberships.find((membership) => groups.some((each) => countsIn(each, membership)))?.groupId ?? 0
    return { user_id: person.user, name: person.name, group_id: group, dates }
  })
  const last = found.length > TEAM_PAGE ? people.at(-1) : undefined
  return { outcome: 'read', page: { groups: seen.map(({ id, name }) => ({ id, name })), items }, last }
}

/**
 * Returns the dates on which members count for colleagues, who see 7 days back. None is ahead: a list of a later date
 * would say whose membership ends before, or begins (D25.4).
 */
function datesForColleagues(from: LocalDate, today: LocalDate): DateRange {
  const first = addDaysWithinCalendar(today, -COLLEAGUE_DAYS.back)
  if (from > today) return { from: today, to: today }
  return { from: from > first ? from : first, to: today }
}

/** True if somebody with a membership counts as a member of groups. */
function countsIn({ ids, dates }: GroupsOnDates, membership: Membership): boolean {
  const own = visibleDates(membership)
  return ids.includes(membership.groupId) && own !== undefined && own.from <= dates.to && dates.from <= own.to
}

/** The people of a feed with the dates on which they are away. */
export type AwayPeople = Pick<AwayPage['items'][number], 'user_id' | 'name' | 'dates'>[]

/** The most people of a feed, so that a request has bounded work. */
const MAX_PEOPLE_OF_FEED = 10 * TEAM_PAGE

/** Reads who is away in a group, as a user sees it, for a calendar (D30.6); undefined if they do not see the group. */
export async function readAwayForFeed(
  store: TeamStore,
  user: UserNumber,
  groupId: number,
  nowMs: EpochMs,
): Promise<AwayPeople | undefined> {
  const today = dateInZone(nowMs, 'UTC')
  const range = {
    from: addDaysWithinCalendar(today, -COLLEAGUE_DAYS.back),
    to: addDaysWithinCalendar(today, COLLEAGUE_DAYS.ahead),
  }
  const people: AwayPeople = []
  let after: MemberKey | undefined
  do {
    const read = await readAway(store, user, { ...range, groupId, after }, nowMs)
    if (read.outcome !== 'read') return undefined
    people.push(...read.page.items)
    after = read.last
  } while (after && people.length < MAX_PEOPLE_OF_FEED)
  return people
}

/** Returns the groups whose members somebody sees: those that a role covers, and those of their present memberships. */
function groupsSeen(
  groups: readonly Group[],
  own: readonly Membership[],
  grants: readonly StoredGrant[],
): { covered: Set<number>; shared: Set<number> } {
  const roles = grants.filter(({ role }) => seeingRoles.includes(role))
  const covered = groups.filter(({ path }) => roles.some((role) => coversGroup(role, path)))
  const shared = groups.filter(({ id, seesMembers }) => seesMembers && own.some(({ groupId }) => groupId === id))
  return { covered: new Set(covered.map(({ id }) => id)), shared: new Set(shared.map(({ id }) => id)) }
}

function isOf(companyId: number): (membership: Membership) => boolean {
  return ({ path }) => isWithin(path, `/${companyId}/`)
}
