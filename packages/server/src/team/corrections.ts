import {
  type Change,
  type EpochMs,
  instantOf,
  isWithinMembership,
  itemAt,
  type Month,
  monthsIn,
  type RecordId,
  type UserNumber,
} from '@saldo/core'
import { ProblemError } from '../http/problem.ts'
import { recordKeyOf, type UserReader, type UserWriter } from '../store/store.ts'
import { liveFieldsOf } from '../store/stored-records.ts'
import { applyChanges, type ChangeResult } from '../sync/apply-changes.ts'
import { datesTouched } from '../sync/company-limits.ts'
import { memberDatesOf } from './member-rules.ts'
import { companyOfMonth, lockedByAnother, lockMonth } from './month-states.ts'
import { trailedChange } from './trailed-change.ts'

/** The request, company leave or proposal for which changes are made, as the trail names it (D29.2). */
export type CorrectionCause = { request: RecordId } | { leave: RecordId } | { proposal: RecordId; reason: string }

/** Changes that were decided for, with whoever decided. */
export interface Correction {
  owner: UserNumber
  actor: UserNumber
  company: number
  changes: readonly Change[]
  cause: CorrectionCause
}

/**
 * Makes changes that were decided for, in locked months too (D27.11): the month is reopened, the changes are
 * made, the account is computed anew and the month is locked again, in one transaction. Of several locked months each
 * stays open until HR locks it again. Throws 409 if the account cannot be computed at once, and for changes that are
 * not of the company.
 */
export async function applyCorrection(
  writer: UserWriter,
  { owner, actor, company, changes, cause }: Correction,
  nowMs: EpochMs,
): Promise<ChangeResult[]> {
  await requireOfCompany(writer, { owner, company, changes })
  const reopened = await lockedMonthsOf(writer, changes)
  const at = instantOf(nowMs)
  const reason = 'reason' in cause ? cause.reason : null
  for (const month of reopened) {
    await writer.putMonth({ month, company, state: 'open', by: actor, at, reason, digest: null })
    await writer.addTrail(company, [{ actor, kind: 'month_reopened', data: { month, ...cause } }])
  }
  const results = await applyChanges(writer, changes, {
    ...{ user: owner, nowMs, quotaBytes: Number.POSITIVE_INFINITY, isApproved: true },
  })
  const [month, ...others] = reopened
  if (month && others.length === 0) {
    const obstacle = await lockMonth(writer, { actor, owner, month, company }, nowMs)
    if (obstacle) throw new ProblemError('conflict', `The month cannot be locked again: ${obstacle.reason}.`)
  }
  return results
}

/**
 * Throws 409 for changes that a company cannot make: of dates outside its membership, and in months that another
 * company has locked, which keeps the sheets that it pays by (D27.18).
 */
export async function requireOfCompany(
  reader: UserReader,
  { owner, company, changes }: Pick<Correction, 'owner' | 'company' | 'changes'>,
): Promise<void> {
  const stateBefore = await storedStates(reader, changes)
  const memberDates = await memberDatesOf(reader.team, owner, company)
  const account = { rows: await reader.settingsRows(), memberDates }
  const foreign = changes.findIndex((change) => !isWithinMembership(change, stateBefore(change), account))
  if (foreign >= 0) {
    const why = 'it has dates on which the person is not a member of the company'
    throw new ProblemError('conflict', `Change ${foreign + 1} cannot be made: ${why}.`)
  }
  for (const month of await lockedMonthsOf(reader, changes)) {
    const isOurs = (await companyOfMonth(reader, month)) === company
    if (!isOurs) throw new ProblemError('conflict', lockedByAnother(month))
  }
}

/**
 * Makes changes of HR in the same way, and notes each with its actor, its cause and its version in the trail (D28.3).
 * Throws 409 if one of them cannot be made.
 */
export async function applyByHr(writer: UserWriter, correction: Correction, nowMs: EpochMs): Promise<void> {
  const { actor, company, changes, cause } = correction
  const stateBefore = await storedStates(writer, changes)
  const results = await applyCorrection(writer, correction, nowMs)
  const events = changes.map((change, index) => {
    const result = itemAt(results, index)
    if (result.status === 'rejected') {
      throw new ProblemError('conflict', `Change ${index + 1} cannot be made: ${result.rejection.detail}`)
    }
    const { version } = result.record
    const data = { ...cause, ...trailedChange(change, stateBefore(change)), version }
    return { actor, kind: 'change_applied' as const, data }
  })
  await writer.addTrail(company, events)
}

/** Returns the live contents of the records that changes name, as they are stored now. */
export async function storedStates(reader: UserReader, changes: readonly Change[]) {
  const stored = new Map((await reader.find(changes)).map((record) => [recordKeyOf(record), liveFieldsOf(record)]))
  return (change: Change) => {
    const fields = stored.get(recordKeyOf(change))
    return fields ? { content: { ...fields } } : undefined
  }
}

/** Returns the locked months that changes touch (D27.4). */
async function lockedMonthsOf(reader: UserReader, changes: readonly Change[]): Promise<Month[]> {
  const locked = (await reader.memberMonths())?.locked ?? []
  if (locked.length === 0) return []
  return monthsIn(locked, (await datesTouched(reader, changes, await storedStates(reader, changes))).flat())
}
