import {
  addDays,
  companyOf,
  epochMs,
  type Group,
  type ItemResult,
  instantOf,
  isMemberOn,
  type LocalDate,
  type MemberRow,
  type Membership,
  PersonInput,
  TEAM_PAGE,
  type UserNumber,
  utcDate,
  wordsOf,
} from '@saldo/core'
import { leavesNoHr } from '../store/team/hr-grants.ts'
import type { StoredGrant, StoredPerson } from '../store/team/team-store.ts'
import type { TeamWriter } from '../store/team/team-writer.ts'
import type { UserStore } from '../store/users/users.ts'
import { Email } from '../users/credentials.ts'
import { MANAGERS, type TeamViewer } from './access.ts'
import type { TeamNews } from './announcements.ts'
import type { Companies } from './companies.ts'
import { endRoles, grantsWithMemberships, hidesHr } from './ending-roles.ts'
import { checkItem, rejected } from './items.ts'
import { storeMemberRules } from './member-rules.ts'
import { rolesInForce } from './roles-in-force.ts'

/** The people of a page. */
export interface PeopleFilter {
  /** The last person of the page before. */
  after?: UserNumber | undefined
  group?: number | undefined
  search?: string | undefined
  state?: MemberRow['state'] | undefined
}

/** Returns a page of 100 people of a company by name, and the last one if there are more; no times of anybody. */
export async function peoplePage(
  companies: Companies,
  companyId: number,
  { after, group, search = '', state }: PeopleFilter,
): Promise<{ items: MemberRow[]; last: UserNumber | undefined }> {
  const { store } = companies
  const path = (await store.groups(companyId)).find(({ id }) => id === group)?.path
  if (group !== undefined && path === undefined) return { items: [], last: undefined }
  const people = await store.people(companyId, { group: path, words: wordsOf(search) })
  const today = companies.today()
  const ofUser = Map.groupBy(await store.memberships(companyId), ({ user }) => user)
  const shown = people.filter((person) => !state || stateOf(person, ofUser.get(person.user) ?? [], today) === state)
  const start = after === undefined ? 0 : shown.findIndex(({ user }) => user === after) + 1
  const page = shown.slice(start, start + TEAM_PAGE)
  const roles = Map.groupBy(await rolesInForce(store, companyId, companies.nowMs()), ({ user }) => user)
  const items = page.map((person): MemberRow => {
    const memberships = ofUser.get(person.user) ?? []
    return {
      user_id: person.user,
      name: person.name,
      email: person.email,
      state: stateOf(person, memberships, today),
      memberships: memberships.map(({ id, groupId, from, until, acceptedOn }) => ({
        ...{ id, group_id: groupId, from, until },
        accepted_on: acceptedOn,
      })),
      roles: [...new Set((roles.get(person.user) ?? []).map(({ role }) => role))],
      last_active_at: shownActivity(person, memberships, today),
    }
  })
  return { items, last: shown.length > start + TEAM_PAGE ? page.at(-1)?.user : undefined }
}

/** Returns when somebody was last active: nobody's business of dates before joining or after leaving (D24.3). */
function shownActivity(
  { isActive, lastActiveAt }: StoredPerson,
  memberships: readonly Membership[],
  today: LocalDate,
): StoredPerson['lastActiveAt'] {
  if (!isActive || lastActiveAt === null) return null
  const lastDate = utcDate(epochMs(lastActiveAt))
  const isShown = memberships.some((each) => isMemberOn(each, today) && isMemberOn(each, lastDate))
  return isShown ? lastActiveAt : null
}

function stateOf(
  { isInvited, isActive }: StoredPerson,
  memberships: readonly Membership[],
  today: LocalDate,
): MemberRow['state'] {
  const present = memberships.filter(({ until }) => until === null || until >= today)
  if (!isActive || (present.length === 0 && memberships.length > 0)) return 'left'
  if (isInvited) return 'invited'
  if (present.some(({ acceptedOn }) => acceptedOn === null)) return 'waits_for_acceptance'
  return 'member'
}

/** The outcome of one person: who is invited still needs a link. `mailed` is the address that gets a mail of it. */
export type PersonResult = ItemResult & { invited?: UserNumber; mailed?: string }

/**
 * Adds people to groups and changes their memberships, one after another (D24.12). An address without an account gets
 * one that waits for an invitation, if the caller has shown that they may.
 */
export function putPeople(
  companies: Companies,
  users: UserStore,
  viewer: TeamViewer,
  items: readonly unknown[],
  { isDryRun, mayInvite }: { isDryRun: boolean; mayInvite: boolean },
): Promise<PersonResult[]> {
  return companies.write(viewer, { callers: MANAGERS, isDryRun }, async (writer, by) => {
    const list = new PeopleList(companies, users, writer, { by, mayInvite })
    const result: PersonResult[] = []
    for (const item of items) result.push(await list.put(item))
    if (list.changed.size > 0) await storeMemberRules(writer, [...list.changed])
    return { result, news: list.news }
  })
}

/** A list of people that is being put. */
class PeopleList {
  readonly news: TeamNews[] = []
  /** The users whose memberships have changed. */
  readonly changed = new Set<UserNumber>()
  readonly #companies: Companies
  readonly #users: UserStore
  readonly #writer: TeamWriter
  readonly #by: TeamViewer
  readonly #mayInvite: boolean
  readonly #addresses = new Set<string>()
  #groups: Group[] | undefined
  /** The roles of the company, as the items so far have left them: reading them for each would take seconds. */
  #grants: StoredGrant[] | undefined

  constructor(
    companies: Companies,
    users: UserStore,
    writer: TeamWriter,
    { by, mayInvite }: { by: TeamViewer; mayInvite: boolean },
  ) {
    this.#companies = companies
    this.#users = users
    this.#writer = writer
    this.#by = by
    this.#mayInvite = mayInvite
  }

  async put(item: unknown): Promise<PersonResult> {
    const checked = checkItem(PersonInput, item)
    if (!checked.ok) return checked.result
    const person = checked.value
    const address = checkItem(Email, person.email)
    if (!address.ok) return rejected('address_invalid')
    const email = address.value
    if (this.#addresses.has(email)) return rejected('address_repeated')
    this.#addresses.add(email)
    this.#groups ??= await this.#writer.store.groups(this.#by.companyId)
    const group = this.#groups.find(({ id }) => id === person.group_id)
    if (!group) return rejected('group_missing')
    const { from, until } = person
    if (until !== null && until < addDays(from, -1)) return rejected('dates_reversed')
    const user = await this.#writer.lockUserByEmail(email)
    if (user === undefined) return this.#invite(person, email, group)
    // One answer for both: HR learns neither which accounts are deactivated nor who belongs to which company.
    if (user === 'inactive') return rejected('not_to_add')
    const own = await this.#writer.store.companyConcerning(user, this.#companies.nowMs())
    if (own && own.companyId !== this.#by.companyId) return rejected('not_to_add')
    // Admins see no absences, and would let themselves see them.
    const isHr = this.#by.roles.some(({ role }) => role === 'hr')
    if (user === this.#by.user && !isHr) return rejected('own_membership')
    return this.#putMembership(user, group, { ...person, email })
  }

  async #invite(person: PersonInput, email: string, group: Group): Promise<PersonResult> {
    // Nobody was asked for a proof, since there was an account a moment ago.
    if (!this.#mayInvite) return rejected('account_gone')
    const at = instantOf(this.#companies.nowMs())
    const { name } = person
    const user = await this.#users.insert(this.#writer.sql, { email, isConfirmed: true, name, passwordHash: null, at })
    if (user === undefined) return rejected('address_added')
    const { id } = await this.#addMembership(user, group, person)
    return { outcome: 'invited', id, invited: user, mailed: email }
  }

  async #putMembership(user: UserNumber, group: Group, person: PersonInput): Promise<PersonResult> {
    const { from, until } = person
    const { companyId, user: actor } = this.#by
    const all = await this.#writer.store.memberships([user])
    const same = all.find((each) => each.groupId === group.id && each.from === from)
    if (same) {
      if (same.until === until) return { outcome: 'unchanged', id: same.id }
      const isOver = same.until !== null && same.until < this.#companies.today()
      // The person has accepted no date behind the last one, and may have been elsewhere since.
      if (isOver && same.acceptedOn !== null && (until === null || until > (same.until ?? until))) {
        return rejected('membership_ended')
      }
      if (this.#overlaps(all, same.id, group, person)) return rejected('membership_overlaps')
      const today = this.#companies.today()
      const inCompany = all.filter(({ path }) => companyOf(path) === companyId)
      const changed = inCompany.map((each) => (each.id === same.id ? { ...each, until } : each))
      this.#grants ??= await this.#writer.store.grants(companyId)
      const grants = this.#grants
      const after = grantsWithMemberships(grants, user, changed)
      if (user !== actor && hidesHr(grants, after, today)) return rejected('hr_ended_late')
      if (leavesNoHr(grants, after, today)) return rejected('only_hr')
      await this.#writer.endMembership(same.id, until)
      await this.#writer.note(companyId, actor, 'member_changed', { user, group: group.name, from, until })
      for (const each of await endRoles(this.#writer, this.#by, grants, after, this.#groups)) this.news.push(each)
      // A longer membership gives back the dates of roles that it had cut.
      const ofUser = new Map((await this.#writer.store.grants(companyId, user)).map((grant) => [grant.id, grant]))
      this.#grants = grants.map((grant) => ofUser.get(grant.id) ?? grant)
      this.changed.add(user)
      return { outcome: 'changed', id: same.id }
    }
    if (this.#overlaps(all, 0, group, person)) return rejected('already_member')
    const { id } = await this.#addMembership(user, group, person)
    this.news.push({ what: 'membership_offered', user, group: group.name, from, path: group.path })
    return { outcome: 'added', id, mailed: person.email }
  }

  #overlaps(all: readonly Membership[], own: number, group: Group, { from, until }: PersonInput): boolean {
    return all.some(
      (each) =>
        each.id !== own &&
        each.groupId === group.id &&
        companyOf(each.path) === this.#by.companyId &&
        (until === null || each.from <= until) &&
        (each.until === null || each.until >= from),
    )
  }

  async #addMembership(user: UserNumber, group: Group, { from, until }: PersonInput): Promise<{ id: number }> {
    const { companyId, user: actor } = this.#by
    const id = await this.#writer.addMembership(user, group.id, from, until)
    await this.#writer.note(companyId, actor, 'member_added', { user, group: group.name, from, until })
    return { id }
  }
}
