import {
  type JsonObject,
  matches,
  type ReceivedPull,
  type RecordKind,
  type RecordStamp,
  recordSchemas,
  type SyncPosition,
} from '@saldo/core'
import type { BaseRecord } from '../store/rows.ts'
import type { Tables } from '../store/store.ts'

/** Returns a record of the service as a base record; `pulledVersion` is 0 for the result of a write. */
export function toBaseRecord(
  kind: RecordKind,
  { id, version, updated_at: updatedAt }: RecordStamp,
  record: JsonObject | null,
  pulledVersion: number,
): BaseRecord {
  const unconfirmed = version > pulledVersion
  return checkReadability({ kind, id, version, updatedAt, record, unconfirmed })
}

/** Returns the row, unconfirmed if its version is higher than those that pulls or a snapshot have brought (D7.27). */
export function confirmUpTo(row: BaseRecord, pulledVersion: number): BaseRecord {
  return { ...row, unconfirmed: row.version > pulledVersion }
}

/** Returns the row with `isUnreadable` set as this program finds it. */
export function checkReadability({ isUnreadable: _before, ...row }: BaseRecord): BaseRecord {
  return row.record === null || matches(recordSchemas[row.kind], row.record) ? row : { ...row, isUnreadable: true }
}

/** Notes that the next cold start replaces another history, also for the tab that leads then. */
export async function noteHistoryReset(tables: Tables): Promise<void> {
  await tables.setMeta({ ...(await tables.meta()), isHistoryReset: true })
}

/** Why the history of the service cannot be the one that this device knows (D7.35 to D7.39). */
export type HistoryResetReason =
  /** The tag of the sync position differs. */
  | 'tag'
  /** A pull passed the version of an unconfirmed record without bringing it. */
  | 'missing'
  /** A version came with another time. */
  | 'rewritten'
  /** A pull ended below a version that was known. */
  | 'shorter'
  /** A later version came with an earlier time. */
  | 'earlier'

export type PulledMerge =
  | { outcome: 'merged'; base: BaseRecord }
  | { outcome: 'historyReset'; reason: HistoryResetReason }

/** Returns the base record after a pull brought `incoming`. A record is never replaced by one of a lower version. */
export function mergePulled(base: BaseRecord | undefined, incoming: BaseRecord): PulledMerge {
  if (!base) return { outcome: 'merged', base: incoming }
  if (incoming.version < base.version) return { outcome: 'merged', base: { ...base, lastPulled: incoming } }
  if (incoming.version === base.version && incoming.updatedAt !== base.updatedAt) {
    return { outcome: 'historyReset', reason: 'rewritten' }
  }
  if (incoming.updatedAt < base.updatedAt) return { outcome: 'historyReset', reason: 'earlier' }
  return { outcome: 'merged', base: incoming }
}

/**
 * Returns the base record after the result of a write brought `incoming`. A pull has brought everything up to
 * `pulledVersion`, so only a higher version is new, and unconfirmed. A tombstone is new if there is no live base
 * record, because a snapshot brings none.
 */
export function mergeWriteResult(
  base: BaseRecord | undefined,
  incoming: BaseRecord,
  pulledVersion: number,
): BaseRecord | undefined {
  if (base && incoming.version <= base.version) return base
  const isNew = incoming.version > pulledVersion || (incoming.record === null && !isLive(base))
  return isNew ? confirmUpTo(incoming, pulledVersion) : base
}

function isLive(base: BaseRecord | undefined): boolean {
  return base !== undefined && base.record !== null
}

/**
 * True if the result of a write and the base record cannot be of one history (D7.40): a pull should have brought the
 * result and did not (a snapshot brings no tombstones), or versions and times are in different orders.
 */
export function contradictsHistory(base: BaseRecord | undefined, incoming: BaseRecord, pulledVersion: number): boolean {
  if (base && incoming.version <= base.version) return incoming.updatedAt > base.updatedAt
  return incoming.version <= pulledVersion && (isLive(base) || incoming.record !== null)
}

/**
 * Returns why a page, whose records are merged by now, belongs to another history; `undefined` if it does not. The
 * page was requested from `since`; `knownVersion` was known before; `unconfirmed` are the base records that still
 * are.
 */
export function findHistoryReset(
  page: Pick<ReceivedPull, 'version' | 'since_tag' | 'has_more'>,
  since: SyncPosition,
  knownVersion: number,
  unconfirmed: readonly BaseRecord[],
): HistoryResetReason | undefined {
  if ((page.since_tag ?? null) !== since.tag) return 'tag'
  if (page.has_more) return undefined
  if (page.version < knownVersion) return 'shorter'
  return unconfirmed.some(({ version }) => version <= page.version) ? 'missing' : undefined
}
