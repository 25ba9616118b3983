import type { EpochMs, JsonObject, Problem, ReceivedPush, ReceivedPushResult } from '@saldo/core'
import { problemIn, unreachable } from '../host/transport.ts'
import type { BaseRecord, OutboxRow, QueuedChange } from '../store/rows.ts'
import type { Tables } from '../store/store.ts'
import { toBaseRecord, toWriteResult } from './base-record.ts'
import { firstBatch, splitRejected } from './batch.ts'
import { clockOffsetMs } from './clock-offset.ts'
import { sendableRows, startSending } from './outbox.ts'
import { parsePushResponse, type ReceivedRecord } from './responses.ts'
import type { ChangeOutcome } from './settle.ts'
import { type RowSettlement, releaseRows, settleRow } from './settle-row.ts'
import type { Failure, SyncContext } from './sync-context.ts'

/** The size of a push: a network of 30 kbit/s carries it before the timeout, and the largest change is smaller. */
export const MAX_PUSH_BYTES = 100_000

/** The sender in rows that the sync sends. No tab has this name, so any tab that syncs next sends them again. */
const SYNC_SENDER = 'sync'

export type PushOutcome =
  | { outcome: 'sent' }
  | { outcome: 'nothingToSend' }
  | { outcome: 'historyReset' }
  /** The service failed with 500 at these changes; it may not fail another time. */
  | { outcome: 'serviceFailed'; batch: readonly OutboxRow[]; retryAfterMs: number; problem: Problem }
  | Failure

/** Sends the first rows of the outbox that can be sent, up to `maxChanges`. */
export async function pushOnce(context: SyncContext, maxChanges: number): Promise<PushOutcome> {
  const { store } = context
  const livingTabs = await context.livingTabs()
  const { batch, device } = await store.write(async (tables) => {
    const sendable = sendableRows(await tables.outbox.all(), livingTabs)
    const rows = firstBatch(sendable, pushBytesOf, maxChanges, MAX_PUSH_BYTES)
    const sent = rows.map((row) => startSending(row, SYNC_SENDER))
    await tables.outbox.put(sent)
    const { device } = await tables.meta()
    return { batch: sent, device }
  })
  if (batch.length === 0) return { outcome: 'nothingToSend' }
  const pushed = await pushBatch(context, device, batch)
  if (pushed.outcome !== 'sent') await store.write((tables) => releaseRows(tables, batch))
  return pushed
}

/** Returns the size of a change in the body of a push. */
export function pushBytesOf(change: QueuedChange): number {
  return new TextEncoder().encode(JSON.stringify(toPushChange(change))).byteLength + 1
}

/** Returns a change as push takes it (D6.1). */
export function toPushChange({ kind, id, content, updatedAt, seq }: QueuedChange): object {
  if (content === null) return { kind, op: 'delete', seq, id, updated_at: updatedAt }
  return { kind, op: 'upsert', seq, record: { ...content, id, updated_at: updatedAt } }
}

async function pushBatch(context: SyncContext, device: string, batch: readonly OutboxRow[]): Promise<PushOutcome> {
  const { store, transport, now } = context
  const requestedMs = now()
  const body = { device, changes: batch.map(toPushChange) }
  const reply = await transport({ method: 'POST', path: '/api/sync/push', body })
  if (reply.outcome === 'answered') {
    const pushed = parsePushResponse(reply.body, batch)
    if (!pushed) return unreachable
    const offsetMs = clockOffsetMs(pushed.server_time, requestedMs, now())
    return store.write((tables) => applyPushResponse(tables, batch, pushed, offsetMs, now()))
  }
  if (reply.outcome === 'unreachable' && reply.problem?.status === 500) {
    return { outcome: 'serviceFailed', batch, retryAfterMs: reply.retryAfterMs, problem: reply.problem }
  }
  if (reply.outcome !== 'rejected' || ![400, 413, 422].includes(reply.status)) return reply
  return pushHalves(context, device, batch, reply.problem)
}

/** Pushes the halves of a batch that the service rejected as a whole, until the culprit is alone (D7.18). */
async function pushHalves(
  context: SyncContext,
  device: string,
  batch: readonly OutboxRow[],
  problem: Problem,
): Promise<PushOutcome> {
  const { store, now } = context
  const split = splitRejected(batch)
  if (split.outcome === 'found') {
    await store.write((tables) => settleRow(tables, split.culprit, { outcome: 'rejected', problem }, now()))
    return { outcome: 'sent' }
  }
  for (const half of split.halves) {
    const pushed = await pushBatch(context, device, half)
    if (pushed.outcome !== 'sent') return pushed
  }
  return { outcome: 'sent' }
}

/**
 * Stores the results of a batch. If none of them counts, because another tab has sent the rows again, the push failed:
 * two tabs that kept overtaking each other would otherwise never stop.
 */
async function applyPushResponse(
  tables: Tables,
  batch: readonly OutboxRow[],
  { results }: ReceivedPush,
  offsetMs: number | undefined,
  nowMs: EpochMs,
): Promise<PushOutcome> {
  const meta = await tables.meta()
  await tables.setMeta({ ...meta, offsetMs: offsetMs ?? meta.offsetMs })
  const outcomes = new Set<RowSettlement['outcome']>()
  for (const [index, sent] of batch.entries()) {
    const { outcome } = await settleRow(
      tables,
      sent,
      toChangeOutcome(sent, results[index] as ReceivedPushResult),
      nowMs,
    )
    outcomes.add(outcome)
  }
  if (outcomes.has('historyReset')) return { outcome: 'historyReset' }
  return outcomes.has('settled') ? { outcome: 'sent' } : unreachable
}

/** Returns the outcome of a change from its push result. */
export function toChangeOutcome(change: QueuedChange, result: ReceivedPushResult): ChangeOutcome {
  switch (result.status) {
    case 'applied':
    case 'unchanged':
      return { outcome: 'accepted', current: toAcceptedRecord(change, result) }
    case 'superseded':
      return {
        outcome: 'superseded',
        current: toWriteResult(change.kind, result, (result.record ?? null) as JsonObject | null),
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

/** Returns the record of an accepted change: push results repeat only what the service adds to the content. */
function toAcceptedRecord({ kind, id, content }: QueuedChange, result: ReceivedRecord): BaseRecord {
  const { version, updated_at } = result
  return toBaseRecord(kind, result, content && { id, ...content, updated_at, version }, 0)
}
