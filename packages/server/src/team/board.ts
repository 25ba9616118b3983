import {
  type BoardFacts,
  type BoardRow,
  coversGroup,
  dateInZone,
  datesIn,
  datesOfFacts,
  datesOfMonth,
  type EpochMs,
  isWithin,
  type LocalDate,
  type Month,
  monthOf,
  policyOn,
  sightOf,
  TEAM_PAGE,
  type UserNumber,
} from '@saldo/core'
import type { MemberKey, TeamStore } from '../store/team/team-store.ts'
import { rolesInForce } from './roles-in-force.ts'
import { ownerOf, seeingGroups, viewerOf } from './sight.ts'

/** A page of the board to read. */
export interface BoardQuery {
  month: Month
  /** The group with all below it; all that the viewer leads without one. */
  groupId?: number | undefined
  /** The last person of the page before. */
  after?: MemberKey | undefined
}

/** A page of the board, or the reason why there is none. */
export type BoardOutcome =
  | { outcome: 'read'; items: BoardRow[]; last: MemberKey | undefined }
  | { outcome: 'no_company' | 'no_role' }

/** Reads a page of the board of a lead or HR from facts alone, by a constant number of statements (D30.2). */
export async function readBoard(
  store: TeamStore,
  user: UserNumber,
  { month, groupId, after }: BoardQuery,
  nowMs: EpochMs,
): Promise<BoardOutcome> {
  const company = await store.companyOf(user, nowMs)
  if (!company) return { outcome: 'no_company' }
  const inForce = await rolesInForce(store, company.companyId, nowMs)
  const grants = inForce.filter((grant) => grant.user === user && (grant.role === 'lead' || grant.role === 'hr'))
  if (grants.length === 0) return { outcome: 'no_role' }
  const allGroups = await store.groups(company.companyId)
  const covered = allGroups.filter(({ path }) => grants.some((grant) => coversGroup(grant, path)))
  const asked = covered.find(({ id }) => id === groupId)
  const groups = covered.filter(({ path }) => groupId === undefined || (asked && isWithin(path, asked.path)))
  const ids = groups.map(({ id }) => id)
  const page = { companyId: company.companyId, after, limit: TEAM_PAGE + 1 }
  const found = ids.length === 0 ? [] : await store.members([{ ids, dates: datesOfMonth(month) }], page)
  const people = found.slice(0, TEAM_PAGE)
  const users = people.map((person) => person.user)
  const [memberships, facts] = [await store.memberships(users), await store.facts(users)]
  const [boards, policies] = [await store.boards(users), await store.policies(company.companyId)]
  const membershipsByUser = Map.groupBy(memberships, (membership) => membership.user)
  const looking = { user, memberships: [], grants, seeing: seeingGroups(allGroups) }
  const policy = policyOn(policies, dateInZone(nowMs, 'UTC'))
  const items = people.map(({ user: member, name }): BoardRow => {
    const own = (membershipsByUser.get(member) ?? []).filter(({ path }) => isWithin(path, `/${company.companyId}/`))
    const ofMember = facts.get(member)
    const today = dateInZone(nowMs, ofMember?.timeZone ?? 'UTC')
    const [viewer, owner, board] = [viewerOf(looking, member, own), ownerOf(own, today), boards.get(member)]
    const monthOn = (date: LocalDate) => sightOf(viewer, owner, { kind: 'month', date }, policy) !== 'nothing'
    const seesMonth = [...datesIn(datesOfMonth(month))].some(monthOn)
    const sight = sightOf(viewer, owner, { kind: 'balance', date: today }, policy)
    const balance = sight === 'figure' || sight === 'all' ? board?.balanceMs : sight === 'light' ? board?.light : null
    return {
      user_id: member,
      name,
      state: seesMonth ? stateIn(board, month) : 'open',
      balance: balance ?? null,
      without_entries:
        datesOfMonth(month).from < datesOfFacts(today).from
          ? null
          : (board?.withoutEntries ?? []).filter((date) => monthOf(date) === month && monthOn(date)),
      vacation_left: monthOn(today) ? (board?.vacationLeft ?? null) : null,
      waiting: monthOn(today) ? (ofMember?.requests.length ?? 0) : 0,
    }
  })
  return { outcome: 'read', items, last: found.length > TEAM_PAGE ? people.at(-1) : undefined }
}

function stateIn(board: BoardFacts | undefined, month: Month): BoardRow['state'] {
  if (board?.locked.includes(month)) return 'locked'
  return board?.submitted.includes(month) ? 'submitted' : 'open'
}
