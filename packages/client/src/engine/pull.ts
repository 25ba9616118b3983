import { DAY_MS, type EpochMs } from '@saldo/core'
import { type BaseRecord, changeKey, isSamePosition, type Meta, recordKey } from '../store/rows.ts'
import type { Tables } from '../store/store.ts'
import { baseRecordsIn, endsOtherHistory, hasOtherTag, mergePulled, noteHistoryReset } from './base-record.ts'
import { type FailedResponse, requestPullPage, type SyncContext } from './requests.ts'

/** The outcome of pulling one page. */
export type PullOutcome =
  | { outcome: 'pulledPage' }
  /** `meta` is that of the transaction that stored the page. */
  | { outcome: 'pulledAll'; meta: Meta }
  /** There is no sync position yet, or the log of the service no longer reaches back to it (R5.5). */
  | { outcome: 'snapshotNeeded' }
  | { outcome: 'historyReset' }
  | FailedResponse

/** Thrown inside a transaction, so that nothing of it is kept. */
class HistoryResetError extends Error {}

/** The time for which a conflict is kept (D7.21). */
const CONFLICT_KEPT_MS = 30 * DAY_MS

/** Pulls one page after the sync position (R5.4). `known` is the meta row, if it was read just now. */
export async function pullOnce(context: SyncContext, known?: Meta): Promise<PullOutcome> {
  const { store, now } = context
  // `knownVersion` is that of before the request: a direct write may make a version that this page does not reach.
  const { position, knownVersion, isHistoryReset } = known ?? (await store.read((tables) => tables.meta()))
  if (isHistoryReset) return { outcome: 'historyReset' }
  if (!position) return { outcome: 'snapshotNeeded' }
  const response = await requestPullPage(context, position.version)
  if (response.outcome !== 'page') {
    return response.outcome === 'rejected' && response.status === 410 ? { outcome: 'snapshotNeeded' } : response
  }
  const { page, offsetMs } = response
  try {
    const meta = await store.write(async (tables) => {
      const meta = await tables.meta()
      // If another tab pulled meanwhile, the page no longer follows.
      if (!isSamePosition(meta.position, position)) return meta
      if (hasOtherTag(page, position)) throw new HistoryResetError()
      await mergePage(tables, baseRecordsIn(page))
      // Thousands may be unconfirmed after an import, and only the last page tells if one of them is missing.
      if (!page.has_more && endsOtherHistory(page.version, knownVersion, await tables.baseRecords.unconfirmed())) {
        throw new HistoryResetError()
      }
      const pulled = {
        ...meta,
        offsetMs: offsetMs ?? meta.offsetMs,
        position: { version: page.version, tag: page.tag },
        knownVersion: Math.max(meta.knownVersion, page.version),
        syncedAtMs: page.has_more ? meta.syncedAtMs : now(),
      }
      await tables.setMeta(pulled)
      if (!page.has_more) await forgetOldConflicts(tables, now() + pulled.offsetMs)
      return pulled
    })
    return page.has_more ? { outcome: 'pulledPage' } : { outcome: 'pulledAll', meta }
  } catch (error) {
    if (!(error instanceof HistoryResetError)) throw error
    await store.write(noteHistoryReset)
    return { outcome: 'historyReset' }
  }
}

/** Deletes old conflicts by the time of the service, which a pull has brought: this device's clock may be wrong. */
async function forgetOldConflicts(tables: Tables, serviceMs: EpochMs): Promise<void> {
  const old = (await tables.conflicts.all()).filter((row) => row.detectedAtMs < serviceMs - CONFLICT_KEPT_MS)
  if (old.length > 0) await tables.conflicts.delete(old.map(({ mine }) => changeKey(mine)))
}

async function mergePage(tables: Tables, page: readonly BaseRecord[]): Promise<void> {
  const merged: BaseRecord[] = []
  const bases = await tables.baseRecords.getAll(page.map(recordKey))
  for (const [index, incoming] of page.entries()) {
    const merge = mergePulled(bases[index], incoming)
    if (merge.outcome === 'historyReset') throw new HistoryResetError()
    merged.push(merge.base)
  }
  await tables.baseRecords.put(merged)
}
