import {
  check,
  type EpochMs,
  epochMs,
  type Instant,
  ReceivedDigest,
  ReceivedPull,
  ReceivedPush,
  type ReceivedPushResult,
  utf8Length,
  wireLimits,
} from '@saldo/core'
import { noResponse, type ServiceResponse, type Transport } from '../host/transport.ts'
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

/** A response to a request that failed. */
export type FailedResponse = Exclude<ServiceResponse, { outcome: 'ok' }>

/** A page of a pull or a snapshot, and how far the clock of the service is ahead, if the request tells. */
type PageResponse = { outcome: 'page'; page: ReceivedPull; offsetMs: number | undefined } | FailedResponse

/** Requests the page of a pull that follows a version. A page that announces more must have a higher one. */
export async function requestPullPage(context: SyncContext, since: number): Promise<PageResponse> {
  const response = await requestPage(context, `since=${since}`)
  const isStuck = response.outcome === 'page' && response.page.has_more && response.page.version <= since
  return isStuck ? noResponse : response
}

/** Requests a page of a snapshot; the first without a cursor. */
export function requestSnapshotPage(context: SyncContext, cursor: string | undefined): Promise<PageResponse> {
  const cursorQuery = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`
  return requestPage(context, `limit=${wireLimits.pull_max}${cursorQuery}`)
}

async function requestPage({ transport, now }: SyncContext, query: string): Promise<PageResponse> {
  const requestedMs = now()
  const response = await transport({ method: 'GET', path: `/api/sync/pull?${query}` })
  if (response.outcome !== 'ok') return response
  const checked = check(ReceivedPull, response.body)
  if (!checked.ok) return noResponse
  const page = checked.value
  return { outcome: 'page', page, offsetMs: clockOffsetMs(page.server_time, requestedMs, now()) }
}

/** Pushes changes. Resolves to one result for each change, in order. */
export async function requestPush(
  { transport, now }: SyncContext,
  device: string,
  batch: readonly QueuedChange[],
): Promise<{ outcome: 'pushed'; results: ReceivedPushResult[]; offsetMs: number | undefined } | FailedResponse> {
  const requestedMs = now()
  const body = { device, changes: batch.map(toPushChange) }
  const response = await transport({ method: 'POST', path: '/api/sync/push', body })
  if (response.outcome !== 'ok') return response
  const checked = check(ReceivedPush, response.body)
  if (!checked.ok) return noResponse
  const { results, server_time } = checked.value
  const isOf = (result: ReceivedPushResult, change: QueuedChange | undefined) =>
    result.status === 'skipped' || result.status === 'rejected' || result.id === change?.id
  const areOfBatch = results.length === batch.length && results.every((result, index) => isOf(result, batch[index]))
  if (!areOfBatch) return noResponse
  return { outcome: 'pushed', results, offsetMs: clockOffsetMs(server_time, requestedMs, now()) }
}

/** Requests the digests of all kinds (D10.1). */
export async function requestDigests(
  transport: Transport,
): Promise<{ outcome: 'digests'; digests: ReceivedDigest } | FailedResponse> {
  const response = await transport({ method: 'GET', path: '/api/sync/digest' })
  if (response.outcome !== 'ok') return response
  const digests = check(ReceivedDigest, response.body)
  return digests.ok ? { outcome: 'digests', digests: digests.value } : noResponse
}

/** Returns the size of a change in the body of a push, with its comma, in bytes. */
export function pushBytesOf(change: QueuedChange): number {
  return utf8Length(JSON.stringify(toPushChange(change))) + 1
}

/** Returns a change as push takes it (D6.1). */
function toPushChange({ kind, id, content, updatedAt, seq }: QueuedChange): object {
  if (content === null) return { kind, op: 'delete', seq, id, updated_at: updatedAt }
  return { kind, op: 'upsert', seq, record: { ...content, id, updated_at: updatedAt } }
}

/** A slower request says nothing about clocks: this device may have slept, or its clock may have been set. */
const MAX_MEASURED_MS = 60_000

/** Returns how far the clock of the service is ahead, in milliseconds; `undefined` if that cannot be told. */
function clockOffsetMs(serverTime: Instant, requestedMs: EpochMs, respondedMs: EpochMs): number | undefined {
  const tookMs = respondedMs - requestedMs
  if (tookMs < 0 || tookMs > MAX_MEASURED_MS) return undefined
  return Math.round(epochMs(serverTime) - (requestedMs + respondedMs) / 2)
}
