import type { JsonObject, Problem } from '@saldo/core'
import { problemIn, unreachable } from '../host/transport.ts'
import { type BaseRecord, type OutboxRow, type QueuedChange, recordKey } from '../store/rows.ts'
import type { Tables } from '../store/store.ts'
import { contradictsHistory, mergeWriteResult, noteHistoryReset } from './base-record.ts'
import { firstBatch, splitRejected } from './batch.ts'
import { clockOffsetMs, type Failure, type SyncContext, toUnconfirmed } from './exchange.ts'
import { sendableRows, startSending, stopSending } from './outbox.ts'
import { type PushResponse, type PushResult, parsePushResponse } from './responses.ts'
import { type ChangeOutcome, type Settlement, settle } from './settle.ts'

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
    return { batch: sent, device: (await tables.meta()).device }
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

/** Returns a change as push takes it (D6). */
export function toPushChange({ kind, id, content, updatedAt, seq }: QueuedChange): object {
  if (content === null) return { kind, op: 'delete', seq, id, updated_at: updatedAt }
  return { kind, op: 'upsert', seq, record: { ...content, id, updated_at: updatedAt } }
}

/** Pushes a batch; if the service rejects it as a whole, its halves, until the culprit is alone and is rejected. */
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
  const split = splitRejected(batch)
  if (split.outcome === 'found') {
    await store.write((tables) =>
      settleRow(tables, split.culprit, { status: 'rejected', problem: reply.problem }, now()),
    )
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
  { results }: PushResponse,
  offsetMs: number | undefined,
  nowMs: number,
): Promise<PushOutcome> {
  const meta = await tables.meta()
  await tables.setMeta({ ...meta, offsetMs: offsetMs ?? meta.offsetMs })
  const effects = new Set<Settlement['effect'] | 'historyReset'>()
  for (const [index, sent] of batch.entries()) {
    const { effect } = await settleRow(tables, sent, toChangeOutcome(sent, results[index] as PushResult), nowMs)
    effects.add(effect)
  }
  if (effects.has('historyReset')) return { outcome: 'historyReset' }
  return effects.has('settled') ? { outcome: 'sent' } : unreachable
}

/** Returns the outcome of a change that its push result tells. */
export function toChangeOutcome({ kind, content, id }: QueuedChange, result: PushResult): ChangeOutcome {
  switch (result.status) {
    case 'applied':
    case 'unchanged': {
      const { version, updated_at } = result
      const record = content && { id, ...content, updated_at, version }
      return { status: 'stored', current: { ...toUnconfirmed(kind, result, null), record } }
    }
    case 'superseded':
      return {
        status: 'superseded',
        current: toUnconfirmed(kind, result, (result.record ?? null) as JsonObject | null),
      }
    case 'skipped':
      return { status: 'skipped' }
    case 'rejected':
      return {
        status: 'rejected',
        problem: problemIn(result.problem, 422, 'The service rejected this change without a reason.'),
      }
  }
}

/** The settlement of a row; `historyReset` if the outcome contradicts the history that this device knows (D7). */
export type RowSettlement = Settlement | { effect: 'historyReset'; row: OutboxRow }

/** Stores the outcome of a change that was sent. */
export async function settleRow(
  tables: Tables,
  sent: OutboxRow,
  outcome: ChangeOutcome,
  nowMs: number,
): Promise<RowSettlement> {
  const key = recordKey(sent)
  const before = await tables.outbox.get(key)
  const settlement = settle(before, sent, outcome)
  if (settlement.effect === 'ignored' || !before) return settlement
  const { row, current, conflict, rejected } = settlement
  const meta = await tables.meta()
  if (current) {
    const base = await tables.baseRecords.get(key)
    const pulledVersion = meta.position?.version ?? 0
    if (contradictsHistory(base, current, pulledVersion)) {
      const waiting = stopSending(before)
      await tables.outbox.put([waiting])
      await noteHistoryReset(tables)
      return { effect: 'historyReset', row: waiting }
    }
    await putWriteResult(tables, base, current, pulledVersion)
    if (current.version > meta.knownVersion) await tables.setMeta({ ...meta, knownVersion: current.version })
  }
  if (row) await tables.outbox.put([row])
  else await tables.outbox.delete([key])
  const serviceNowMs = nowMs + meta.offsetMs
  if (conflict) await tables.conflicts.put([{ ...conflict, detectedAtMs: serviceNowMs }])
  if (rejected) await tables.rejectedChanges.put([{ ...rejected, rejectedAtMs: serviceNowMs }])
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

/** Lets rows wait again that a request carried, unless another request has carried them later. */
export async function releaseRows(tables: Tables, rows: readonly OutboxRow[]): Promise<void> {
  const released: OutboxRow[] = []
  for (const row of rows) {
    const there = await tables.outbox.get(recordKey(row))
    if (there?.generation === row.generation) released.push(stopSending(there))
  }
  await tables.outbox.put(released)
}
