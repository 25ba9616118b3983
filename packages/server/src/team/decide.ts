import {
  type Change,
  type DateRange,
  type DecisionInput,
  dateAt,
  daysBetween,
  decisionEventOf,
  type EpochMs,
  entryLimits,
  hasSecondStage,
  instantOf,
  isRequest,
  itemAt,
  kindsAsked,
  monthsIn,
  namedDates,
  presentDecisions,
  type RecordId,
  type RequestEntry,
  type RequestState,
  requestState,
  type SubstitutionInput,
  stateAfter,
  type UserNumber,
  wireLimits,
} from '@saldo/core'
import { readTimeline } from '../account/account-reads.ts'
import { ProblemError } from '../http/problem.ts'
import type { StoredDecision, UserReader, UserWriter } from '../store/store.ts'
import { isLive } from '../store/stored-records.ts'
import { datesTouched } from '../sync/company-limits.ts'
import { approvedChanges } from './approved-changes.ts'
import { applyCorrection, storedStates } from './corrections.ts'
import { Deciding } from './deciding.ts'
import { memberDatesOf } from './member-rules.ts'
import { requestDigest } from './request-digest.ts'
import { isToCompany } from './waiting.ts'
import { tellWebhooksOf } from './webhook-events.ts'

/** A request by its owner and id, and who wants to see or decide it. */
export interface RequestKey {
  viewer: UserNumber
  owner: UserNumber
  id: RecordId
}

/** A request with what its viewer may do. */
interface OpenedRequest {
  request: RequestEntry
  digest: string
  /** The decisions of the viewer's company about this request, of all its contents, in their order. */
  decisions: StoredDecision[]
  state: RequestState
  hasSecondStage: boolean
  deciding: Deciding
  /** The stages in which the viewer decides requests of this owner. */
  stages: (1 | 2)[]
  isOwn: boolean
}

/** The outcome of a decision; `isNew` unless the same person had decided the same before. */
export interface Decided {
  state: RequestState
  decisions: StoredDecision[]
  request: RequestEntry
  isNew: boolean
}

/**
 * Opens a request for somebody who decides requests of its owner, from one transaction of the owner. Throws 404 unless
 * the viewer does, whatever there is, and for a request to another company (D26.17), and 403 for an own one (D26.7).
 */
async function openRequest(
  reader: UserReader,
  { viewer, owner, id }: RequestKey,
  nowMs: EpochMs,
): Promise<OpenedRequest> {
  const company = await reader.team.companyOf(viewer, nowMs)
  if (!company) throw noRequest()
  const deciding = await Deciding.read(reader.team, company.companyId, nowMs, [owner])
  const timeline = await readTimeline(reader)
  const today = dateAt(timeline, nowMs)
  const { stages, isOwn } = deciding.stagesOf(viewer, owner, today)
  if (viewer === owner && !isOwn) {
    throw new ProblemError('forbidden', 'Nobody decides their own requests. Others decide this one.')
  }
  if (stages.length === 0) throw noRequest()
  const request = await requireRequest(reader, id)
  if (!isToCompany(request, timeline, await memberDatesOf(reader.team, owner, deciding.companyId))) throw noRequest()
  const digest = requestDigest(request)
  const decisions = (await reader.decisions()).filter(({ request, company }) => {
    return request === id && company === deciding.companyId
  })
  const isTwoStage = hasSecondStage(kindsAsked(request), deciding.policyOn(today))
  const state = requestState(digest, decisions)
  return { request, digest, decisions, state, hasSecondStage: isTwoStage, deciding, stages, isOwn }
}

/** Returns a live request of the reader's user. Throws 404 if there is none, and 409 if it was withdrawn. */
async function requireRequest(reader: UserReader, id: RecordId): Promise<RequestEntry> {
  const [stored] = await reader.find([{ kind: 'entries', id }])
  if (!stored) throw noRequest()
  if (!isLive(stored)) throw new ProblemError('conflict', 'This request was withdrawn.')
  if (!isRequest(stored.fields)) throw noRequest()
  return stored.fields
}

/**
 * Opens a request for somebody who wants to see it. They see present records of its owner with it, so this throws 409
 * once no stage of theirs is left to decide (D26.19), and what `openRequest` throws.
 */
export async function openUndecidedRequest(
  reader: UserReader,
  key: RequestKey,
  nowMs: EpochMs,
): Promise<OpenedRequest & { stage: 1 | 2 }> {
  const opened = await openRequest(reader, key, nowMs)
  const { state, stages, digest, decisions } = opened
  const last = presentDecisions(digest, decisions).at(-1)
  const isLeft = !last || (state === 'waiting_for_hr' && stages.includes(2))
  if (!isLeft) throw await alreadyDecided(reader, last)
  return { ...opened, stage: stageOf(opened) ?? 1 }
}

/** Returns the stage in which the viewer decides a request now; `undefined` if others do. */
export function stageOf({
  state,
  stages,
  hasSecondStage,
}: Pick<OpenedRequest, 'state' | 'stages' | 'hasSecondStage'>): 1 | 2 | undefined {
  if (state === 'waiting_for_hr') return stages.find((stage) => stage === 2)
  if (state !== 'waiting' || !stages.includes(1)) return undefined
  // HR who decides in the place of a lead has nobody left to confirm it.
  return hasSecondStage && stages.includes(2) ? 2 : 1
}

/**
 * Decides a request in a transaction of its owner (D26.4), where roles are checked (D24.7). An approval writes what was
 * asked for in the same transaction (D26.6). Repeating an own decision writes nothing. Throws what `openRequest`
 * throws, 412 if the content is another one, 403 if others decide now, and 409 after another decision.
 */
export async function decideRequest(
  writer: UserWriter,
  key: RequestKey,
  { digest, outcome, reason, overwrite }: DecisionInput,
  nowMs: EpochMs,
): Promise<Decided> {
  await writer.team.lockRolesOf(key.viewer)
  const opened = await openRequest(writer, key, nowMs)
  const { request, decisions, state, deciding } = opened
  if (digest !== opened.digest) {
    throw new ProblemError('precondition_failed', 'The request was changed. Read it again, then decide.')
  }
  const ofContent = presentDecisions(digest, decisions)
  const isRepeat = ofContent.some((one) => one.by === key.viewer && one.outcome === outcome && one.reason === reason)
  if (isRepeat) return { state, decisions, request, isNew: false }
  const last = ofContent.at(-1)
  if (last && (state === 'approved' || state === 'declined')) throw await alreadyDecided(writer, last)
  const stage = stageOf(opened)
  if (stage === undefined) throw new ProblemError('forbidden', 'Others decide this request now.')

  const at = instantOf(nowMs)
  const { isOwn } = opened
  const newState = stateAfter({ outcome, stage }, opened)
  const of = { request: key.id, company: deciding.companyId, digest, stage }
  const decision: StoredDecision = { ...of, outcome, state: newState, reason, by: key.viewer, isOwn, at }
  await writer.putDecision(decision)
  const after = [...decisions, decision]
  if (newState === 'approved' || newState === 'declined') {
    const dates = { id: key.id, from: request.date, to: request.last_date }
    await tellWebhooksOf(writer, deciding, [decisionEventOf(key.owner, dates, newState)])
  }
  await writer.addTrail(deciding.companyId, [
    { actor: key.viewer, kind: 'request_decided', data: { request: key.id, stage, outcome, ...(isOwn && { isOwn }) } },
  ])
  if (newState === 'approved')
    await writeApproved(writer, key, { request, company: deciding.companyId, overwrite }, nowMs)
  return { state: newState, decisions: after, request, isNew: true }
}

/** Returns the problem of a request that was decided: it names the decision, and shows nothing of the request. */
async function alreadyDecided(
  { team }: UserReader,
  { by, company, outcome, at }: StoredDecision,
): Promise<ProblemError> {
  const name = (await team.names([by], company)).get(by)?.name ?? 'Somebody'
  return new ProblemError('conflict', `${name} has ${outcome} this request already, at ${at}.`)
}

/**
 * Writes what a request asks for, in locked months too (D27.11); if a part of it cannot be written, nothing is, and the
 * decision neither. `overwrite` makes changes although their records have changed since.
 */
async function writeApproved(
  writer: UserWriter,
  { viewer, owner }: RequestKey,
  { request, company, overwrite }: { request: RequestEntry; company: number; overwrite: boolean },
  nowMs: EpochMs,
) {
  const approved = await approvedChanges(writer, { user: owner, company }, request)
  if (approved.outcome === 'invalid') throw impossible(approved.place, 'it is not valid')
  // Everybody else's writes wait for them on SQLite.
  if (approved.changes.length > wireLimits.push_changes) {
    const most = wireLimits.push_changes.toLocaleString('en')
    throw new ProblemError('conflict', `This request would change more than ${most} records. Decline it, and say why.`)
  }
  const outside = overwrite ? undefined : await firstOutside(writer, request, approved.changes)
  if (outside) throw impossible(outside.place, outside.why)
  const changes = overwrite ? approved.changes.map((change) => ({ ...change, updatedAt: null })) : approved.changes
  const results = await applyCorrection(
    writer,
    { owner, actor: viewer, company, changes, cause: { request: request.id } },
    nowMs,
  )
  for (const [index, result] of results.entries()) {
    if (result.status === 'rejected') throw impossible(index + 1, result.rejection.detail)
    if (result.status === 'superseded') throw impossible(index + 1, 'a later change of the same record is stored')
  }
}

/**
 * Returns the place, counted from 1, of the first change of a request that changes more than lists and mails show: they
 * have the dates of the request alone. The longest request can have changes behind its last date. Settings count from
 * a date on, which is one of the request, and change no locked month.
 */
async function firstOutside(
  reader: UserReader,
  { asks, date, last_date }: RequestEntry,
  changes: readonly Change[],
): Promise<{ place: number; why: string } | undefined> {
  if (asks !== 'change') return undefined
  const isLongest = daysBetween(date, last_date) >= entryLimits.requestDays - 1
  const isOutside = ({ from, to }: DateRange) => from < date || (to > last_date && !isLongest)
  const stateBefore = await storedStates(reader, changes)
  const [rows, touched] = [await reader.settingsRows(), await datesTouched(reader, changes, stateBefore)]
  const locked = (await reader.memberMonths())?.locked ?? []
  const beside = 'it has dates beside those of the request'
  const whyOutside = (change: Change, index: number): string | undefined => {
    if (change.kind !== 'settings_history') {
      return namedDates(change, stateBefore(change), rows).some(isOutside) ? beside : undefined
    }
    const ranges = itemAt(touched, index)
    const from = ranges[0]?.from
    if (from !== undefined && isOutside({ from, to: from })) return beside
    const months = monthsIn(locked, ranges)
    return months.length > 0 ? `it changes locked months, ${months[0]} to ${months.at(-1)}` : undefined
  }
  for (const [index, change] of changes.entries()) {
    const why = whyOutside(change, index)
    if (why !== undefined) return { place: index + 1, why }
  }
  return undefined
}

function impossible(place: number, why: string): ProblemError {
  return new ProblemError(
    'conflict',
    `Change ${place} of this request cannot be made: ${why}. Decline it, and say why.`,
  )
}

/**
 * Stores the answer of the substitute whom a request names, if both are members of the company (D26.13). Throws 412 if
 * it is for other dates than the present ones.
 */
export async function answerAsSubstitute(
  writer: UserWriter,
  { viewer, owner, id }: RequestKey,
  { from, to, answer }: SubstitutionInput,
  nowMs: EpochMs,
): Promise<void> {
  const company = await writer.team.companyOf(viewer, nowMs)
  if (!company) throw noRequest()
  const deciding = await Deciding.read(writer.team, company.companyId, nowMs, [viewer, owner])
  const timeline = await readTimeline(writer)
  const today = dateAt(timeline, nowMs)
  const areMembers = [viewer, owner].every((user) => deciding.membershipsOn(user, today).length > 0)
  const [stored] = await writer.find([{ kind: 'entries', id }])
  const request = isLive(stored) && isRequest(stored.fields) ? stored.fields : undefined
  const memberDates = await memberDatesOf(writer.team, owner, deciding.companyId)
  const isOurs = request && isToCompany(request, timeline, memberDates)
  if (!areMembers || viewer === owner || !isOurs || request.substitute !== viewer) throw noRequest()
  if (from !== request.date || to !== request.last_date) {
    throw new ProblemError('precondition_failed', 'The dates were changed. Read them again, then answer.')
  }
  await writer.putSubstituteAnswer({ request: id, substitute: viewer, from, to, answer, at: instantOf(nowMs) })
}

/** Returns the problem of a request that does not exist, or not for whoever asks. */
export function noRequest(): ProblemError {
  return new ProblemError('not_found', 'This request does not exist.')
}
