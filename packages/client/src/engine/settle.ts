import { type EpochMs, isJsonObject, itemAt, type Problem } from '@saldo/core'
import { type BaseRecord, type OutboxRow, type QueuedChange, recordKey } from '../store/rows.ts'
import type { Tables } from '../store/store.ts'
import { mergeWriteResult, noteHistoryReset } from './base-record.ts'
import { changeOf, clearSender, isOffer } from './outbox.ts'

/** The outcome of one change at the service, with the record that the service has now. */
export type ChangeOutcome =
  /** The service applied the change, now or when it came before. */
  | { outcome: 'accepted'; current: BaseRecord }
  /** The service does not tell if the record that it has is of this change or of another, which won. */
  | { outcome: 'perhapsSuperseded'; current: BaseRecord }
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
 * a reset. That one tab leads is no reason to trust an outcome: a frozen leader may wake in the middle of a request.
 */
export function settle(row: OutboxRow | undefined, sent: OutboxRow, outcome: ChangeOutcome): Settlement {
  if (row?.generation !== sent.generation) return { outcome: 'ignored', row }
  const isLatest = row.updatedAt === sent.updatedAt
  const settled = { outcome: 'settled', row: isLatest ? undefined : clearSender(row) } as const
  switch (outcome.outcome) {
    case 'accepted':
      return { ...settled, current: outcome.current }
    case 'perhapsSuperseded': {
      const { current } = outcome
      // The conflict keeps the change and not the row: an old offer in it would be sent again with a later change.
      const hasLost = isLatest && !isOffer(sent) && !hasContent(current.record, sent.content)
      return hasLost
        ? { ...settled, current, conflict: { mine: changeOf(sent), theirs: current } }
        : { ...settled, current }
    }
    case 'rejected': {
      if (!isLatest) return settled
      // The record that the service lost is sent in place of the later change of it.
      const offerUnderneath = row.offer && !isOffer(row) ? clearSender({ ...row, ...changeOf(row.offer) }) : undefined
      return { ...settled, row: offerUnderneath, rejected: { change: changeOf(sent), problem: outcome.problem } }
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

/** A change that was sent, and its outcome. */
export interface SentChange {
  sent: OutboxRow
  outcome: ChangeOutcome
}

/** Stores the outcome of a change that was sent; a rejected change is left to the caller. */
export async function settleRow(
  tables: Tables,
  sent: OutboxRow,
  outcome: ChangeOutcome,
  nowMs: EpochMs,
): Promise<RowSettlement> {
  return itemAt(await settleRows(tables, [{ sent, outcome }], nowMs), 0)
}

/**
 * Stores the outcomes of changes of different records that one request carried; rejected changes are left to the
 * caller. Returns them in the same order. Reads and writes them together, because an import queues thousands of
 * changes, and browsers take long for each request to the database.
 */
export async function settleRows(
  tables: Tables,
  changes: readonly SentChange[],
  nowMs: EpochMs,
): Promise<RowSettlement[]> {
  const positions = changes.map(({ sent }) => sent.place)
  const rows = await tables.outbox.getAll(positions)
  const bases = await tables.baseRecords.getAll(changes.map(({ sent }) => recordKey(sent)))
  const meta = await tables.meta()
  const pulledVersion = meta.position?.version ?? 0
  const effects = changes.map((change, index) => settleChange(bases[index], rows[index], change, pulledVersion))
  const settlements = effects.map(({ settlement }) => settlement)
  const settled = settlements.filter((settlement) => settlement.outcome === 'settled')

  await tables.baseRecords.put(effects.flatMap(({ base }) => base ?? []))
  await tables.outbox.put(settlements.flatMap(({ outcome, row }) => (outcome === 'ignored' || !row ? [] : row)))
  const isDone = ({ outcome, row }: RowSettlement) => outcome === 'settled' && !row
  await tables.outbox.delete(positions.filter((_, index) => isDone(itemAt(settlements, index))))
  const knownVersion = Math.max(meta.knownVersion, ...settled.map(({ current }) => current?.version ?? 0))
  if (knownVersion > meta.knownVersion) await tables.setMeta({ ...meta, knownVersion })
  if (settlements.some(({ outcome }) => outcome === 'historyReset')) await noteHistoryReset(tables)
  const conflicts = settled.flatMap(({ conflict }) => conflict ?? [])
  const detectedAtMs = nowMs + meta.offsetMs
  await tables.conflicts.put(conflicts.map((conflict) => ({ ...conflict, detectedAtMs })))
  return settlements
}

/**
 * Keeps the changes that the service rejected, for the user to decide (D7.20). Settling does not do it, because the
 * caller of a direct write gets the rejection instead (D7.10).
 */
export async function keepRejected(
  tables: Tables,
  settlements: readonly RowSettlement[],
  nowMs: EpochMs,
): Promise<void> {
  const rejectedAtMs = nowMs + (await tables.meta()).offsetMs
  const rejected = settlements.flatMap((settlement) => ('rejected' in settlement && settlement.rejected) || [])
  await tables.rejectedChanges.put(rejected.map((one) => ({ ...one, rejectedAtMs })))
}

/** Returns the settlement of one change, and the base record if it is another one then. */
function settleChange(
  base: BaseRecord | undefined,
  row: OutboxRow | undefined,
  { sent, outcome }: SentChange,
  pulledVersion: number,
): { settlement: RowSettlement; base?: BaseRecord } {
  const settlement = settle(row, sent, outcome)
  if (settlement.outcome === 'ignored' || !row || !settlement.current) return { settlement }
  const merge = mergeWriteResult(base, settlement.current, { pulledVersion, isOffer: isOffer(sent) })
  if (merge.outcome === 'historyReset') return { settlement: { outcome: 'historyReset', row: clearSender(row) } }
  return merge.base === base ? { settlement } : { settlement, base: merge.base }
}

/** Lets a row wait again if the request that carried it brought no result, unless another request carries it now. */
export async function releaseRow(tables: Tables, row: OutboxRow): Promise<void> {
  const stored = await tables.outbox.get(row.place)
  if (stored?.generation === row.generation) await tables.outbox.put([clearSender(stored)])
}
