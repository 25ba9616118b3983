import {
  check,
  type JsonObject,
  jsonEqual,
  jsonOf,
  type ReceivedPull,
  type RecordKind,
  type RecordStamp,
  recordKinds,
  recordSchemas,
  type SyncPosition,
} from '@saldo/core'
import type { BaseRecord } from '../store/rows.ts'
import type { Tables } from '../store/store.ts'

/** Returns a record as the service sent it: it is unconfirmed until a pull brings it (D7.27). */
export function toBaseRecord(
  kind: RecordKind,
  { id, version, updated_at: updatedAt }: RecordStamp,
  record: JsonObject | null,
): BaseRecord {
  return readRecord({ kind, id, version, updatedAt, record, unconfirmed: true })
}

/** Returns the live records and the tombstones of a page of a pull or a snapshot. */
export function baseRecordsIn({ changes, deleted, version }: ReceivedPull): BaseRecord[] {
  return [
    ...listed(changes).map(([kind, record]) => toBaseRecord(kind, record, jsonOf(record))),
    ...listed(deleted).map(([kind, tombstone]) => toBaseRecord(kind, tombstone, null)),
  ].map((base) => confirmUpTo(base, version))
}

function listed(byKind: { readonly [K in RecordKind]?: RecordStamp[] | undefined }): [RecordKind, RecordStamp][] {
  return recordKinds.flatMap((kind) => (byKind[kind] ?? []).map((stamp): [RecordKind, RecordStamp] => [kind, stamp]))
}

/** Returns the record, unconfirmed if its version is above those that pulls or a snapshot have brought (D7.27). */
export function confirmUpTo(base: BaseRecord, pulledVersion: number): BaseRecord {
  return { ...base, unconfirmed: base.version > pulledVersion }
}

/**
 * Returns a base record with what this program reads in it. The record itself stays as it came, since digests are made
 * of it (D10.1): services may leave out fields that have a default, and spell a time in another way.
 */
export function readRecord({ isUnreadable: _unreadable, readAs: _readAs, ...base }: BaseRecord): BaseRecord {
  if (base.record === null) return base
  const read = check(recordSchemas[base.kind], base.record)
  if (!read.ok) return { ...base, isUnreadable: true }
  const readAs = jsonOf(read.value)
  return jsonEqual(readAs, base.record) ? base : { ...base, readAs }
}

/** Notes that the next cold start replaces another history, also for the tab that leads then. */
export async function noteHistoryReset(tables: Tables): Promise<void> {
  await tables.setMeta({ ...(await tables.meta()), isHistoryReset: true })
}

/** The base record after the service sent a state of it, unless that state is of another history. */
export type Merge = { outcome: 'merged'; base: BaseRecord } | { outcome: 'historyReset' }

/** Merges a record that a pull brought. A base record is never replaced by one of a lower version. */
export function mergePulled(base: BaseRecord | undefined, incoming: BaseRecord): Merge {
  if (!base) return { outcome: 'merged', base: incoming }
  if (incoming.version < base.version) return { outcome: 'merged', base: { ...base, lastPulled: incoming } }
  const isRewritten = incoming.version === base.version && incoming.updatedAt !== base.updatedAt
  if (isRewritten || incoming.updatedAt < base.updatedAt) return { outcome: 'historyReset' }
  return { outcome: 'merged', base: incoming }
}

/**
 * Merges a record that the result of a write brought. It is of another history (D7.40) if times and versions are in
 * different orders, or if it is new, but of a version that pulls have passed. The latter may be so for a tombstone,
 * because a snapshot brings none, and for the result of an offer, whose record the snapshot lacked: if the service has
 * it after all, digests find that error.
 */
export function mergeWriteResult(
  base: BaseRecord | undefined,
  incoming: BaseRecord,
  { pulledVersion, isOffer }: { pulledVersion: number; isOffer: boolean },
): Merge {
  if (base && incoming.version <= base.version) {
    return incoming.updatedAt > base.updatedAt ? { outcome: 'historyReset' } : { outcome: 'merged', base }
  }
  const isUnknownTombstone = incoming.record === null && !base?.record
  if (incoming.version <= pulledVersion && !isUnknownTombstone && !isOffer) return { outcome: 'historyReset' }
  return { outcome: 'merged', base: { ...confirmUpTo(incoming, pulledVersion), lastPulled: base?.lastPulled ?? base } }
}

/** True if a page that was requested from `since` is of another history by its tag (D7.35). */
export function hasOtherTag(page: Pick<ReceivedPull, 'since_tag'>, since: SyncPosition): boolean {
  return (page.since_tag ?? null) !== since.tag
}

/**
 * True if a pull that is complete and merged is of another history by its last version: a higher one was known before
 * (D7.38), or it passed the version of an unconfirmed base record without bringing it (D7.36).
 */
export function endsOtherHistory(
  lastVersion: number,
  knownVersion: number,
  unconfirmed: readonly BaseRecord[],
): boolean {
  return lastVersion < knownVersion || unconfirmed.some(({ version }) => version <= lastVersion)
}
