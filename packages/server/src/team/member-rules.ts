import {
  chosenAbsenceKinds,
  companyOf,
  type DateRange,
  itemAt,
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
  for (const user of users) await writer.putMemberRules(user, await memberRulesOf(writer.store, user))
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

/** Returns the rules of a user by their memberships; null without one that was accepted. */
export async function memberRulesOf(store: TeamStore, user: UserNumber): Promise<MemberRules | null> {
  const joined = [...(await memberDatesByCompany(store, user))].filter(([, dates]) => dates.length > 0)
  if (joined.length === 0) return null
  // Somebody who has left one company can be in another: the last is the present one.
  const [company, dates] = joined.reduce((a, b) => (itemAt(a[1], -1).to < itemAt(b[1], -1).to ? b : a))
  return {
    company,
    dates,
    versions: (await store.policies(company)).map(({ from, policy }) => ({
      from,
      ask: kindsUnderAsk(policy.absences),
      cancelAhead: policy.cancel_ahead,
      managed: policy.managed,
    })),
  }
}

function kindsUnderAsk(absences: PolicyVersion['policy']['absences']) {
  return chosenAbsenceKinds.filter((kind) => absences[kind] === 'ask')
}
