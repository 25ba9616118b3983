import { contentOf, type EpochMs, isDate, isWeek, isWritableKind, type SyncPosition, weekOf } from '@saldo/core'
import { noResponse } from '../host/transport.ts'
import {
  type BaseRecord,
  type Conflict,
  isSamePosition,
  type LostClosings,
  type Meta,
  type OutboxRow,
  recordKey,
} from '../store/rows.ts'
import type { Tables } from '../store/store.ts'
import { baseRecordsIn, confirmUpTo } from './base-record.ts'
import { changeOf, isOffer, offerRecord, startGeneration } from './outbox.ts'
import { type FailedResponse, requestSnapshotPage, type SyncContext } from './requests.ts'

/** The live records of the service: those of a position, and maybe later ones. */
interface Snapshot {
  position: SyncPosition
  recordsByKey: ReadonlyMap<string, BaseRecord>
}

/** A snapshot that is compared with the base records; `isReset` if it is of another history. */
interface ComparedSnapshot extends Snapshot {
  isReset: boolean
}

/** The outcome of a cold start. */
export type ColdStartOutcome =
  | { outcome: 'coldStarted' }
  /** The history was reset meanwhile: start again. */
  | { outcome: 'historyReset' }
  | FailedResponse

/**
 * Starts again from a snapshot (R5.6, D7.29 to D7.33). One transaction replaces all base records by the snapshot,
 * queues as offers what this device has and the snapshot lacks, and keeps tombstones, unsent changes, rejected changes
 * and conflicts. A crash leaves the old state or the new one.
 */
export async function coldStart(context: SyncContext): Promise<ColdStartOutcome> {
  const { store, now } = context
  const before = await store.read((tables) => tables.meta())
  const fetched = await fetchSnapshot(context)
  if (fetched.outcome !== 'snapshot') return fetched
  return store.write(async (tables): Promise<ColdStartOutcome> => {
    const meta = await tables.meta()
    // The snapshot may be older than a reset that was noticed meanwhile.
    if (meta.isHistoryReset && !before.isHistoryReset) return { outcome: 'historyReset' }
    // If another tab took over, it is further on.
    if (!isSamePosition(meta.position, before.position)) return { outcome: 'coldStarted' }
    const { snapshot } = fetched
    const baseRecords = await tables.baseRecords.all()
    // `knownVersion` is that of before the request: a direct write may make a version that the snapshot does not reach.
    const isReset = meta.isHistoryReset === true || isOfOtherHistory(before, baseRecords, snapshot)
    await replaceAll(tables, baseRecords, { ...snapshot, isReset }, now())
    return { outcome: 'coldStarted' }
  })
}

async function fetchSnapshot(
  context: SyncContext,
): Promise<{ outcome: 'snapshot'; snapshot: Snapshot } | FailedResponse> {
  const recordsByKey = new Map<string, BaseRecord>()
  for (let cursor: string | undefined; ; ) {
    const response = await requestSnapshotPage(context, cursor)
    if (response.outcome !== 'page') return response
    const { page } = response
    const { version, tag } = page
    const sizeBefore = recordsByKey.size
    for (const base of baseRecordsIn(page)) recordsByKey.set(recordKey(base), base)
    if (!page.cursor) return { outcome: 'snapshot', snapshot: { position: { version, tag }, recordsByKey } }
    // Each page has to bring other records, or the snapshot would never end.
    if (recordsByKey.size === sizeBefore) return noResponse
    cursor = page.cursor
  }
}

/** True if a snapshot ends below a known version, or has another record at a version that pulls have passed. */
function isOfOtherHistory(
  { position, knownVersion }: Meta,
  baseRecords: readonly BaseRecord[],
  snapshot: Snapshot,
): boolean {
  if (!position) return false
  if (snapshot.position.version < knownVersion) return true
  const versionsByKey = new Map(baseRecords.map((base) => [recordKey(base), base.version]))
  return [...snapshot.recordsByKey].some(([key, { version }]) => {
    const known = versionsByKey.get(key) ?? 0
    return version <= position.version && version !== known && known <= position.version
  })
}

/** Replaces the base records by a snapshot, and queues offers of those that the service lost. */
async function replaceAll(
  tables: Tables,
  before: readonly BaseRecord[],
  snapshot: ComparedSnapshot,
  nowMs: EpochMs,
): Promise<void> {
  const { position, recordsByKey, isReset } = snapshot
  const meta = await tables.meta()
  const rejectedChanges = await tables.rejectedChanges.all()
  const earlierConflicts = await tables.conflicts.all()
  const newer = before.filter((base) => isNewerThan(snapshot, base))
  const lost = before.filter((base) => isLost(snapshot, base))
  const { outbox, conflicts } = offerRecords(await tables.outbox.all(), lost, meta, nowMs)
  const records = [...recordsByKey.values(), ...keptTombstones(snapshot, before), ...newer]
  await tables.wipe()
  await tables.baseRecords.put(records)
  await tables.outbox.put(outbox)
  await tables.rejectedChanges.put(rejectedChanges)
  await tables.conflicts.put([...earlierConflicts, ...conflicts])
  await tables.setMeta({
    ...meta,
    seq: meta.seq + lost.length,
    position,
    knownVersion: records.reduce((highest, { version }) => Math.max(highest, version), position.version),
    lostClosings: isReset ? findLostClosings(meta.lostClosings, before, recordsByKey) : meta.lostClosings,
    isHistoryReset: false,
    comparedAtMs: null,
  })
}

/** True if a base record is the result of a write that is newer than the snapshot; the next pull brings it. */
function isNewerThan({ position, recordsByKey, isReset }: ComparedSnapshot, base: BaseRecord): boolean {
  const snapshotVersion = Math.max(position.version, recordsByKey.get(recordKey(base))?.version ?? 0)
  return !isReset && base.unconfirmed && base.version > snapshotVersion
}

/**
 * True if the snapshot lacks a base record or has it in an earlier state. A snapshot has no tombstones: those that a
 * pull confirmed are lost only after a history reset (D7.32).
 */
function isLost(snapshot: ComparedSnapshot, base: BaseRecord): boolean {
  if (!isWritableKind(base.kind) || isNewerThan(snapshot, base)) return false
  const current = snapshot.recordsByKey.get(recordKey(base))
  return current ? current.updatedAt < base.updatedAt : base.record !== null || base.unconfirmed || snapshot.isReset
}

/**
 * Returns the outbox with offers of lost records, and the conflicts with the changes that these overtake. An offer has
 * the time of the record, and a new number, so that no claim of this device stands against it (D7.33).
 */
function offerRecords(
  before: readonly OutboxRow[],
  lost: readonly BaseRecord[],
  meta: Meta,
  nowMs: EpochMs,
): { outbox: OutboxRow[]; conflicts: Conflict[] } {
  // In-flight requests may have reached another history.
  const outbox = before.map((row) => (row.generation === 0 ? row : startGeneration(row)))
  const rowsByKey = new Map(outbox.map((row) => [recordKey(row), row]))
  const conflicts = lost.flatMap((theirs, index) => {
    const { kind, id, record, readAs = record, updatedAt, isUnreadable } = theirs
    if (!isWritableKind(kind)) return []
    const content = readAs && contentOf(readAs)
    const seq = meta.seq + 1 + index
    const offer = { kind, id, content, updatedAt, seq, ...(isUnreadable && { isUnreadable }) }
    const mine = rowsByKey.get(recordKey(offer))
    rowsByKey.set(recordKey(offer), offerRecord(mine, offer, nowMs))
    const hasLost = mine && !isOffer(mine) && mine.updatedAt < updatedAt
    return hasLost ? { mine: changeOf(mine), theirs, detectedAtMs: nowMs + meta.offsetMs } : []
  })
  return { outbox: [...rowsByKey.values()], conflicts }
}

/**
 * Returns the tombstones that stay, since a snapshot has none. After a reset their versions are of another history;
 * only their times still count.
 */
function keptTombstones({ position, recordsByKey, isReset }: ComparedSnapshot, before: readonly BaseRecord[]) {
  return before
    .filter((base) => base.record === null && isWritableKind(base.kind) && !recordsByKey.has(recordKey(base)))
    .map((base) => confirmUpTo({ ...base, version: isReset ? 0 : base.version }, position.version))
}

/** Returns the closings that the service no longer has, together with those that were lost earlier. */
function findLostClosings(
  earlier: LostClosings,
  before: readonly BaseRecord[],
  recordsByKey: ReadonlyMap<string, BaseRecord>,
): LostClosings {
  const lost = before.filter((base) => base.record !== null && !recordsByKey.has(recordKey(base)))
  const lostWeeks = lost
    .filter(({ kind }) => kind === 'closed_weeks')
    .map(({ record }) => String(record?.week))
    .filter(isWeek)
  const lostDays = lost
    .filter(({ kind }) => kind === 'closed_days')
    .map(({ record }) => String(record?.date))
    .filter(isDate)
  const weeks = [...new Set([...earlier.weeks, ...lostWeeks])].sort()
  const days = [...new Set([...earlier.days, ...lostDays])].sort()
  return { weeks, days: days.filter((date) => !weeks.includes(weekOf(date))) }
}
