import {
  contentOf,
  type EpochMs,
  type IsoWeek,
  isWritableKind,
  type LocalDate,
  type SyncPosition,
  weekOf,
} from '@saldo/core'
import { noReply } from '../host/transport.ts'
import {
  type BaseRecord,
  isSamePosition,
  type LostClosings,
  type Meta,
  type QueuedChange,
  recordKey,
} from '../store/rows.ts'
import type { Tables } from '../store/store.ts'
import { baseRecordsIn, confirmUpTo } from './base-record.ts'
import { addOffer, changeOf, isOffer, startGeneration } from './outbox.ts'
import { type FailedReply, requestSnapshotPage, type SyncContext } from './requests.ts'

/** The live records of the service: those of a position, and maybe later ones. */
interface Snapshot {
  position: SyncPosition
  recordsByKey: ReadonlyMap<string, BaseRecord>
}

export type ColdStartOutcome =
  | { outcome: 'coldStarted' }
  /** The history was reset meanwhile: start again. */
  | { outcome: 'historyReset' }
  | FailedReply

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
    // `knownVersion` is that of before the request: a direct write may make a version that the snapshot does not reach.
    const { snapshot } = fetched
    const isReset = meta.isHistoryReset === true || (await isOfOtherHistory(tables, before, snapshot))
    await replaceAll(tables, snapshot, isReset, now())
    return { outcome: 'coldStarted' }
  })
}

async function fetchSnapshot(context: SyncContext): Promise<{ outcome: 'snapshot'; snapshot: Snapshot } | FailedReply> {
  const recordsByKey = new Map<string, BaseRecord>()
  for (let cursor: string | undefined; ; ) {
    const reply = await requestSnapshotPage(context, cursor)
    if (reply.outcome !== 'page') return reply
    const { page } = reply
    const { version, tag } = page
    const sizeBefore = recordsByKey.size
    for (const row of baseRecordsIn(page)) recordsByKey.set(recordKey(row), row)
    if (!page.cursor) return { outcome: 'snapshot', snapshot: { position: { version, tag }, recordsByKey } }
    // Each page has to bring other records, or the snapshot would never end.
    if (recordsByKey.size === sizeBefore) return noReply
    cursor = page.cursor
  }
}

async function replaceAll(
  tables: Tables,
  { position, recordsByKey }: Snapshot,
  isReset: boolean,
  nowMs: EpochMs,
): Promise<void> {
  const meta = await tables.meta()
  const before = await tables.baseRecords.all()
  const rejectedChanges = await tables.rejectedChanges.all()
  const conflicts = await tables.conflicts.all()
  // In-flight requests may have reached another history.
  const outbox = (await tables.outbox.all()).map((row) => (row.generation === 0 ? row : startGeneration(row)))
  const rowsByKey = new Map(outbox.map((row) => [recordKey(row), row]))
  let { seq } = meta
  // The result of a write may be newer than the snapshot; the next pull brings it.
  const isNewer = (row: BaseRecord) =>
    !isReset &&
    row.unconfirmed &&
    row.version > Math.max(position.version, recordsByKey.get(recordKey(row))?.version ?? 0)
  for (const base of before) {
    if (isNewer(base)) continue
    const key = recordKey(base)
    const offer = toOffer(base, recordsByKey.get(key), seq + 1, isReset)
    if (!offer) continue
    seq = offer.seq
    const row = rowsByKey.get(key)
    const isLost = row && !isOffer(row) && row.updatedAt < offer.updatedAt
    if (isLost) conflicts.push({ mine: changeOf(row), theirs: base, detectedAtMs: nowMs + meta.offsetMs })
    rowsByKey.set(key, addOffer(row, offer, nowMs))
  }
  // A snapshot has no tombstones. After a reset their versions are of another history; only their times still count.
  const tombstones = before
    .filter((row) => row.record === null && isWritableKind(row.kind) && !recordsByKey.has(recordKey(row)))
    .map((row) => confirmUpTo({ ...row, version: isReset ? 0 : row.version }, position.version))
  await tables.wipe()
  const records = [...recordsByKey.values(), ...tombstones, ...before.filter(isNewer)]
  await tables.baseRecords.put(records)
  await tables.outbox.put([...rowsByKey.values()])
  await tables.rejectedChanges.put(rejectedChanges)
  await tables.conflicts.put(conflicts)
  await tables.setMeta({
    ...meta,
    seq,
    position,
    knownVersion: records.reduce((highest, { version }) => Math.max(highest, version), position.version),
    lostClosings: isReset ? findLostClosings(meta.lostClosings, before, recordsByKey) : meta.lostClosings,
    isHistoryReset: false,
    comparedAtMs: null,
  })
}

/** True if a snapshot ends below a known version, or has another record at a version that pulls have passed. */
async function isOfOtherHistory(
  tables: Tables,
  { position, knownVersion }: Meta,
  snapshot: Snapshot,
): Promise<boolean> {
  if (!position) return false
  if (snapshot.position.version < knownVersion) return true
  const versionsByKey = new Map((await tables.baseRecords.all()).map((row) => [recordKey(row), row.version]))
  return [...snapshot.recordsByKey].some(([key, { version }]) => {
    const known = versionsByKey.get(key) ?? 0
    return version <= position.version && version !== known && known <= position.version
  })
}

/**
 * Returns the offer of a base record that the snapshot lacks or has in an earlier state: a change with the time of the
 * record, and with a new number, so that no claim of this device stands against it (D7.33). A snapshot has no
 * tombstones: those that a pull confirmed are offered only after a history reset.
 */
function toOffer(
  { kind, id, updatedAt, record, unconfirmed }: BaseRecord,
  inSnapshot: BaseRecord | undefined,
  seq: number,
  isReset: boolean,
): QueuedChange | undefined {
  if (!isWritableKind(kind)) return undefined
  const isNeeded = inSnapshot ? inSnapshot.updatedAt < updatedAt : record !== null || unconfirmed || isReset
  return isNeeded ? { kind, id, content: record && contentOf(record), updatedAt, seq } : undefined
}

/** Returns the closings that the service no longer has, together with those that were lost earlier. */
function findLostClosings(
  earlier: LostClosings,
  before: readonly BaseRecord[],
  recordsByKey: ReadonlyMap<string, BaseRecord>,
): LostClosings {
  const lost = before.filter((row) => row.record !== null && !recordsByKey.has(recordKey(row)))
  const lostWeeks = lost.filter(({ kind }) => kind === 'closed_weeks').map(({ record }) => record?.week as IsoWeek)
  const lostDays = lost.filter(({ kind }) => kind === 'closed_days').map(({ record }) => record?.date as LocalDate)
  const weeks = [...new Set([...earlier.weeks, ...lostWeeks])].sort()
  const days = [...new Set([...earlier.days, ...lostDays])].sort()
  return { weeks, days: days.filter((date) => !weeks.includes(weekOf(date))) }
}
