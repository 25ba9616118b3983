import {
  dateInZone,
  type EpochMs,
  hasSecondStage,
  type Instant,
  type LocalDate,
  type RecordId,
  type RequestFact,
  type RequestState,
  requestState,
  type UserNumber,
} from '@saldo/core'
import type { TeamStore } from '../store/team/team-store.ts'
import { mapInSlices } from '../time-slice.ts'
import { stageOf } from './decide.ts'
import type { Deciding } from './deciding.ts'

/** A request that somebody has to decide, as the facts have it. */
export interface InboxItem {
  user: UserNumber
  fact: RequestFact
  stage: 1 | 2
}

/** The roles by which somebody decides requests. */
export const decidingRoles: readonly string[] = ['lead', 'deputy', 'hr']

/** The place of a request in the order in which they were asked. */
export interface AskedKey {
  askedAt: Instant
  user: number
  id: RecordId
}

/** A request that waits, with how somebody is related to its owner. */
interface WaitingRequest<Relation> {
  user: UserNumber
  fact: RequestFact
  state: RequestState
  hasSecondStage: boolean
  relation: Relation
}

/** Returns the requests that a user has to decide now, the oldest first: from facts and decisions alone (D30.2). */
export async function requestsToDecide(
  team: TeamStore,
  viewer: UserNumber,
  deciding: Deciding,
  nowMs: EpochMs,
): Promise<InboxItem[]> {
  // Most members decide nothing, and ask for this all the same: that costs no look at those who wait.
  if (!deciding.grants.some(({ user, role }) => user === viewer && decidingRoles.includes(role))) return []
  const waiting = await waitingRequests(team, deciding, nowMs, (owner, today) => {
    const { stages } = deciding.stagesOf(viewer, owner, today)
    return stages.length === 0 ? undefined : stages
  })
  return waiting.flatMap(({ user, fact, relation: stages, ...rest }): InboxItem[] => {
    const stage = stageOf({ ...rest, stages })
    return stage === undefined ? [] : [{ user, fact, stage }]
  })
}

/**
 * Returns the waiting requests of a company that others than a user decide, the oldest first, if the user is HR: only
 * the owners whom that role covers, and not their own.
 */
export async function requestsLeftToOthers(
  team: TeamStore,
  hr: UserNumber,
  deciding: Deciding,
  nowMs: EpochMs,
): Promise<Pick<InboxItem, 'user' | 'fact'>[]> {
  if (!deciding.grants.some(({ user, role }) => user === hr && role === 'hr')) return []
  const waiting = await waitingRequests(team, deciding, nowMs, (owner, today) => {
    const { stages } = deciding.stagesOf(hr, owner, today)
    const isMember = deciding.membershipsOrLast(owner, today).length > 0
    return owner !== hr && isMember && !stages.includes(1) ? true : undefined
  })
  return waiting.filter(({ state }) => state === 'waiting')
}

/** Returns the waiting requests of the owners with a relation, the oldest first. */
async function waitingRequests<Relation>(
  team: TeamStore,
  deciding: Deciding,
  nowMs: EpochMs,
  relationTo: (owner: UserNumber, today: LocalDate) => Relation | undefined,
): Promise<WaitingRequest<Relation>[]> {
  const asking = await team.asking(deciding.companyId)
  const relations = await mapInSlices(asking, ({ user, timeZone, requests }) => {
    const today = dateInZone(nowMs, timeZone)
    const relation = relationTo(user, today)
    return relation === undefined ? [] : [{ user, requests, relation, policy: deciding.policyOn(today) }]
  })
  const related = relations.flat()
  const decisions = await team.decisionsOf(
    deciding.companyId,
    related.map(({ user }) => user),
  )
  const decisionsByRequest = Map.groupBy(decisions, ({ user, request }) => `${user} ${request}`)
  return related
    .flatMap(({ user, requests, relation, policy }) =>
      requests.map((fact): WaitingRequest<Relation> => {
        const ofRequest = decisionsByRequest.get(`${user} ${fact.id}`) ?? []
        const state = requestState(fact.digest, ofRequest)
        return { user, fact, state, hasSecondStage: hasSecondStage(fact.kinds, policy), relation }
      }),
    )
    .toSorted((a, b) => compareAsked(askedKey(a), askedKey(b)))
}

/** Returns the place of a request in the order in which they were asked. */
export function askedKey({ user, fact: { askedAt, id } }: Pick<InboxItem, 'user' | 'fact'>): AskedKey {
  return { askedAt, user, id }
}

/** Compares two places in the order in which requests were asked. */
export function compareAsked(a: AskedKey, b: AskedKey): number {
  if (a.askedAt !== b.askedAt) return a.askedAt < b.askedAt ? -1 : 1
  if (a.user !== b.user) return a.user - b.user
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}
