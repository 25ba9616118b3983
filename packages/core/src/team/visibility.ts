import type { absenceKinds } from '../choices.ts'
import { addDaysWithinCalendar } from '../date.ts'
import { type DateRange, haveDate } from '../date-range.ts'
import type { LocalDate } from '../values.ts'
import type { CompanyPolicy } from './policy.ts'
import type { TeamRole } from './roles.ts'

type AbsenceKind = (typeof absenceKinds)[number]

/** The dates that colleagues see, counted from the owner's present date (D25.4). */
export const COLLEAGUE_DAYS = { back: 7, ahead: 366 } as const

/** The relation of somebody who looks to the person whose data it is. */
export interface Viewer {
  isOwner: boolean
  /** The dates on which both are members of a group whose members see each other (D25.4). */
  sharedDates: readonly DateRange[]
  /** The roles in force that cover the owner. */
  roles: readonly RoleOver[]
}

/** A role in force over the owner: only on the dates on which the owner is in a group that it covers. */
export interface RoleOver {
  role: TeamRole
  dates: readonly DateRange[]
}

/** The person whose data it is. */
export interface FactOwner {
  /** The present date in the zone of the owner's account (D25.3). */
  today: LocalDate
  /** The dates of accepted memberships in the company (D24.3). */
  memberDates: readonly DateRange[]
}

/** One fact about a person, as the team pages have it. */
export type TeamFact =
  | { kind: 'absence'; date: LocalDate; absence: AbsenceKind; isWholeDay: boolean }
  | { kind: 'request'; date: LocalDate; isPlanned: boolean }
  /** The balance on a date: the present one has the present date, and that of a sheet a date of the sheet. */
  | { kind: 'balance'; date: LocalDate }
  /** The state of a date's month, days without entries; on the present date also vacation left and waiting requests. */
  | { kind: 'month'; date: LocalDate }
  | { kind: 'day'; date: LocalDate }
  | { kind: 'sheet'; date: LocalDate }
  | { kind: 'note'; date: LocalDate }

/**
 * The part of a fact that somebody sees. `away`, `part` and `asked` name neither kind nor size; `kind` names the kind
 * of an absence or request; `light`, `figure`, `figures` and `times` are those of the policy; `all` is everything.
 */
export type Sight = 'nothing' | 'away' | 'part' | 'asked' | 'kind' | 'light' | 'figure' | 'figures' | 'times' | 'all'

/**
 * Decides what somebody sees of a fact (D25.1): every answer, event, feed, mail, webhook and export of the team asks
 * this function, and nothing else decides.
 */
export function sightOf(viewer: Viewer, owner: FactOwner, fact: TeamFact, policy: CompanyPolicy): Sight {
  if (viewer.isOwner) return 'all'
  if (!haveDate(owner.memberDates, fact.date)) return 'nothing'
  // Whoever leads a group sees nothing of the time before or after it.
  const roles = viewer.roles.filter(({ dates }) => haveDate(dates, fact.date)).map(({ role }) => role)
  if (roles.includes('hr')) return sightOfHr(fact)
  if (roles.includes('lead') || roles.includes('deputy')) return sightOfLead(fact, policy)
  return sightOfColleague(viewer, owner, fact)
}

function sightOfHr(fact: TeamFact): Sight {
  switch (fact.kind) {
    case 'absence':
    case 'request':
      return 'kind'
    case 'balance':
    case 'month':
      return 'figure'
    case 'day':
    case 'sheet':
      return 'times'
    case 'note':
      return 'nothing'
  }
}

/** A lead decides requests and so sees their kind; the policy says what else (D25.7). */
function sightOfLead(fact: TeamFact, policy: CompanyPolicy): Sight {
  switch (fact.kind) {
    case 'absence':
      return policy.lead_kinds.some((kind) => kind === fact.absence) ? 'kind' : awayOf(fact.isWholeDay)
    case 'request':
      return 'kind'
    case 'month':
      return 'figure'
    case 'balance':
      return policy.lead_balance === 'none' ? 'nothing' : policy.lead_balance
    case 'day':
      return policy.lead_days === 'none' ? 'nothing' : policy.lead_days
    case 'sheet':
    case 'note':
      return 'nothing'
  }
}

/** Colleagues see that somebody is away, and a request only if it is marked as planned (D25.2, D25.5). */
function sightOfColleague({ sharedDates }: Viewer, { today }: FactOwner, fact: TeamFact): Sight {
  if (fact.kind !== 'absence' && fact.kind !== 'request') return 'nothing'
  const first = addDaysWithinCalendar(today, -COLLEAGUE_DAYS.back)
  const last = addDaysWithinCalendar(today, COLLEAGUE_DAYS.ahead)
  if (fact.date < first || fact.date > last || !haveDate(sharedDates, fact.date)) return 'nothing'
  if (fact.kind === 'request') return fact.isPlanned ? 'asked' : 'nothing'
  return awayOf(fact.isWholeDay)
}

function awayOf(isWholeDay: boolean): Sight {
  return isWholeDay ? 'away' : 'part'
}
