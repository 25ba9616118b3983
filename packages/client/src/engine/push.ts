import { type EpochMs, isJsonObject, itemAt, type Problem, type ReceivedPushResult } from '@saldo/core'
import { problemIn } from '../host/transport.ts'
import type { BaseRecord, Meta, OutboxRow, QueuedChange } from '../store/rows.ts'
import type { ReadTables, Tables } from '../store/store.ts'
import { toBaseRecord } from './base-record.ts'
import { type BatchLimit, firstBatch } from './batch.ts'
import { isBeingSent, startGeneration } from './outbox.ts'
import { type FailedResponse, pushBytesOf, requestPush, type SyncContext } from './requests.ts'
import { type ChangeOutcome, keepRejected, settleRows } from './settle.ts'

/** The outcome of pushing one batch. */
export type PushOutcome =
  | { outcome: 'sent' }
  /** `meta` is the meta row as read just before. */
  | { outcome: 'nothingToSend'; meta: Meta }
  /** No result counts, because another tab has sent the rows again. */
  | { outcome: 'overtaken' }
  | { outcome: 'historyReset' }
  /** The service rejected these changes as a whole. */
  | { outcome: 'batchRejected'; batch: readonly OutboxRow[]; problem: Problem }
  /** The service failed with 500 at these changes; it may not fail another time. */
  | { outcome: 'serviceFailed'; batch: readonly OutboxRow[]; retryAfterMs: number; problem: Problem }
  | FailedResponse

/** Sends the first rows of the outbox that can be sent, up to a limit. */
export async function pushOnce(context: SyncContext, limit: BatchLimit): Promise<PushOutcome> {
  const { store, now } = context
  // Most syncs have nothing to send, and a write would block other tabs.
  const { unsent, meta } = await store.read(async (tables) => {
    return { unsent: await tables.outbox.count(), meta: await tables.meta() }
  })
  const batch = unsent > 0 ? await startBatch(context, limit) : []
  if (batch.length === 0) return { outcome: 'nothingToSend', meta }
  const response = await requestPush(context, meta.device, batch)
  switch (response.outcome) {
    case 'pushed':
      return store.write((tables) => applyPushResults(tables, batch, response.results, response.offsetMs, now()))
    case 'retryable': {
      const { problem, retryAfterMs } = response
      return problem?.status === 500 ? { outcome: 'serviceFailed', batch, retryAfterMs, problem } : response
    }
    case 'rejected': {
      const { problem, status } = response
      return [400, 413, 422].includes(status) ? { outcome: 'batchRejected', batch, problem } : response
    }
    default:
      return response
  }
}

/** Notes that the rows of the next push are being sent. Returns them. */
async function startBatch({ store, livingTabs }: SyncContext, limit: BatchLimit): Promise<OutboxRow[]> {
  const living = await livingTabs()
  return store.write(async (tables) => {
    const batch = (await nextBatch(tables, living, limit)).map((row) => startGeneration(row))
    await tables.outbox.put(batch)
    return batch
  })
}

/** Returns the rows of the next push: the first that no living tab is sending. */
async function nextBatch(tables: ReadTables, livingTabs: ReadonlySet<string>, limit: BatchLimit): Promise<OutboxRow[]> {
  for (let read = limit.maxChanges; ; read *= 2) {
    const rows = await tables.outbox.first(read)
    const sendable = rows.filter((row) => !isBeingSent(row, livingTabs))
    const batch = firstBatch(sendable, pushBytesOf, limit)
    // Further rows may fit in, and rows that other tabs are sending may be before all others.
    const isFull = batch.length < sendable.length || batch.length === limit.maxChanges
    if (isFull || rows.length < read) return batch
  }
}

/** Stores the results of a batch. */
async function applyPushResults(
  tables: Tables,
  batch: readonly OutboxRow[],
  results: readonly ReceivedPushResult[],
  offsetMs: number | undefined,
  nowMs: EpochMs,
): Promise<PushOutcome> {
  const meta = await tables.meta()
  await tables.setMeta({ ...meta, offsetMs: offsetMs ?? meta.offsetMs })
  const changes = batch.map((sent, index) => ({
    sent,
    outcome: toChangeOutcome(sent, itemAt(results, index)),
  }))
  const settlements = await settleRows(tables, changes, nowMs)
  await keepRejected(tables, settlements, nowMs)
  const outcomes = new Set(settlements.map(({ outcome }) => outcome))
  if (outcomes.has('historyReset')) return { outcome: 'historyReset' }
  return { outcome: outcomes.has('settled') ? 'sent' : 'overtaken' }
}

function toChangeOutcome({ kind, id, content, isUnreadable }: QueuedChange, result: ReceivedPushResult): ChangeOutcome {
  switch (result.status) {
    case 'applied':
    case 'unchanged': {
      // The result lacks `created_at`, which a pull will bring. This program can read all content but some offers.
      const { version, updated_at } = result
      const record = content && { id, ...content, updated_at, version }
      const current: BaseRecord = { kind, id, version, updatedAt: updated_at, record, unconfirmed: true }
      return { outcome: 'accepted', current: isUnreadable ? { ...current, isUnreadable } : current }
    }
    case 'superseded': {
      const record = isJsonObject(result.record) ? result.record : null
      return { outcome: 'perhapsSuperseded', current: toBaseRecord(kind, result, record) }
    }
    case 'skipped':
      return { outcome: 'skipped' }
    case 'rejected':
      return {
        outcome: 'rejected',
        problem: problemIn(result.problem, 422, 'The service rejected this change without a reason.'),
      }
  }
}
