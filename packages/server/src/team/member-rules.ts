import {
  chosenAbsenceKinds,
  companyOf,
  LAST_DATE,
  type MemberRules,
  type Membership,
  type PolicyVersion,
  type UserNumber,
  visibleDates,
} from '@saldo/core'
import type { TeamWriter } from '../store/team/team-writer.ts'

/** Stores the rules that a company has for what members write (D26.9); for all its users, or for some. */
export async function storeMemberRules(
  writer: TeamWriter,
  companyId: number,
  users?: readonly UserNumber[],
): Promise<void> {
  const policies = await writer.store.policies(companyId)
  const all = await writer.store.memberships(users ?? companyId)
  const members = users ?? [...new Set(all.map(({ user }) => user))]
  const byUser = Map.groupBy(all, ({ user }) => user)
  await writer.putMemberRules(
    new Map(members.map((user) => [user, rulesOf(byUser.get(user) ?? [], companyId, policies)])),
  )
}

/** Returns the rules of somebody with these memberships; null without one that was accepted. */
function rulesOf(
  memberships: readonly Membership[],
  companyId: number,
  policies: readonly PolicyVersion[],
): MemberRules | null {
  const dates = memberships
    .filter(({ path }) => companyOf(path) === companyId)
    .flatMap((membership) => {
      const { until } = membership
      const visible = visibleDates(membership, until ?? LAST_DATE)
      return visible ? { from: visible.from, until } : []
    })
  if (dates.length === 0) return null
  const lasts = dates.map(({ until }) => until ?? LAST_DATE).sort()
  const last = lasts.at(-1)
  return {
    company: companyId,
    joinedOn: dates.map(({ from }) => from).reduce((a, b) => (a < b ? a : b)),
    until: last === undefined || last === LAST_DATE ? null : last,
    versions: policies.map(({ from, policy }) => ({
      from,
      ask: kindsUnderAsk(policy.absences),
      cancelAhead: policy.cancel_ahead,
    })),
  }
}

function kindsUnderAsk(absences: PolicyVersion['policy']['absences']) {
  return chosenAbsenceKinds.filter((kind) => absences[kind] === 'ask')
}
