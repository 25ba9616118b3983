import {
  chosenAbsenceKinds,
  companyOf,
  type DateRange,
  itemAt,
  jsonEqual,
  type MemberRules,
  type Membership,
  mergeRanges,
  type PolicyVersion,
  type UserNumber,
  visibleDates,
} from '@saldo/core'
import type { TeamStore } from '../store/team/team-store.ts'
import type { TeamWriter } from '../store/team/team-writer.ts'

/** Stores the rules that members have for what they write (D26.9), and has their facts made anew. */
export async function storeMemberRules(writer: TeamWriter, users: readonly UserNumber[]): Promise<void> {
  const versionsByCompany = new Map<number, MemberRules['versions']>()
  for (const user of users)
    await writer.putMemberRules(user, await memberRulesOf(writer.store, user, versionsByCompany))
}

/**
 * Returns the dates on which a user is or was a member of each company, in order (D24.3); none of one whose membership
 * waits, or was ended before its first date.
 */
export async function memberDatesByCompany(store: TeamStore, user: UserNumber): Promise<Map<number, DateRange[]>> {
  const byCompany = Map.groupBy(await store.memberships([user]), ({ path }) => companyOf(path))
  const dates = ([company, memberships]: [number, Membership[]]): [number, DateRange[]] => [
    company,
    mergeRanges(memberships.flatMap((membership) => visibleDates(membership) ?? [])),
  ]
  return new Map([...byCompany].map(dates))
}

/** Returns the dates on which a user is or was a member of a company, in order (D24.3). */
export async function memberDatesOf(store: TeamStore, user: UserNumber, company: number): Promise<DateRange[]> {
  return (await memberDatesByCompany(store, user)).get(company) ?? []
}

/**
 * Returns the rules of a user by their memberships; null without one that was accepted. Those of companies are kept in
 * `versionsByCompany`: reading them for each of many members would take seconds.
 */
export async function memberRulesOf(
  store: TeamStore,
  user: UserNumber,
  versionsByCompany = new Map<number, MemberRules['versions']>(),
): Promise<MemberRules | null> {
  const joined = [...(await memberDatesByCompany(store, user))].filter(([, dates]) => dates.length > 0)
  if (joined.length === 0) return null
  // Somebody who has left one company can be in another: the last is the present one.
  const [company, dates] = joined.reduce((a, b) => (itemAt(a[1], -1).to < itemAt(b[1], -1).to ? b : a))
  const versions = versionsByCompany.get(company) ?? versionsOf(await store.policies(company))
  versionsByCompany.set(company, versions)
  return { company, dates, versions }
}

/**
 * Returns what members need of the versions of a policy: of each date the last one, where it differs from the one
 * before. Each write of a member reads them, and HR can make hundreds in a day.
 */
function versionsOf(policies: readonly PolicyVersion[]): MemberRules['versions'] {
  const versions: MemberRules['versions'][number][] = []
  for (const [index, { from, policy }] of policies.entries()) {
    if (policies[index + 1]?.from === from) continue
    const { cancel_ahead: cancelAhead, managed } = policy
    const rules = { ask: kindsUnderAsk(policy.absences), cancelAhead, managed }
    const before = versions.at(-1)
    if (!before || !jsonEqual({ ...before, from }, { from, ...rules })) versions.push({ from, ...rules })
  }
  return versions
}

function kindsUnderAsk(absences: PolicyVersion['policy']['absences']) {
  return chosenAbsenceKinds.filter((kind) => absences[kind] === 'ask')
}
