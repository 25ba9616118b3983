import { addDays, addDaysWithinCalendar, LAST_DATE } from '../date.ts'
import { type DateRange, hasDate } from '../date-range.ts'
import type { LocalDate, UserNumber } from '../values.ts'
import { isWithin, pathsAlong } from './groups.ts'

/** The roles in a company; each reads data of others and holds for a group and all below it (D24). */
export const teamRoles = ['lead', 'deputy', 'hr', 'payroll', 'auditor'] as const
/** One of `teamRoles`. */
export type TeamRole = (typeof teamRoles)[number]

/** The most roles of a company, ended ones too, since each request of a team reads all of them (D24.2). */
export const MAX_ROLES = 5_000

/** A role that was given to a user. */
export interface RoleGrant {
  id: number
  user: UserNumber
  role: TeamRole
  /** The path of the group for which it holds, and for all below it. */
  path: string
  from: LocalDate
  /** The last date; null if it does not end. */
  until: LocalDate | null
  /** The lead for whom a deputy stands in; null for other roles. */
  standsInFor: UserNumber | null
  /** The admin or HR who gave it; null for the operator. */
  givenBy: UserNumber | null
  /** False while HR has still to confirm it, at first or after an admin's reset of the user (D24.4, D24.9). */
  isConfirmed: boolean
  /** True if it was confirmed at any time: one that rests, or was given anew and waits, was. */
  wasConfirmed: boolean
}

/** The facts on which it depends whether a role is in force, besides its grant. */
export interface RoleFacts {
  /** The present date of the user, or of the lead for a deputy. */
  today: LocalDate
  /** True if no password signs the user in by itself (D24.9). */
  isStronglySignedIn: boolean
  /** True if the lead of a deputy has a recorded or approved absence today (D24.6). */
  isLeadAway: boolean
}

/** True if a role gives its rights now (D24.4, D24.6, D24.9). */
export function isInForce(grant: RoleGrant, { today, isStronglySignedIn, isLeadAway }: RoleFacts): boolean {
  const { role, from, until, isConfirmed } = grant
  if (!isConfirmed || !isStronglySignedIn) return false
  if (today < from || (until !== null && today > until)) return false
  return role !== 'deputy' || isLeadAway
}

/** The facts of a user on which it depends which of their roles, and of those of their deputies, are in force. */
export interface RolePerson extends Pick<RoleFacts, 'today' | 'isStronglySignedIn'> {
  /** True if a recorded or approved absence of the user has the date `today`. */
  isAway: boolean
  /** A role with an earlier last date has ended (D24.7). */
  endingDate: LocalDate
}

/** Returns the roles of a company that give their rights now; the facts of a user hold for all of their roles. */
export function rolesInForceOf<Grant extends RoleGrant>(
  grants: readonly Grant[],
  people: ReadonlyMap<UserNumber, RolePerson>,
): Grant[] {
  const isInForceNow = (grant: Grant, isLeadAway: boolean) => {
    const [own, present] = [people.get(grant.user), people.get(grant.standsInFor ?? grant.user)]
    if (!own || !present || (grant.until !== null && grant.until < own.endingDate)) return false
    return isInForce(grant, { today: present.today, isStronglySignedIn: own.isStronglySignedIn, isLeadAway })
  }
  const away = grants.filter(
    (grant) => grant.role === 'lead' && people.get(grant.user)?.isAway && isInForceNow(grant, false),
  )
  // A deputy is looked up among the leads: comparing each with all would be quadratic.
  const keyOf = (lead: UserNumber | null, path: string) => `${lead}${path}`
  const awayLeads = new Set(away.map(({ user, path }) => keyOf(user, path)))
  const isLeadAway = ({ standsInFor, path }: Grant) =>
    pathsAlong(path).some((above) => awayLeads.has(keyOf(standsInFor, above)))
  return grants.filter((grant) => isInForceNow(grant, grant.role === 'deputy' && isLeadAway(grant)))
}

/** True if a role holds for somebody with a membership in a group. */
export function coversGroup({ path }: Pick<RoleGrant, 'path'>, groupPath: string): boolean {
  return isWithin(groupPath, path)
}

/**
 * Returns the last date of a role, null for none: whoever has left a company has no role there any more, also one that
 * begins later (D24.20). `memberUntil` is that of `lastMemberDate`.
 */
export function lastDateOfRole(until: LocalDate | null, memberUntil: LocalDate | null): LocalDate | null {
  if (memberUntil === null) return until
  return until === null || memberUntil < until ? memberUntil : until
}

/** Days for which an HR still counts after their role has ended (D24.4). */
const FORMER_HR_DAYS = 14

/**
 * Returns the users who count where it matters who is the only HR (D24.4): those with a role of HR on a date or until
 * 14 days before that was confirmed at any time. It counts while it rests or waits too, so that nobody becomes the only
 * one by what happens to the role of another. Those whom the operator has replaced do not count.
 */
export function countedHrs(
  grants: readonly Pick<RoleGrant, 'user' | 'role' | 'wasConfirmed' | 'from' | 'until' | 'givenBy'>[],
  date: LocalDate,
): UserNumber[] {
  const begun = grants.filter(({ role, wasConfirmed, from }) => role === 'hr' && wasConfirmed && from <= date)
  const ofOperator = begun.filter(({ givenBy }) => givenBy === null).map(({ from }) => from)
  const since = [addDays(date, -FORMER_HR_DAYS), ...ofOperator].toSorted().at(-1) ?? date
  return [...new Set(begun.filter(({ until }) => until === null || until >= since).map(({ user }) => user))]
}

/**
 * True if a role that is given needs nobody's confirmation: what the only HR gives to others, or one of two to the
 * other (D24.4). `hrs` are those who count (`countedHrs`).
 */
export function isConfirmedByGiving(
  { user, givenBy }: Pick<RoleGrant, 'user' | 'givenBy'>,
  hrs: readonly UserNumber[],
): boolean {
  return givenBy !== null && isOnlyOther(givenBy, user, hrs)
}

/**
 * True if a user may confirm a role: an HR who neither has got it nor gave it, or the only HR beside whoever has got it
 * (D24.4).
 */
export function mayConfirm(
  grant: Pick<RoleGrant, 'user' | 'givenBy'>,
  confirming: UserNumber,
  hrs: readonly UserNumber[],
): boolean {
  if (!hrs.includes(confirming) || grant.user === confirming) return false
  return grant.givenBy !== confirming || isOnlyOther(confirming, grant.user, hrs)
}

/** True if an HR is the only one beside a user, so that nobody else could confirm what that user gets. */
function isOnlyOther(hr: UserNumber, user: UserNumber, hrs: readonly UserNumber[]): boolean {
  const others = hrs.filter((each) => each !== user)
  return others.length === 1 && others[0] === hr
}

/** A membership of a user in a group. */
export interface Membership {
  id: number
  user: UserNumber
  groupId: number
  path: string
  from: LocalDate
  /** The last date; null if it does not end. */
  until: LocalDate | null
  /** The date on which the user accepted it; null before (D24.3). */
  acceptedOn: LocalDate | null
}

/**
 * Returns the last date of those of a user's memberships in one company that were accepted; null without any, as of an
 * adviser, or if one does not end (D24.20).
 */
export function lastMemberDate(memberships: readonly Pick<Membership, 'until' | 'acceptedOn'>[]): LocalDate | null {
  const ends = memberships.filter(({ acceptedOn }) => acceptedOn !== null).map(({ until }) => until)
  if (ends.includes(null)) return null
  return ends.toSorted().at(-1) ?? null
}

/** Returns the dates of a membership that others may see: none before it was accepted (D24.3). */
export function visibleDates({ from, until, acceptedOn }: Membership): DateRange | undefined {
  if (acceptedOn === null) return undefined
  const first = acceptedOn > from ? acceptedOn : from
  const last = until ?? LAST_DATE
  return first > last ? undefined : { from: first, to: last }
}

/** So many days after a membership, its dates are still the company's: its rules hold, and HR settles them (D28.6). */
export const DAYS_TO_SETTLE = 62

/** Returns the range of a membership that has ended and is to be settled on a date; `ranges` are in order. */
export function rangeToSettle(ranges: readonly DateRange[], today: LocalDate): DateRange | undefined {
  const earliest = addDaysWithinCalendar(today, -DAYS_TO_SETTLE)
  return ranges.findLast(({ to }) => to < today && to >= earliest)
}

/** Returns the accepted memberships on a date; without any, the last ones, as long as they are to be settled. */
export function membershipsOrLast(memberships: readonly Membership[], date: LocalDate): Membership[] {
  const present = memberships.filter((membership) => isMemberOn(membership, date))
  if (present.length > 0) return present
  return memberships.filter((membership) => {
    const dates = visibleDates(membership)
    return dates !== undefined && rangeToSettle([dates], date) !== undefined
  })
}

/** True if a membership was accepted and holds on a date. */
export function isMemberOn(membership: Membership, date: LocalDate): boolean {
  const dates = visibleDates(membership)
  return dates !== undefined && hasDate(dates, date)
}
