import { type EpochMs, isJsonObject, type Problem } from '@saldo/core'
import { type BaseRecord, type OutboxRow, type QueuedChange, recordKey } from '../store/rows.ts'
import type { Tables } from '../store/store.ts'
import { confirmUpTo, contradictsHistory, mergeWriteResult, noteHistoryReset } from './base-record.ts'
import { isOffer, stopSending } from './outbox.ts'

/** The outcome of one change at the service, with the record that the service has now. */
export type ChangeOutcome =
  /** The service applied the change, now or when it came before. */
  | { outcome: 'accepted'; current: BaseRecord }
  /** Another change won, unless the record has the content of this one. */
  | { outcome: 'superseded'; current: BaseRecord }
  | { outcome: 'rejected'; problem: Problem }
  /** Only the service writes records of this kind. */
  | { outcome: 'skipped' }

/** The consequences of a `ChangeOutcome` for the outbox and the other tables. */
export type Settlement =
  /** Another request carried the row later, so this outcome does not count. */
  | { outcome: 'ignored'; row: OutboxRow | undefined }
  | {
      outcome: 'settled'
      /** The outbox row, if a change of the record still has to be sent. */
      row: OutboxRow | undefined
      current?: BaseRecord
      /** The change lost. */
      conflict?: { mine: QueuedChange; theirs: BaseRecord }
      rejected?: { change: QueuedChange; problem: Problem }
    }

/**
 * Settles exactly the change that was sent: a later change of the record has another time and stays queued (D7.16).
 * An outcome counts only if no other request carried the row later (D7.17): a late one may be of a history from before
 * a reset.
 */
export function settle(row: OutboxRow | undefined, sent: OutboxRow, outcome: ChangeOutcome): Settlement {
  if (row?.generation !== sent.generation) return { outcome: 'ignored', row }
  const isLatest = row.updatedAt === sent.updatedAt
  const settled = { outcome: 'settled', row: isLatest ? undefined : stopSending(row) } as const
  switch (outcome.outcome) {
    case 'accepted':
      return { ...settled, current: outcome.current }
    case 'superseded': {
      const { current } = outcome
      const isLost = isLatest && !isOffer(sent) && !hasContent(current.record, sent.content)
      return isLost ? { ...settled, current, conflict: { mine: sent, theirs: current } } : { ...settled, current }
    }
    case 'rejected': {
      if (!isLatest) return settled
      const rest = row.offer && !isOffer(row) ? stopSending({ ...row, ...row.offer }) : undefined
      return { ...settled, row: rest, rejected: { change: sent, problem: outcome.problem } }
    }
    case 'skipped':
      return settled
  }
}

/** True if a record has all that a change asked for. A newer service may have filled in more fields (D7.58). */
function hasContent(record: unknown, content: unknown): boolean {
  if (Array.isArray(content)) {
    if (!Array.isArray(record) || record.length !== content.length) return false
    return content.every((item, index) => hasContent(record[index], item))
  }
  if (!isJsonObject(content)) return record === content
  return isJsonObject(record) && Object.entries(content).every(([name, value]) => hasContent(record[name], value))
}

/** The settlement of a row; `historyReset` if the outcome contradicts the history that this device knows (D7.40). */
export type RowSettlement = Settlement | { outcome: 'historyReset'; row: OutboxRow }

/** Stores the outcome of a change that was sent; a rejected change that `keepsRejected` excludes is forgotten. */
export async function settleRow(
  tables: Tables,
  sent: OutboxRow,
  outcome: ChangeOutcome,
  nowMs: EpochMs,
  keepsRejected = true,
): Promise<RowSettlement> {
  const key = recordKey(sent)
  const before = await tables.outbox.get(key)
  const settlement = settle(before, sent, outcome)
  if (settlement.outcome === 'ignored' || !before) return settlement
  const { row, current, conflict, rejected } = settlement
  const meta = await tables.meta()
  if (current) {
    const base = await tables.baseRecords.get(key)
    const pulledVersion = meta.position?.version ?? 0
    // An offer is of a record that the snapshot lacked: if the service has it after all, digests find that error, and
    // it is no history reset.
    const broughtVersion = isOffer(sent) ? 0 : pulledVersion
    if (contradictsHistory(base, current, broughtVersion)) {
      const waiting = stopSending(before)
      await tables.outbox.put([waiting])
      await noteHistoryReset(tables)
      return { outcome: 'historyReset', row: waiting }
    }
    const merged = mergeWriteResult(base, current, broughtVersion)
    if (merged && merged !== base) {
      const lastPulled = base?.lastPulled ?? base
      await tables.baseRecords.put([{ ...confirmUpTo(merged, pulledVersion), lastPulled }])
    }
    if (current.version > meta.knownVersion) await tables.setMeta({ ...meta, knownVersion: current.version })
  }
  if (row) await tables.outbox.put([row])
  else await tables.outbox.delete([key])
  const serviceNowMs = nowMs + meta.offsetMs
  if (conflict) await tables.conflicts.put([{ ...conflict, detectedAtMs: serviceNowMs }])
  if (rejected && keepsRejected) await tables.rejectedChanges.put([{ ...rejected, rejectedAtMs: serviceNowMs }])
  return settlement
}

/** Lets a row wait again if the request that carried it brought no result, unless another request carries it now. */
export async function releaseRow(tables: Tables, row: OutboxRow): Promise<void> {
  const stored = await tables.outbox.get(recordKey(row))
  if (stored?.generation === row.generation) await tables.outbox.put([stopSending(stored)])
}
