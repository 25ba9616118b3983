import {
  addDays,
  companyOf,
  coversGroup,
  isMemberOn,
  isWithin,
  type LocalDate,
  type MemberDefaults,
  type Membership,
  type OwnMembership,
  type OwnVisibility,
  type TeamRole,
  type TeamSummary,
  type UserNumber,
  visibleDates,
} from '@saldo/core'
import type { RecordStore } from '../store/store.ts'
import { leavesNoHr } from '../store/team/hr-grants.ts'
import type { StoredGrant, StoredGroup } from '../store/team/team-store.ts'
import type { TeamWriter } from '../store/team/team-writer.ts'
import type { TeamViewer } from './access.ts'
import type { Companies } from './companies.ts'
import { endRoles, grantsWithMemberships } from './ending-roles.ts'
import { membersByGroup } from './groups.ts'
import { storeMemberRules } from './member-rules.ts'
import { lastMemberDateOf, presentDateOf, rolesKnownToMembers } from './roles-in-force.ts'

/** Returns the company of a viewer with their roles in force and its policy. */
export async function summaryOf(companies: Companies, viewer: TeamViewer): Promise<TeamSummary> {
  const { companyId, companyName, user, isAdmin, roles } = viewer
  const { policy, next } = await companies.policies(companyId)
  const own = await companies.store.memberships([user])
  return {
    company: { id: companyId, name: companyName },
    roles: roles.map(({ role, groupId }) => ({ role, group_id: groupId })),
    roles_without_key: await rolesWithoutKey(companies, viewer),
    is_member: own.some((each) => companyOf(each.path) === companyId && isMemberOn(each, companies.today())),
    left_on: null,
    is_admin: isAdmin,
    policy,
    next_policy: next,
  }
}

/**
 * Returns the company that a user has left, as it was on the last date: nothing of it but their own months and trail
 * concerns them any more (D24.19). Undefined for whoever has left none.
 */
export async function leftCompany(
  companies: Companies,
  records: RecordStore,
  user: UserNumber,
): Promise<TeamSummary | undefined> {
  const rules = await records.read(user, (reader) => reader.memberRules())
  const leftOn = rules?.dates.at(-1)?.to
  if (!rules || leftOn === undefined || leftOn >= companies.today()) return undefined
  const [company] = await companies.store.groups(rules.company)
  const versions = await companies.store.policies(rules.company)
  const policy = versions.findLast(({ from }) => from <= leftOn) ?? versions[0]
  if (!company || !policy) return undefined
  return {
    company: { id: rules.company, name: company.name },
    roles: [],
    roles_without_key: [],
    is_member: false,
    left_on: leftOn,
    is_admin: false,
    policy,
    next_policy: null,
  }
}

/** Returns the confirmed roles of a viewer that only wait for a second factor (D24.9). */
async function rolesWithoutKey(companies: Companies, { companyId, user }: TeamViewer): Promise<TeamRole[]> {
  const { store } = companies
  const present = companies.today()
  const own = (await store.grants(companyId, user)).filter(
    ({ isConfirmed, until }) => isConfirmed && (until === null || until >= present),
  )
  if (own.length === 0 || (await store.strongOf([user])).has(user)) return []
  return [...new Set(own.map(({ role }) => role))]
}

/** Returns the memberships of a user that have not ended, with what each means (D24.3, D24.13). */
export async function ownMemberships(companies: Companies, user: UserNumber): Promise<OwnMembership[]> {
  const present = await presentMemberships(companies, user)
  const rows: OwnMembership[] = []
  // There can be many offers, and thousands of groups.
  const groupsByCompany = new Map<number, StoredGroup[]>()
  for (const { id, path, groupId, from, until, acceptedOn } of present) {
    const companyId = companyOf(path)
    const groups = groupsByCompany.get(companyId) ?? (await companies.store.groupsWithDefaults(companyId))
    groupsByCompany.set(companyId, groups)
    const above = groups.filter((group) => isWithin(path, group.path))
    const own = groups.find((group) => group.id === groupId)
    rows.push({
      id,
      company: groups[0]?.name ?? '',
      group: own?.name ?? '',
      from,
      until,
      accepted_on: acceptedOn,
      sees_members: own?.seesMembers === true,
      policy: (await companies.policies(companyId)).policy,
      defaults: nearestDefaults(above),
    })
  }
  return rows
}

/** Returns the defaults on a path of groups: of each field, the nearest value counts (D24.13). */
function nearestDefaults(above: readonly StoredGroup[]): MemberDefaults {
  const inOrder = above.toSorted((a, b) => a.path.length - b.path.length)
  return Object.assign({}, ...inOrder.map(({ defaults }) => defaults ?? {})) as MemberDefaults
}

/**
 * Returns the memberships of a user that have not ended by the date of their account; of offers, those to an address
 * that is theirs (D24.23).
 */
async function presentMemberships(
  companies: Companies,
  user: UserNumber,
  store = companies.store,
): Promise<Membership[]> {
  const today = presentDateOf((await store.presences([user])).get(user), companies.nowMs())
  const present = (await store.memberships([user])).filter(({ until }) => until === null || until >= today)
  return (await companies.isProven(user, store)) ? present : present.filter(({ acceptedOn }) => acceptedOn !== null)
}

/** Accepts a membership from the present date of the user on (D24.3). A second company is refused (D24.2). */
export function acceptMembership(
  companies: Companies,
  user: UserNumber,
  id: number,
): Promise<'accepted' | 'not_found' | 'other_company' | 'only_hr'> {
  return companies.writeOwn(user, id, async (writer, { companyId, groupName }) => {
    const present = await presentMemberships(companies, user, writer.store)
    const own = present.find((each) => each.id === id)
    if (!own) return { result: 'not_found' }
    if (present.some(({ acceptedOn, path }) => acceptedOn !== null && companyOf(path) !== companyId)) {
      return { result: 'other_company' }
    }
    if (own.acceptedOn !== null) return { result: 'accepted' }
    const today = presentDateOf((await writer.store.presences([user])).get(user), companies.nowMs())
    await endRolesOfFormer(writer, user, companyId, today)
    const inCompany = (await writer.store.memberships([user])).filter(({ path }) => companyOf(path) === companyId)
    const joined = inCompany.map((each) => (each.id === id ? { ...each, acceptedOn: today } : each))
    const grants = await writer.store.grants(companyId)
    const after = grantsWithMemberships(grants, user, joined)
    if (leavesNoHr(grants, after, companies.today())) return { result: 'only_hr' }
    await writer.acceptMembership(own, today)
    await storeMemberRules(writer, [user])
    await writer.note(companyId, user, 'member_joined', { user, group: groupName })
    return { result: 'accepted', news: await endRoles(writer, { companyId, user }, grants, after) }
  })
}

/** Ends the roles of somebody who comes back to a company, which they had before they left, for good (D24.20). */
async function endRolesOfFormer(writer: TeamWriter, user: UserNumber, companyId: number, today: LocalDate) {
  const memberUntil = await lastMemberDateOf(writer.store, user, companyId)
  if (memberUntil === null || memberUntil >= today) return
  for (const grant of await writer.store.grants(companyId, user)) {
    const dayBefore = addDays(grant.from, -1)
    const until = grant.until !== null && grant.until > dayBefore ? grant.until : dayBefore
    await writer.endRole(grant.id, until)
  }
}

/** Declines a membership that was not accepted. */
export function declineMembership(
  companies: Companies,
  user: UserNumber,
  id: number,
): Promise<'declined' | 'not_found' | 'accepted'> {
  return companies.writeOwn(user, id, async (writer, { companyId, groupName, acceptedOn }) => {
    if (acceptedOn !== null) return { result: 'accepted' }
    await writer.deleteMembership(id)
    await writer.note(companyId, user, 'member_declined', { user, group: groupName })
    const isLast = !(await writer.store.memberships([user])).some(({ path }) => companyOf(path) === companyId)
    if (!isLast) return { result: 'declined' }
    // Roles given along with the offer go with it (D24.24).
    const grants = await writer.store.grants(companyId)
    const isDropped = (grant: StoredGrant) => grant.user === user && !grant.wasConfirmed
    const after = grants.map((grant) => (isDropped(grant) ? { ...grant, until: addDays(grant.from, -1) } : grant))
    return { result: 'declined', news: await endRoles(writer, { companyId, user }, grants, after) }
  })
}

/** Returns who sees what of a user: the roles over them, and the groups that see when they are away (D25.10). */
export async function ownVisibility(companies: Companies, user: UserNumber): Promise<OwnVisibility> {
  const { store } = companies
  const present = await presentMemberships(companies, user)
  const [first] = present
  if (!first) return { policy: null, people: [], groups: [] }
  const companyId = companyOf((present.find(({ acceptedOn }) => acceptedOn !== null) ?? first).path)
  const own = present.filter(({ path }) => companyOf(path) === companyId)
  // A role goes on showing the dates of a group that its member has left (D25.12).
  const left = (await store.memberships([user])).filter(
    (each) => companyOf(each.path) === companyId && visibleDates(each),
  )
  const paths = [...own, ...left].map(({ path }) => path)
  const [groups, members] = [await store.groups(companyId), await membersByGroup(companies, companyId)]
  const groupById = new Map(groups.map((group) => [group.id, group]))
  const inForce = new Set((await rolesKnownToMembers(store, companyId, companies.nowMs())).map(({ id }) => id))
  const today = companies.today()
  const over = (await store.grants(companyId)).filter(
    (grant) =>
      grant.user !== user &&
      (grant.until === null || grant.until >= today || inForce.has(grant.id)) &&
      paths.some((path) => coversGroup(grant, path)),
  )
  const people = await store.names(
    over.map((grant) => grant.user),
    companyId,
  )
  const groupIds = [...new Set(own.map(({ groupId }) => groupId))]
  return {
    policy: (await companies.policies(companyId)).policy,
    people: over.map(({ id, user: other, role, groupId, from, until }) => ({
      user_id: other,
      name: people.get(other)?.name ?? '',
      role,
      group: groupById.get(groupId)?.name ?? '',
      from,
      until,
      in_force: inForce.has(id),
    })),
    groups: groupIds.flatMap((id) => {
      const group = groupById.get(id)
      return group?.seesMembers ? { name: group.name, members: members.get(id) ?? 0 } : []
    }),
  }
}
