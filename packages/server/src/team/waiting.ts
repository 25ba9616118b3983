import {
  type AskingRequest,
  allDates,
  type DateRange,
  dateAt,
  epochMs,
  isRequestTo,
  kindsAsked,
  type RequestEntry,
  type RequestState,
  requestState,
  sizeOf,
  type Timeline,
  type UserNumber,
} from '@saldo/core'
import type { EntrySpan, RequestRecord, StoredDecision, UserReader } from '../store/store.ts'
import { dateSpan } from '../store/stored-records.ts'
import { mapInSlices } from '../time-slice.ts'
import { memberDatesByCompany } from './member-rules.ts'
import { requestDigest } from './request-digest.ts'

/** The most requests of a user that are read at once, those of the latest dates. */
const MAX_REQUESTS = 500

/** The part of a request that lists, facts and the vacation account have: with all of them, hundreds have megabytes. */
export type ListedRequest = AskingRequest & Pick<RequestEntry, 'planned' | 'substitute' | 'created_at'>

/** A request with its state by the decisions of the company to which it was made. */
export interface RequestWithState {
  request: ListedRequest
  /** The kinds of absence that it would make, also by its changes. */
  kinds: ReturnType<typeof kindsAsked>
  /** That company; undefined if there is none, as before joining one (D26.17). */
  company: number | undefined
  digest: string
  /** The decisions of that company, in their order; all of them without one. */
  decisions: StoredDecision[]
  state: RequestState
}

/** Reads the live requests of a user that begin in a span with their states, those of the latest dates first. */
export async function readRequests(
  reader: UserReader,
  { user, timeline }: { user: UserNumber; timeline: Timeline },
  span: EntrySpan = dateSpan(allDates),
  limit = MAX_REQUESTS,
): Promise<RequestWithState[]> {
  const found: RequestWithState[] = []
  let withState: ((request: RequestRecord) => RequestWithState) | undefined
  for await (const piece of reader.requests(span, limit)) {
    // Most users ask for nothing.
    if (piece.length === 0) break
    withState ??= await stateReader(reader, user, timeline)
    found.push(...(await mapInSlices(piece, withState)))
  }
  return found
}

/** Returns what finds the state of a request. */
async function stateReader(
  reader: UserReader,
  user: UserNumber,
  timeline: Timeline,
): Promise<(request: RequestRecord) => RequestWithState> {
  const companies = [...(await memberDatesByCompany(reader.team, user))]
  const decisionsByRequest = Map.groupBy(await reader.decisions(), ({ request }) => request)
  return ({ id, fields }) => {
    const [company] = companies.find(([, memberDates]) => isToCompany(fields, timeline, memberDates)) ?? []
    const all = decisionsByRequest.get(id) ?? []
    const decisions = company === undefined ? all : all.filter((decision) => decision.company === company)
    const digest = requestDigest(fields)
    const state = requestState(digest, decisions)
    return { request: listedRequest(fields), kinds: kindsAsked(fields), company, digest, decisions, state }
  }
}

function listedRequest(request: RequestEntry): ListedRequest {
  const { id, asks, absence, date, last_date, planned, substitute, created_at } = request
  return { ...{ id, asks, absence, date, last_date, planned, substitute, created_at }, ...sizeOf(request) }
}

/** True if a request was made to the company of which its user is or was a member on some dates (D26.17). */
export function isToCompany(request: RequestEntry, timeline: Timeline, memberDates: readonly DateRange[]): boolean {
  return isRequestTo(memberDates, request, dateAt(timeline, epochMs(request.updated_at)))
}

/** True if a request waits for a decision of a company. */
export function isWaitingFor(company: number, request: Pick<RequestWithState, 'company' | 'state'>): boolean {
  return request.company === company && (request.state === 'waiting' || request.state === 'waiting_for_hr')
}
