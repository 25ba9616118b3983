import {
  addDays,
  companyOf,
  countedHrs,
  coversGroup,
  type Group,
  type ItemResult,
  isConfirmedByGiving,
  LAST_DATE,
  type LocalDate,
  lastDateOfRole,
  MAX_ROLES,
  mayConfirm,
  RoleInput,
  type RoleRow,
  type TeamRole,
  type UserNumber,
} from '@saldo/core'
import type { RoleNews } from '../mail/team-news.ts'
import { leavesNoHr } from '../store/team/hr-grants.ts'
import type { StoredGrant, TeamStore } from '../store/team/team-store.ts'
import type { TeamWriter } from '../store/team/team-writer.ts'
import { MANAGERS, type TeamViewer } from './access.ts'
import type { TeamNews } from './announcements.ts'
import type { Companies } from './companies.ts'
import { hidesHr } from './ending-roles.ts'
import { checkItem, rejected } from './items.ts'
import { lastMemberDateOf, rolesInForce, rolesKnownToMembers } from './roles-in-force.ts'

/** The roles that are given for a whole company alone. */
const ofCompany: readonly TeamRole[] = ['hr', 'payroll', 'auditor']

/**
 * Returns the roles of a company that were ever given, with what each waits for. HR alone learns how others sign in
 * (D24.9) and, by the deputies, which leads are away (D25.6).
 */
export async function roleRows(
  companies: Companies,
  { companyId, roles }: Pick<TeamViewer, 'companyId' | 'roles'>,
): Promise<RoleRow[]> {
  const { store } = companies
  const isHr = roles.some(({ role }) => role === 'hr')
  const grants = await store.grants(companyId)
  const readRoles = isHr ? rolesInForce : rolesKnownToMembers
  const inForce = new Set((await readRoles(store, companyId, companies.nowMs())).map(({ id }) => id))
  const users = grants.flatMap(({ user, standsInFor, givenBy }) => [user, standsInFor ?? user, givenBy ?? user])
  const people = await store.names([...new Set(users)], companyId)
  const holders = grants.map(({ user }) => user)
  const strong = isHr ? await store.strongOf(holders) : new Set(holders)
  const personOf = (user: UserNumber | null) =>
    user === null ? null : { user_id: user, name: people.get(user)?.name ?? '' }
  const today = companies.today()
  return grants.map((grant) => ({
    id: grant.id,
    user: { user_id: grant.user, name: people.get(grant.user)?.name ?? '', email: people.get(grant.user)?.email ?? '' },
    role: grant.role,
    group_id: grant.groupId,
    from: grant.from,
    until: grant.until,
    stands_in_for: personOf(grant.standsInFor),
    given_by: personOf(grant.givenBy),
    state: inForce.has(grant.id) ? 'in_force' : stateOf(grant, today, strong.has(grant.user)),
  }))
}

function stateOf({ role, from, until, isConfirmed }: StoredGrant, today: LocalDate, isStrong: boolean) {
  if (until !== null && until < today) return 'ended'
  if (!isConfirmed) return 'waits_for_hr'
  if (!isStrong) return 'needs_second_factor'
  if (from > today) return 'later'
  return role === 'deputy' ? 'lead_present' : 'ended'
}

/**
 * Gives, changes and ends roles one after another (D24.4, D24.5, D24.12). `countMail` counts the mails about what has
 * changed, and throws after too many; nothing is changed then.
 */
export function putRoles(
  companies: Companies,
  viewer: TeamViewer,
  items: readonly unknown[],
  countMail: () => Promise<void>,
): Promise<ItemResult[]> {
  return companies.write(viewer, { callers: MANAGERS }, async (writer, by) => {
    const groups = new Map((await writer.store.groups(by.companyId)).map((group) => [group.id, group]))
    const grants = await writer.store.grants(by.companyId)
    const giving: Giving = { companies, writer, by, groups, grants, news: [] }
    const result: ItemResult[] = []
    for (const item of items) {
      const checked = checkItem(RoleInput, item)
      result.push(checked.ok ? await putRole(giving, checked.value) : checked.result)
    }
    if (giving.news.length > 0) await countMail()
    return { result, news: giving.news }
  })
}

interface Giving {
  companies: Companies
  writer: TeamWriter
  by: TeamViewer
  groups: ReadonlyMap<number, Group>
  /** The roles of the company, as the items so far have left them: reading them for each would take seconds. */
  grants: StoredGrant[]
  /** Announced once the changes are stored. */
  news: TeamNews[]
}

async function putRole(giving: Giving, given: RoleInput): Promise<ItemResult> {
  const { companies, writer, by, grants, news } = giving
  const { companyId, user: actor } = by
  const { role, group_id: groupId, from, until } = given
  const input = { ...given, user: given.user_id, standsInFor: given.stands_in_for }
  const { user, standsInFor } = input
  const group = giving.groups.get(groupId)
  if (!group) return rejected('group_missing')
  if (until !== null && until < addDays(from, -1)) return rejected('dates_reversed')
  const same = grants.find(
    (grant) => grant.user === user && grant.role === role && grant.groupId === groupId && grant.from === from,
  )
  const today = companies.today()
  const having = (change: Partial<StoredGrant>) =>
    grants.map((grant) => (grant.id === same?.id ? { ...grant, ...change } : grant))
  const report = async (what: Reported, waits: boolean) => {
    await writer.note(companyId, actor, what, { user, role, group: group.name, from, until })
    const name = waits ? 'role_waits' : what
    news.push({ what: name, user, role, group: group.name, path: group.path })
  }
  const memberUntil = await lastMemberDateOf(writer.store, user, companyId)
  const isOver = memberUntil !== null && memberUntil < today
  const present = isOver ? until : lastDateOfRole(until, memberUntil)
  if (same && same.until === present && same.standsInFor === standsInFor) return { outcome: 'unchanged', id: same.id }
  // Whoever has left, or resigns, can lose a role too.
  const isEnded = same && until !== null && until < (same.until ?? LAST_DATE) && same.standsInFor === standsInFor
  if (isEnded) {
    const after = having({ until })
    if (user !== actor && hidesHr(grants, after, today)) return rejected('hr_ended_late')
    if (leavesNoHr(grants, after, today)) return rejected('only_hr')
    await writer.endRole(same.id, until)
    giving.grants = after
    await report('role_ended', false)
    return { outcome: 'changed', id: same.id }
  }
  if (user === actor) return rejected('own_role')
  // It would never be in force (D24.20).
  if (isOver || (memberUntil !== null && from > memberUntil)) return rejected('membership_ended')
  const refusal = await refusalOf(giving, input, group)
  if (refusal !== undefined) return rejected(refusal)
  const needsNobody = isConfirmedByGiving({ user, givenBy: actor }, countedHrs(grants, today))
  const isConfirmed = needsNobody && !(await wasOnlyOffered(writer.store, user, companyId))
  const added = { user, role, groupId, from, until, standsInFor, givenBy: actor, isConfirmed }
  if (!same) {
    if (grants.length >= MAX_ROLES) return rejected('too_many_roles')
    const id = await writer.addRole(added)
    const state = { isActive: true, wasConfirmed: isConfirmed, createdAt: writer.at }
    grants.push({ ...added, id, path: group.path, until: present, ...state })
    await report('role_given', !isConfirmed)
    return { outcome: 'added', id }
  }
  // A longer time, or another lead, is a role given anew.
  const others = (all: readonly StoredGrant[]) => all.filter((grant) => grant.user !== actor)
  // Somebody else than the actor stays HR, who can confirm it.
  if (leavesNoHr(others(grants), others(having({ isConfirmed })), today)) return rejected('only_hr')
  const id = await writer.giveRoleAnew(same.id, added)
  giving.grants = having({ ...added, id, until: present, wasConfirmed: same.wasConfirmed || isConfirmed })
  await report('role_changed', !isConfirmed)
  return { outcome: 'changed', id }
}

type Reported = Exclude<RoleNews, 'hr_replaced' | 'role_waits' | 'role_confirmed'>

interface NamedRole extends Pick<RoleInput, 'role'> {
  user: UserNumber
  standsInFor: UserNumber | null
}

type Refusal = Parameters<typeof rejected>[0]

/** Returns why a role cannot be given; `undefined` if it can. */
async function refusalOf(
  { companies, writer, by: { companyId, isAdmin }, grants }: Giving,
  { user, role, standsInFor }: NamedRole,
  group: Group,
): Promise<Refusal | undefined> {
  if (ofCompany.includes(role) && group.parentId !== null) return 'role_of_company'
  if ((role === 'deputy') !== (standsInFor !== null)) return 'deputy_only'
  await writer.lockUser(user)
  const own = await writer.store.companyConcerning(user, companies.nowMs())
  // Admins see all accounts; for HR, those outside of the company do not exist.
  const isInside = own ? own.companyId === companyId : isAdmin || grants.some((grant) => grant.user === user)
  const named = (await writer.store.names([user], null)).get(user)
  if (!isInside || !named?.isActive) return 'person_missing'
  if (companies.asksForProof && !named.isConfirmed) return 'address_unconfirmed'
  if (standsInFor === null) return undefined
  if (standsInFor === user) return 'own_deputy'
  const isLead = grants.some(
    (grant) => grant.role === 'lead' && grant.user === standsInFor && coversGroup(grant, group.path),
  )
  return isLead ? undefined : 'lead_missing'
}

/**
 * True if somebody was offered a membership and has accepted none: they have agreed to nothing yet, and no role takes
 * effect (D24.24). Advisers have no membership at all.
 */
async function wasOnlyOffered(store: TeamStore, user: UserNumber, companyId: number): Promise<boolean> {
  const memberships = (await store.memberships([user])).filter(({ path }) => companyOf(path) === companyId)
  return memberships.length > 0 && memberships.every(({ acceptedOn }) => acceptedOn === null)
}

/** Confirms a role as another HR (D24.4). `countMail` counts the mails about it, and throws after too many. */
export function confirmRole(
  companies: Companies,
  viewer: TeamViewer,
  id: number,
  countMail: () => Promise<void>,
): Promise<'confirmed' | 'not_found' | 'not_yours' | 'not_joined'> {
  return companies.write(viewer, { callers: ['hr'] }, async (writer, { companyId, user }) => {
    const grants = await writer.store.grants(companyId)
    const grant = grants.find((each) => each.id === id)
    if (!grant) return { result: 'not_found' }
    if (grant.isConfirmed) return { result: 'confirmed' }
    if (!mayConfirm(grant, user, countedHrs(grants, companies.today()))) return { result: 'not_yours' }
    if (!grant.wasConfirmed && (await wasOnlyOffered(writer.store, grant.user, companyId))) {
      return { result: 'not_joined' }
    }
    await countMail()
    await writer.confirmRole(id, user)
    const group = (await writer.store.groups(companyId)).find((each) => each.id === grant.groupId)?.name ?? ''
    const { user: person, role, from, until, path } = grant
    await writer.note(companyId, user, 'role_confirmed', { user: person, role, group, from, until })
    return { result: 'confirmed', news: [{ what: 'role_confirmed', user: person, role, group, path }] }
  })
}
