import { type AbsencePlan, daysOfAbsence } from '../absence-plan.ts'
import type { AccountAbsence } from '../account-function.ts'
import { chosenAbsenceKinds } from '../choices.ts'
import { type DateRange, haveDate, intersections } from '../date-range.ts'
import { canonicalJson } from '../digest.ts'
import { type AbsenceSize, type RequestContent, sizeOf } from '../entry.ts'
import { derivedId } from '../ids.ts'
import { isJsonObject } from '../json.ts'
import type { Timeline } from '../timeline.ts'
import type { LocalDate, RecordId, UserNumber } from '../values.ts'
import { idsOnPath } from './groups.ts'
import type { ChosenAbsenceKind, CompanyPolicy } from './policy.ts'
import { coversGroup, type RoleGrant } from './roles.ts'

/** `approved`, or `declined` with a reason (D26.3). */
export const decisionOutcomes = ['approved', 'declined'] as const
export type DecisionOutcome = (typeof decisionOutcomes)[number]

/** A decision of one content of a request. It belongs to the service and is in no pull (D26.3). */
export interface RequestDecision {
  request: RecordId
  /** The company that decided: another one counts none of its decisions (D26.17). */
  company: number
  /** 1 of the lead, 2 of HR where the policy has a second stage (D26.8). */
  stage: 1 | 2
  /** The digest of what was asked. */
  digest: string
  outcome: DecisionOutcome
  /** The state in which it left the request: no later policy makes it more or less (D26.8). */
  state: DecidedState
  reason: string | null
  by: UserNumber
  /** True if the only HR decided a request of their own (D26.7). */
  isOwn: boolean
}

/** The answer of a substitute for the dates of a request, which decides nothing (D26.13). */
export interface SubstituteAnswer extends DateRange {
  request: RecordId
  substitute: UserNumber
  answer: 'can' | 'cannot'
}

/**
 * True if a request is one to a company: its user was a member when they last wrote it, and is one on a date for which
 * it asks (D26.17). `memberDates` are the dates of the membership.
 */
export function isRequestTo(
  memberDates: readonly DateRange[],
  { date, last_date }: Pick<RequestContent, 'date' | 'last_date'>,
  writtenOn: LocalDate,
): boolean {
  return haveDate(memberDates, writtenOn) && intersections(memberDates, [{ from: date, to: last_date }]).length > 0
}

/** Returns what was asked as canonical JSON: all but the message, whose digest a decision names (D26.4). */
export function askedText({ note: _note, ...asked }: RequestContent): string {
  return canonicalJson(asked)
}

/** The state of a request: what it waits for, or how it was decided. */
export type RequestState = 'waiting' | DecidedState

/** A state in which a decision leaves a request. */
export type DecidedState = 'waiting_for_hr' | 'approved' | 'declined'

/**
 * Returns the decisions of the present content of a request, those behind the last one of another content: whoever
 * changes it back asks again (D26.5). `decisions` are all of a company, in their order.
 */
export function presentDecisions<Decision extends Pick<RequestDecision, 'digest'>>(
  digest: string,
  decisions: readonly Decision[],
): readonly Decision[] {
  return decisions.slice(decisions.findLastIndex((decision) => decision.digest !== digest) + 1)
}

/** Returns the state of the present content of a request: that in which its last decision left it. */
export function requestState(
  digest: string,
  decisions: readonly Pick<RequestDecision, 'digest' | 'state'>[],
): RequestState {
  return presentDecisions(digest, decisions).at(-1)?.state ?? 'waiting'
}

/** Returns the state in which a decision leaves a request, by the policy of that moment (D26.8). */
export function stateAfter(
  { outcome, stage }: Pick<RequestDecision, 'outcome' | 'stage'>,
  { hasSecondStage }: { hasSecondStage: boolean },
): DecidedState {
  return outcome === 'approved' && stage === 1 && hasSecondStage ? 'waiting_for_hr' : outcome
}

/** Returns the kinds of absence that a request would make, also by its changes. The end of an absence makes none. */
export function kindsAsked({ asks, absence, changes }: Pick<RequestContent, 'asks' | 'absence' | 'changes'>) {
  const made =
    asks === 'absence'
      ? [absence]
      : (changes ?? []).map((change) =>
          isJsonObject(change) && isJsonObject(change.record) ? change.record.kind : null,
        )
  return chosenAbsenceKinds.filter((kind) => made.includes(kind))
}

/** True if HR has to confirm what a lead approves (D26.8). `kinds` are those that the request would make. */
export function hasSecondStage(kinds: readonly ChosenAbsenceKind[], policy: CompanyPolicy): boolean {
  return kinds.some((kind) => policy.second_stage.includes(kind))
}

/** The user who may decide a request, and whether it is their own. */
export interface Decider {
  user: UserNumber
  isOwn: boolean
}

/**
 * Returns who may decide the requests of a user with a membership in a group (D26.7): the leads and deputies of the
 * nearest group that has any but the user and their own deputies, else HR other than the user, else the only HR where
 * the policy lets them decide their own. `grants` are the roles in force. In the second stage HR alone decides.
 */
export function decidersOf(
  owner: { user: UserNumber; path: string },
  grants: readonly RoleGrant[],
  policy: CompanyPolicy,
  stage: 1 | 2 = 1,
): Decider[] {
  // Their deputy acts only while the user says that they are away.
  const isOfOwner = ({ user, standsInFor }: RoleGrant) => user === owner.user || standsInFor === owner.user
  const others = grants.filter((grant) => coversGroup(grant, owner.path) && !isOfOwner(grant))
  if (stage === 1) {
    const leads = others.filter(({ role }) => role === 'lead' || role === 'deputy')
    const nearest = Math.max(0, ...leads.map(({ path }) => idsOnPath(path).length))
    const ofNearest = leads.filter(({ path }) => idsOnPath(path).length === nearest)
    if (ofNearest.length > 0) return ofNearest.map(({ user }) => ({ user, isOwn: false }))
  }
  const hrs = others.filter(({ role }) => role === 'hr')
  if (hrs.length > 0) return hrs.map(({ user }) => ({ user, isOwn: false }))
  const isOnlyHr = grants.some(({ role, user }) => role === 'hr' && user === owner.user)
  return isOnlyHr && policy.sole_hr_decides ? [{ user: owner.user, isOwn: true }] : []
}

/** The most of those who can decide a request whom it names to its user (D30.8). */
export const MAX_DECIDERS_NAMED = 20

/** The `source` of the entries that an approval writes (D26.6). */
export const REQUEST_SOURCE = 'request'

/** Returns the id of the entry that an approval writes on a date: the same however often it is repeated (D26.6). */
export function approvedEntryId(user: UserNumber, request: RecordId, date: LocalDate): RecordId {
  return derivedId(`${user}/request/${request}`, date)
}

/** The fields of a request for an absence that say what it would take. */
export type AskedAbsence = Pick<RequestContent, 'absence' | 'date' | 'last_date'> & AbsenceSize

/**
 * Returns the days that a request for an absence takes if it is approved (D26.15): as the app would enter them, so a
 * range leaves out days without planned time. `absences` are the others of the user.
 */
export function daysAsked(
  { absence, date, last_date, ...size }: AskedAbsence,
  timeline: Timeline,
  absences: readonly AccountAbsence[],
): AbsencePlan['days'] {
  if (absence === null) return []
  const range = { from: date, to: last_date, isSkippingFree: date !== last_date }
  return daysOfAbsence({ kind: absence, size: sizeOf(size), ...range }, timeline, absences).days
}
