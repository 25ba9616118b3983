import type { GroupRow, LeaveResult, MemberRow, UserNumber } from '@saldo/core'

/** Returns the present members of a group and of all groups below it. */
export function membersIn(people: readonly MemberRow[], groups: readonly GroupRow[], groupId: number): MemberRow[] {
  const parents = new Map(groups.map(({ id, parent_id }) => [id, parent_id]))
  const isWithin = (id: number | null | undefined): boolean =>
    id != null && (id === groupId || isWithin(parents.get(id)))
  return people.filter(
    ({ state, memberships }) => state === 'member' && memberships.some(({ group_id }) => isWithin(group_id)),
  )
}

/** The outcome of company leave: whose days it takes, which days it leaves out, and who gets none. */
export interface LeaveSummary {
  days: number
  people: UserNumber[]
  /** People of whom some days are left out. */
  partly: LeaveResult[]
  /** People who get no day, with what the service says, if it says anything. */
  nobody: LeaveResult[]
}

export function summaryOfLeave(results: readonly LeaveResult[]): LeaveSummary {
  const some = results.filter(({ dates }) => dates.length > 0)
  return {
    days: some.reduce((sum, { dates }) => sum + dates.length, 0),
    people: some.map(({ user_id }) => user_id),
    partly: some.filter(({ left_out }) => left_out.length > 0),
    nobody: results.filter(({ dates }) => dates.length === 0),
  }
}
