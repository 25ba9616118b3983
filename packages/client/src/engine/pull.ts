import { type JsonObject, type ReceivedPull, type RecordKind, recordKinds } from '@saldo/core'
import { unreachable } from '../host/transport.ts'
import { type BaseRecord, isSamePosition, recordKey } from '../store/rows.ts'
import type { Tables } from '../store/store.ts'
import {
  findHistoryReset,
  type HistoryResetReason,
  mergePulled,
  noteHistoryReset,
  type PageEnd,
  putBaseRecords,
  toBaseRecord,
} from './base-record.ts'
import { clockOffsetMs } from './clock-offset.ts'
import { parsePullResponse, type ReceivedRecord } from './responses.ts'
import type { Failure, SyncContext } from './sync-context.ts'

export type PullOutcome =
  | { outcome: 'pulledPage' }
  | { outcome: 'pulledAll' }
  /** There is no sync position yet, or the log of the service no longer reaches back to it (R5.5). */
  | { outcome: 'snapshotNeeded' }
  | { outcome: 'historyReset' }
  | Failure

/** Thrown inside a transaction, so that nothing of it is kept. */
class HistoryResetError extends Error {
  constructor(reason: HistoryResetReason) {
    super(`the history of the service was reset: ${reason}`)
    this.name = 'HistoryResetError'
  }
}

/** Requests one page of a pull; `since` is the version that the query asks from, if it has one. */
export async function requestPage(
  { transport }: SyncContext,
  query: string,
  since?: number,
): Promise<{ outcome: 'page'; page: ReceivedPull } | Failure> {
  const reply = await transport({ method: 'GET', path: `/api/sync/pull?${query}` })
  if (reply.outcome !== 'answered') return reply
  const page = parsePullResponse(reply.body, since)
  return page ? { outcome: 'page', page } : unreachable
}

/** Pulls one page after the sync position (R5.4). */
export async function pullOnce(context: SyncContext): Promise<PullOutcome> {
  const { store, now } = context
  // `knownVersion` is that of before the request: a direct write may make a version that this page does not reach.
  const { position, knownVersion, isHistoryReset } = await store.read((tables) => tables.meta())
  if (isHistoryReset) return { outcome: 'historyReset' }
  if (!position) return { outcome: 'snapshotNeeded' }
  const requestedMs = now()
  const reply = await requestPage(context, `since=${position.version}`, position.version)
  if (reply.outcome !== 'page') {
    return reply.outcome === 'rejected' && reply.status === 410 ? { outcome: 'snapshotNeeded' } : reply
  }
  const { page } = reply
  const offsetMs = clockOffsetMs(page.server_time, requestedMs, now())
  try {
    await store.write(async (tables) => {
      const meta = await tables.meta()
      // If another tab pulled meanwhile, the page no longer follows.
      if (!isSamePosition(meta.position, position)) return
      await mergePage(tables, baseRecordsIn(page))
      const reason = findHistoryReset(pageEndOf(page), position, knownVersion, await tables.baseRecords.unconfirmed())
      if (reason) throw new HistoryResetError(reason)
      await tables.setMeta({
        ...meta,
        offsetMs: offsetMs ?? meta.offsetMs,
        position: { version: page.version, tag: page.tag },
        knownVersion: Math.max(meta.knownVersion, page.version),
        syncedAtMs: page.has_more ? meta.syncedAtMs : now(),
      })
    })
  } catch (error) {
    if (!(error instanceof HistoryResetError)) throw error
    await store.write(noteHistoryReset)
    return { outcome: 'historyReset' }
  }
  return { outcome: page.has_more ? 'pulledPage' : 'pulledAll' }
}

async function mergePage(tables: Tables, page: readonly BaseRecord[]): Promise<void> {
  const changed: BaseRecord[] = []
  for (const incoming of page) {
    const base = await tables.baseRecords.get(recordKey(incoming))
    const merge = mergePulled(base, incoming)
    if (merge.outcome === 'historyReset') throw new HistoryResetError(merge.reason)
    if (merge.base !== base) changed.push(merge.base)
  }
  await putBaseRecords(tables.baseRecords, changed)
}

export function pageEndOf({ version, since_tag: sinceTag = null, has_more }: ReceivedPull): PageEnd {
  return { version, sinceTag, hasMore: has_more }
}

/** Returns the live records and the tombstones of a page. */
export function baseRecordsIn({ changes, deleted, version }: ReceivedPull): BaseRecord[] {
  return [
    ...listed(changes).map(([kind, record]) => toBaseRecord(kind, record, record as unknown as JsonObject, version)),
    ...listed(deleted).map(([kind, tombstone]) => toBaseRecord(kind, tombstone, null, version)),
  ]
}

function listed(byKind: { readonly [K in RecordKind]?: ReceivedRecord[] | undefined }): [RecordKind, ReceivedRecord][] {
  return recordKinds.flatMap((kind) => (byKind[kind] ?? []).map((row): [RecordKind, ReceivedRecord] => [kind, row]))
}
