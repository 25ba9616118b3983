import type { EpochMs } from '@saldo/core'
import { type BaseRecord, type OutboxRow, recordKey } from '../store/rows.ts'
import type { Tables } from '../store/store.ts'
import { contradictsHistory, mergeWriteResult, noteHistoryReset } from './base-record.ts'
import { stopSending } from './outbox.ts'
import { type ChangeOutcome, type Settlement, settle } from './settle.ts'

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
    if (contradictsHistory(base, current, pulledVersion)) {
      const waiting = stopSending(before)
      await tables.outbox.put([waiting])
      await noteHistoryReset(tables)
      return { outcome: 'historyReset', row: waiting }
    }
    await putWriteResult(tables, base, current, pulledVersion)
    if (current.version > meta.knownVersion) await tables.setMeta({ ...meta, knownVersion: current.version })
  }
  if (row) await tables.outbox.put([row])
  else await tables.outbox.delete([key])
  const serviceNowMs = nowMs + meta.offsetMs
  if (conflict) await tables.conflicts.put([{ ...conflict, detectedAtMs: serviceNowMs }])
  if (rejected && keepsRejected) await tables.rejectedChanges.put([{ ...rejected, rejectedAtMs: serviceNowMs }])
  return settlement
}

async function putWriteResult(
  tables: Tables,
  base: BaseRecord | undefined,
  current: BaseRecord,
  pulledVersion: number,
): Promise<void> {
  const merged = mergeWriteResult(base, current, pulledVersion)
  if (merged && merged !== base) await tables.baseRecords.put([{ ...merged, lastPulled: base?.lastPulled ?? base }])
}

/** Lets the rows of a request that brought no result wait again, unless another request carries them now. */
export async function releaseRows(tables: Tables, rows: readonly OutboxRow[]): Promise<void> {
  const released: OutboxRow[] = []
  for (const row of rows) {
    const there = await tables.outbox.get(recordKey(row))
    if (there?.generation === row.generation) released.push(stopSending(there))
  }
  await tables.outbox.put(released)
}
