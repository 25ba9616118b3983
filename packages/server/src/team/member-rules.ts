import {
  chosenAbsenceKinds,
  companyOf,
  type DateRange,
  itemAt,
  type MemberRules,
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

/** Returns the dates on which a user is or was a member of a company, in order (D24.3). */
export async function memberDatesOf(store: TeamStore, user: UserNumber, company: number): Promise<DateRange[]> {
  const memberships = (await store.memberships([user])).filter(({ path }) => companyOf(path) === company)
  return mergeRanges(memberships.flatMap((membership) => visibleDates(membership) ?? []))
}

/** Returns the rules of a user by their memberships; null without one that was accepted. */
export async function memberRulesOf(store: TeamStore, user: UserNumber): Promise<MemberRules | null> {
  const accepted = (await store.memberships([user])).flatMap(({ path, ...membership }) => {
    const dates = visibleDates({ path, ...membership })
    return dates ? [{ ...dates, company: companyOf(path) }] : []
  })
  if (accepted.length === 0) return null
  // Somebody who has left one company can be in another: the last is the present one.
  const { company } = itemAt(
    accepted.toSorted((a, b) => (a.to < b.to ? 1 : -1)),
    0,
  )
  return {
    company,
    dates: await memberDatesOf(store, user, company),
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
