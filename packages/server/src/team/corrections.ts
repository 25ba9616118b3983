import { type Change, type EpochMs, instantOf, type Month, monthsIn, type UserNumber } from '@saldo/core'
import { ProblemError } from '../http/problem.ts'
import { recordKeyOf, type UserWriter } from '../store/store.ts'
import { liveFieldsOf } from '../store/stored-records.ts'
import { applyChanges, type ChangeResult } from '../sync/apply-changes.ts'
import { datesTouched } from '../sync/company-limits.ts'
import { lockMonth } from './month-states.ts'

/** Changes that were decided for, with whoever decided. */
export interface Correction {
  owner: UserNumber
  actor: UserNumber
  company: number
  changes: readonly Change[]
  reason: string
}

/**
 * Makes changes that were decided for, in locked months too (D27.11): the month is reopened, the changes are
 * made, the account is computed anew and the month is locked again, in one transaction. Of several locked months each
 * stays open until HR locks it again. Throws 409 if the account cannot be computed at once.
 */
export async function applyCorrection(
  writer: UserWriter,
  { owner, actor, company, changes, reason }: Correction,
  nowMs: EpochMs,
): Promise<ChangeResult[]> {
  const reopened = await lockedMonthsOf(writer, changes)
  const at = instantOf(nowMs)
  for (const month of reopened) {
    await writer.putMonth({ month, state: 'open', by: actor, at, reason })
    await writer.addTrail([{ actor, kind: 'month_reopened', data: { month, reason } }])
  }
  const results = await applyChanges(writer, changes, {
    ...{ user: owner, nowMs, quotaBytes: Number.POSITIVE_INFINITY, isApproved: true },
  })
  const [month, ...others] = reopened
  if (month && others.length === 0) {
    const obstacle = await lockMonth(writer, { actor, owner, month, company }, nowMs)
    if (obstacle !== undefined) throw new ProblemError('conflict', `The month cannot be locked again: ${obstacle}.`)
  }
  return results
}

/** Returns the locked months that changes touch (D27.4). */
async function lockedMonthsOf(writer: UserWriter, changes: readonly Change[]): Promise<Month[]> {
  const locked = (await writer.memberMonths())?.locked ?? []
  if (locked.length === 0) return []
  const storedByKey = new Map((await writer.find(changes)).map((record) => [recordKeyOf(record), record]))
  const stateBefore = (change: Change) => {
    const stored = storedByKey.get(recordKeyOf(change))
    return stored && { content: { ...liveFieldsOf(stored) } }
  }
  return monthsIn(locked, await datesTouched(writer, changes, stateBefore))
}
