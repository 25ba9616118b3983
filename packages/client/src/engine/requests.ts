import {
  check,
  type EpochMs,
  type Instant,
  ReceivedDigest,
  ReceivedPull,
  ReceivedPush,
  type ReceivedPushResult,
} from '@saldo/core'
import { type Reply, type Transport, unreachable } from '../host/transport.ts'
import type { QueuedChange } from '../store/rows.ts'
import type { LocalStore } from '../store/store.ts'

/** The dependencies of a step of the sync. */
export interface SyncContext {
  store: LocalStore
  transport: Transport
  now: () => EpochMs
  /** Returns the names of the tabs that are alive. */
  livingTabs: () => Promise<ReadonlySet<string>>
}

/** A reply that does not answer the request. */
export type Failure = Exclude<Reply, { outcome: 'answered' }>

/** Requests one page of a pull from version `since`. A page that announces more must have a higher version. */
export async function requestPage(
  { transport, now }: SyncContext,
  query: string,
  since = -1,
): Promise<{ outcome: 'page'; page: ReceivedPull; offsetMs: number | undefined } | Failure> {
  const requestedMs = now()
  const reply = await transport({ method: 'GET', path: `/api/sync/pull?${query}` })
  if (reply.outcome !== 'answered') return reply
  const checked = check(ReceivedPull, reply.body)
  if (!checked.ok) return unreachable
  const page = checked.value
  if (page.has_more && page.version <= since) return unreachable
  return { outcome: 'page', page, offsetMs: clockOffsetMs(page.server_time, requestedMs, now()) }
}

/** Pushes changes. Resolves to one result for each change, in order. */
export async function requestPush(
  { transport, now }: SyncContext,
  device: string,
  batch: readonly QueuedChange[],
): Promise<{ outcome: 'pushed'; results: ReceivedPushResult[]; offsetMs: number | undefined } | Failure> {
  const requestedMs = now()
  const body = { device, changes: batch.map(toPushChange) }
  const reply = await transport({ method: 'POST', path: '/api/sync/push', body })
  if (reply.outcome !== 'answered') return reply
  const checked = check(ReceivedPush, reply.body)
  if (!checked.ok) return unreachable
  const { results, server_time } = checked.value
  const isOf = (result: ReceivedPushResult, change: QueuedChange | undefined) =>
    result.status === 'skipped' || result.status === 'rejected' || result.id === change?.id
  const areOfBatch = results.length === batch.length && results.every((result, index) => isOf(result, batch[index]))
  if (!areOfBatch) return unreachable
  return { outcome: 'pushed', results, offsetMs: clockOffsetMs(server_time, requestedMs, now()) }
}

export async function requestDigests(
  transport: Transport,
): Promise<{ outcome: 'digests'; digests: ReceivedDigest } | Failure> {
  const reply = await transport({ method: 'GET', path: '/api/sync/digest' })
  if (reply.outcome !== 'answered') return reply
  const digests = check(ReceivedDigest, reply.body)
  return digests.ok ? { outcome: 'digests', digests: digests.value } : unreachable
}

export function pushBytesOf(change: QueuedChange): number {
  return new TextEncoder().encode(JSON.stringify(toPushChange(change))).byteLength + 1
}

/** Returns a change as push takes it (D6.1). */
function toPushChange({ kind, id, content, updatedAt, seq }: QueuedChange): object {
  if (content === null) return { kind, op: 'delete', seq, id, updated_at: updatedAt }
  return { kind, op: 'upsert', seq, record: { ...content, id, updated_at: updatedAt } }
}

/** A slower request says nothing about clocks: this device may have slept, or its clock may have been set. */
const MAX_MEASURED_MS = 60_000

/** Returns how far the clock of the service is ahead, in milliseconds; `undefined` if that cannot be told. */
function clockOffsetMs(serverTime: Instant, requestedMs: EpochMs, repliedMs: EpochMs): number | undefined {
  const tookMs = repliedMs - requestedMs
  if (tookMs < 0 || tookMs > MAX_MEASURED_MS) return undefined
  return Math.round(Date.parse(serverTime) - (requestedMs + repliedMs) / 2)
}
