import {
  allDates,
  type CompanyPolicy,
  hasSecondStage,
  kindsAsked,
  type RequestEntry,
  type RequestState,
  requestState,
} from '@saldo/core'
import type { EntrySpan, StoredDecision, UserReader } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'
import { requestDigest } from './request-digest.ts'

/** The most requests of a user that are read at once, those of the latest dates. */
const MAX_REQUESTS = 500

/** A request with its state under the policy of a date. */
export interface RequestWithState {
  request: RequestEntry
  digest: string
  decisions: StoredDecision[]
  state: RequestState
}

/** Reads the live requests of a user that begin in a span with their states, those of the latest dates first. */
export async function readRequests(
  reader: UserReader,
  policy: CompanyPolicy,
  span: EntrySpan = dateSpan(allDates),
  limit = MAX_REQUESTS,
): Promise<RequestWithState[]> {
  const requests = await reader.requests(span, limit)
  if (requests.length === 0) return []
  const decisionsByRequest = Map.groupBy(await reader.decisions(), ({ request }) => request)
  return requests.map(({ id, fields }) => {
    const decisions = decisionsByRequest.get(id) ?? []
    const digest = requestDigest(fields)
    const state = requestState(digest, decisions, { hasSecondStage: hasSecondStage(kindsAsked(fields), policy) })
    return { request: fields, digest, decisions, state }
  })
}

/** True if a request waits for a decision. */
export function isWaiting({ state }: Pick<RequestWithState, 'state'>): boolean {
  return state === 'waiting' || state === 'waiting_for_hr'
}
