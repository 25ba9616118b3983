import type { CompanyLeave, UserNumber } from '@saldo/core'
import type { StoredTrailRow } from '../store/team/trail-rows.ts'
import type { TeamViewer } from './access.ts'
import type { Companies } from './companies.ts'

/** Company leave by the trail of the company: who wrote it last, and the people from whom it was not removed. */
export type ListedLeave = CompanyLeave & Pick<StoredTrailRow, 'actor' | 'at'>

/** Returns the company leave that stands by the rows of a trail, the latest dates first (D28.7). */
export function standingLeave(rows: readonly StoredTrailRow[]): ListedLeave[] {
  const leaveById = new Map<string, ListedLeave>()
  for (const { kind, actor, at, data } of rows) {
    const { leave, from, until: to } = data
    if (!leave || from === undefined || to == null) continue
    const before = leaveById.get(leave.id)?.users ?? []
    const named = new Set(leave.users)
    const others = before.filter((user) => !named.has(user))
    const users = kind === 'leave_written' ? [...others, ...leave.users] : others
    leaveById.set(leave.id, { id: leave.id, kind: leave.kind, from, to, users, actor, at })
  }
  const standing = [...leaveById.values()].filter(({ users }) => users.length > 0)
  return standing.toSorted((a, b) => (a.from === b.from ? 0 : a.from < b.from ? 1 : -1))
}

/**
 * Notes company leave in the trail of the company before it is written or removed: of leave that was cut off half-way
 * the list still has all people, so that HR can repeat or remove it. What the list has already is not noted again, and
 * neither are numbers that are nobody's of the company.
 */
export async function noteLeave(
  companies: Companies,
  viewer: TeamViewer,
  { id, kind, from, to, users }: CompanyLeave,
  { act }: { act: 'write' | 'remove' },
): Promise<void> {
  await companies.write(viewer, { callers: ['hr'] }, async (writer, { companyId, user }) => {
    const standing = standingLeave(await writer.store.leaveTrail(companyId)).find((leave) => leave.id === id)
    const has = (person: UserNumber) => standing?.users.includes(person) === true
    const members = (await writer.store.memberships(companyId)).filter(({ acceptedOn }) => acceptedOn !== null)
    const people = new Set(members.map((membership) => membership.user))
    const news = users.filter((person) => (act === 'remove' ? has(person) : people.has(person) && !has(person)))
    if (news.length === 0) return { result: undefined }
    const event = act === 'write' ? ('leave_written' as const) : ('leave_removed' as const)
    await writer.note(companyId, user, event, { from, until: to, leave: { id, kind, users: news } })
    return { result: undefined }
  })
}
