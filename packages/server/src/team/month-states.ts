import {
  datesOfMonth,
  decideMonth,
  type EpochMs,
  instantOf,
  type Month,
  type MonthAction,
  type MonthActor,
  type MonthRefusal,
  type MonthState,
  type UserNumber,
  utcDate,
  visibleDates,
} from '@saldo/core'
import { type MonthConflict, sheetToLock } from '../account/month-sheet.ts'
import type { UserReader, UserWriter } from '../store/store.ts'
import { Deciding } from './deciding.ts'
import { lookAtMonths, seenDigest, submittedDigest } from './seen-sheet.ts'

/** An action on the month of a member. */
export interface MonthAct {
  actor: UserNumber
  owner: UserNumber
  month: Month
  action: MonthAction
  reason: string | null
  /** The digest of the sheet that the actor read before they lock it; null if they read none. */
  digest: string | null
}

/** The outcome of an action; nothing was written unless it `changed`. */
export type MonthActOutcome =
  | { outcome: 'changed' | 'unchanged' }
  | { outcome: 'rejected'; detail: string; refusal: MonthRefusal }
  | { outcome: 'not_found' }

const refusals = {
  not_allowed: 'You cannot do this with a month of this person.',
  locked: 'This month is locked. HR can reopen it.',
  not_submitted: 'This month was not submitted.',
  changed: 'This month was changed since it was submitted or read. Read its sheet, then lock it.',
}

const events = {
  submit: 'month_submitted',
  withdraw: 'month_withdrawn',
  return: 'month_returned',
  lock: 'month_locked',
  reopen: 'month_reopened',
} as const

/**
 * Does something with a month in a transaction of its owner, where roles are checked (D24.7, D27.1). Locking closes the
 * open days and stores the sheet (D27.3). `not_found` for whoever has nothing to do with the owner.
 */
export async function actOnMonth(writer: UserWriter, act: MonthAct, nowMs: EpochMs): Promise<MonthActOutcome> {
  const { actor, owner, month, action, reason } = act
  await writer.team.lockRolesOf(actor)
  const relation = await relationTo(writer, { actor, owner, month }, nowMs)
  if (!relation) return { outcome: 'not_found' }
  const { companyId: company } = relation
  const state = await stateOfMonth(writer, month)
  if (state === 'locked' && (await companyOfMonth(writer, month)) !== company) {
    return { outcome: 'rejected', detail: lockedByAnother(month), refusal: 'not_allowed' }
  }
  // Whoever submits other figures submits anew: it is these that are locked (D27.20).
  const isAnew = action === 'submit' && state === 'submitted' && !(await hasFiguresOf(writer, act, company, nowMs))
  const decided = decideMonth(isAnew ? 'open' : state, action, relation.actor, relation.policy)
  if (decided.outcome === 'unchanged') return { outcome: 'unchanged' }
  if (decided.outcome === 'refused') {
    return { outcome: 'rejected', detail: refusals[decided.why], refusal: decided.why }
  }
  const at = instantOf(nowMs)
  if (datesOfMonth(month).from > utcDate(nowMs)) {
    return { outcome: 'rejected', detail: `${month} has not begun yet.`, refusal: 'not_begun' }
  }
  if (action === 'lock') {
    if (!(await hasFiguresOf(writer, act, company, nowMs))) {
      return { outcome: 'rejected', detail: refusals.changed, refusal: 'changed' }
    }
    const locked = await lockMonth(writer, { actor, owner, month, company }, nowMs)
    if (!locked) return { outcome: 'changed' }
    return { outcome: 'rejected', detail: `${locked.reason}.`, refusal: locked.refusal }
  }
  const digest = decided.state === 'submitted' ? await submittedDigest(writer, month) : null
  await writer.putMonth({ month, company, state: decided.state, by: actor, at, reason, digest })
  await writer.addTrail(company, [{ actor, kind: events[action], data: { month, ...(reason !== null && { reason }) } }])
  return { outcome: 'changed' }
}

/**
 * Returns the company whose month it is: of a locked one that of its sheet, since nobody else opens it again (D27.18),
 * and the one that the user was in last of any other; undefined if there is none.
 */
export async function companyOfMonth(reader: UserReader, month: Month): Promise<number | undefined> {
  const [sheet] = (await stateOfMonth(reader, month)) === 'locked' ? await reader.lastSheets(month) : []
  return sheet?.company ?? (await reader.memberRules())?.company
}

export function lockedByAnother(month: Month): string {
  return `Another company has locked ${month}.`
}

/** Returns the state of a month, which stands beside the counter (D27.6). */
async function stateOfMonth(reader: UserReader, month: Month): Promise<MonthState> {
  const months = await reader.memberMonths()
  if (months?.locked.includes(month)) return 'locked'
  return months?.submitted.includes(month) ? 'submitted' : 'open'
}

/** True if a month has the figures that the actor has read, or else those that were submitted (D27.20). */
async function hasFiguresOf(
  writer: UserWriter,
  { actor, owner, month, digest }: MonthAct,
  company: number,
  nowMs: EpochMs,
): Promise<boolean> {
  if (digest !== null) {
    const look = await lookAtMonths(writer, { viewer: actor, owner, company }, nowMs)
    return (await seenDigest(writer, month, look)) === digest
  }
  const submitted = (await writer.months()).find((row) => row.month === month)?.digest ?? null
  return submitted === null || submitted === (await submittedDigest(writer, month))
}

/** Locks a month with its sheet (D27.3). Returns the reason why it cannot be locked now, undefined once it is. */
export async function lockMonth(
  writer: UserWriter,
  { actor, owner, month, company }: Pick<MonthAct, 'actor' | 'owner' | 'month'> & { company: number },
  nowMs: EpochMs,
): Promise<MonthConflict | undefined> {
  const closed = await sheetToLock(writer, month, { user: owner, nowMs })
  if (closed.outcome === 'conflict') return closed
  const [at, { sheet }] = [instantOf(nowMs), closed]
  const name = (await writer.team.names([owner], company)).get(owner)?.name ?? ''
  await writer.putSheet({ company, name, sheet, by: actor, at })
  await writer.putMonth({ month, company, state: 'locked', by: actor, at, reason: null, digest: null })
  await writer.addTrail(company, [{ actor, kind: 'month_locked', data: { month, check_code: sheet.check_code } }])
  return undefined
}

/** Returns how somebody who acts is related to a member of a month; undefined if in no way. */
async function relationTo(
  reader: UserReader,
  { actor, owner, month }: Pick<MonthAct, 'actor' | 'owner' | 'month'>,
  nowMs: EpochMs,
): Promise<{ companyId: number; actor: MonthActor; policy: { lock_unsubmitted: boolean } } | undefined> {
  const isOwner = actor === owner
  // Whoever has left still submits their last month.
  const companyOfOwner = (await reader.memberRules())?.company
  const companyId = isOwner ? companyOfOwner : (await reader.team.companyOf(actor, nowMs))?.companyId
  // The sheet of whoever belongs to another company by now would have the dates there.
  if (companyId === undefined || companyId !== companyOfOwner) return undefined
  const deciding = await Deciding.read(reader.team, companyId, nowMs, [owner])
  const { from, to } = datesOfMonth(month)
  const paths = deciding.membershipsOf(owner).flatMap((membership) => {
    const dates = visibleDates(membership)
    return dates && dates.from <= to && dates.to >= from ? [membership.path] : []
  })
  const policy = deciding.policyOn(utcDate(nowMs))
  const has = (role: 'lead' | 'hr') => deciding.hasRole(actor, role, paths)
  // Nobody locks an own month, but the only HR where the policy lets them decide for themselves (D26.7).
  const mayForSelf = !isOwner || deciding.decidesForSelf(actor, utcDate(nowMs))
  const relation = { isOwner, isLead: !isOwner && has('lead'), isHr: mayForSelf && has('hr') }
  if (paths.length === 0 || !(relation.isOwner || relation.isLead || relation.isHr)) return undefined
  return { companyId, actor: relation, policy }
}
