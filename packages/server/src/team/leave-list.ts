import type { CompanyLeave, UserNumber } from '@saldo/core'
import { ProblemError } from '../http/problem.ts'
import type { StoredTrailRow } from '../store/team/trail-rows.ts'
import type { TeamViewer } from './access.ts'
import type { Companies } from './companies.ts'

/** The most people that all company leave names, each once for each leave: whoever reads it reads all. */
const MAX_NAMED = 1_000_000

/** Company leave by the trail of the company: who wrote it last, and the people from whom it was not removed. */
export type ListedLeave = CompanyLeave & Pick<StoredTrailRow, 'actor' | 'at'>

/**
 * Returns the company leave that stands by the rows of a trail, which come in pieces, the latest dates first (D28.7).
 */
export async function standingLeave(pieces: AsyncIterable<readonly StoredTrailRow[]>): Promise<ListedLeave[]> {
  const leaveById = new Map<string, Omit<ListedLeave, 'users'> & { users: Set<UserNumber> }>()
  for await (const { kind, actor, at, data } of eachOf(pieces)) {
    const { leave, from, until: to } = data
    if (!leave || from === undefined || to == null) continue
    const users = leaveById.get(leave.id)?.users ?? new Set()
    for (const user of leave.users) {
      users.delete(user)
      if (kind === 'leave_written') users.add(user)
    }
    leaveById.set(leave.id, { id: leave.id, kind: leave.kind, from, to, users, actor, at })
  }
  const standing = [...leaveById.values()].filter(({ users }) => users.size > 0)
  const inOrder = standing.toSorted((a, b) => (a.from === b.from ? 0 : a.from < b.from ? 1 : -1))
  return inOrder.map(({ users, ...leave }) => ({ ...leave, users: [...users] }))
}

async function* eachOf<T>(pieces: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const piece of pieces) yield* piece
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
    const all = await standingLeave(writer.store.leaveTrail(companyId))
    const listed = all.find((leave) => leave.id === id)
    // Days of which the list no longer knew would stand for good.
    if (listed && (listed.kind !== kind || listed.from !== from || listed.to !== to)) {
      throw new ProblemError('conflict', 'This company leave has another kind or other dates.')
    }
    const own = new Set(listed?.users)
    const has = (person: UserNumber) => own.has(person)
    const members = (await writer.store.memberships(companyId)).filter(({ acceptedOn }) => acceptedOn !== null)
    const people = new Set(members.map((membership) => membership.user))
    const news = users.filter((person) => (act === 'remove' ? has(person) : people.has(person) && !has(person)))
    if (news.length === 0) return { result: undefined }
    const named = all.reduce((sum, leave) => sum + leave.users.length, 0)
    if (act === 'write' && named + news.length > MAX_NAMED) {
      throw new ProblemError('conflict', 'The list of company leave is full. Remove leave that is long past.')
    }
    const event = act === 'write' ? ('leave_written' as const) : ('leave_removed' as const)
    await writer.note(companyId, user, event, { from, until: to, leave: { id, kind, users: news } })
    return { result: undefined }
  })
}
