import {
  contentOf,
  type IsoWeek,
  isWritableKind,
  type LocalDate,
  limits,
  type ReceivedPushResult,
  type SyncPosition,
  weekOf,
} from '@saldo/core'
import { unreachable } from '../host/transport.ts'
import {
  type BaseRecord,
  changeKey,
  isSamePosition,
  type LostClosings,
  type QueuedChange,
  type RejectedChange,
  recordKey,
} from '../store/rows.ts'
import type { Tables } from '../store/store.ts'
import { confirmUpTo, findHistoryReset, mergePulled, noteHistoryReset, putBaseRecords } from './base-record.ts'
import { firstBatch } from './batch.ts'
import { invalidateRequests } from './outbox.ts'
import { baseRecordsIn, pageEndOf, requestPage } from './pull.ts'
import { MAX_PUSH_BYTES, pushBytesOf, toChangeOutcome, toPushChange } from './push.ts'
import { parsePushResponse } from './responses.ts'
import type { Failure, SyncContext } from './sync-context.ts'

/** The records of the service at a position. */
interface Snapshot {
  position: SyncPosition
  recordsByKey: Map<string, BaseRecord>
  /** The keys of the changes that the service was offered: each once, whatever its clock made of it. */
  offeredKeys: Set<string>
  rejected: RejectedChange[]
}

export type ColdStartOutcome =
  | { outcome: 'coldStarted' }
  /** The history was reset meanwhile: start again. */
  | { outcome: 'historyReset' }
  | Failure

/**
 * Starts again from a snapshot (R5.6, D7.29 to D7.33). Offers the service the records that this device still has and
 * the snapshot lacks, until it lacks nothing. Then one transaction replaces all base records by the snapshot and
 * keeps tombstones, unsent changes, rejected changes and conflicts. A crash leaves the old state or the new one.
 */
export async function coldStart(context: SyncContext): Promise<ColdStartOutcome> {
  const before = await context.store.read((tables) => tables.meta())
  const fetched = await fetchSnapshot(context)
  if (fetched.outcome !== 'snapshot') return fetched
  const { snapshot } = fetched
  const caughtUp = await catchUp(context, snapshot, before.isHistoryReset ? 0 : before.knownVersion)
  if (caughtUp.outcome === 'historyReset') await context.store.write(noteHistoryReset)
  if (caughtUp.outcome !== 'caughtUp') return caughtUp
  for (;;) {
    // A direct write may have finished since the last round, so the transaction that replaces looks for offers too.
    const { device, offers } = await context.store.write(async (tables) => {
      const { device, position, isHistoryReset = false } = await tables.meta()
      // Another tab took over and is further on.
      if (!isSamePosition(position, before.position)) return { device, offers: [] }
      const offers = await findOffers(tables, snapshot, isHistoryReset)
      if (offers.length === 0) await replaceAll(tables, snapshot, isHistoryReset)
      return { device, offers }
    })
    if (offers.length === 0) return { outcome: 'coldStarted' }
    const offered = await pushOffers(context, snapshot, device, offers)
    if (offered.outcome !== 'offered') return offered
  }
}

async function fetchSnapshot(context: SyncContext): Promise<{ outcome: 'snapshot'; snapshot: Snapshot } | Failure> {
  const recordsByKey = new Map<string, BaseRecord>()
  for (let cursor = ''; ; ) {
    const cursorQuery = cursor && `&cursor=${encodeURIComponent(cursor)}`
    const reply = await requestPage(context, `limit=${limits.pull_max}${cursorQuery}`)
    if (reply.outcome !== 'page') return reply
    const { page } = reply
    const { version, tag } = page
    const sizeBefore = recordsByKey.size
    for (const row of baseRecordsIn(page)) recordsByKey.set(recordKey(row), row)
    if (!page.cursor) {
      const snapshot = { position: { version, tag }, recordsByKey, offeredKeys: new Set<string>(), rejected: [] }
      return { outcome: 'snapshot', snapshot }
    }
    // Each page has to bring other records, or the snapshot would never end.
    if (recordsByKey.size === sizeBefore) return unreachable
    cursor = page.cursor
  }
}

/** Pulls what changed while the pages of the snapshot were fetched: they contain it only in part. */
async function catchUp(
  context: SyncContext,
  snapshot: Snapshot,
  knownVersion: number,
): Promise<{ outcome: 'caughtUp' } | { outcome: 'historyReset' } | Failure> {
  for (;;) {
    const { position, recordsByKey } = snapshot
    const reply = await requestPage(context, `since=${position.version}`, position.version)
    if (reply.outcome !== 'page') return reply
    const { page } = reply
    for (const row of baseRecordsIn(page)) {
      const merge = mergePulled(recordsByKey.get(recordKey(row)), row)
      if (merge.outcome === 'historyReset') return { outcome: 'historyReset' }
      recordsByKey.set(recordKey(row), merge.base)
    }
    const unconfirmed = [...recordsByKey.values()].filter((row) => row.unconfirmed)
    if (findHistoryReset(pageEndOf(page), position, knownVersion, unconfirmed)) return { outcome: 'historyReset' }
    snapshot.position = { version: page.version, tag: page.tag }
    if (!page.has_more) return { outcome: 'caughtUp' }
  }
}

/**
 * Returns the base records that the snapshot lacks or has in an earlier state, as changes with their own times. They
 * get the number of a new change, so that no claim of this device stands against them (D7.33).
 */
async function findOffers(tables: Tables, snapshot: Snapshot, isHistoryReset: boolean): Promise<QueuedChange[]> {
  const meta = await tables.meta()
  const seq = meta.seq + 1
  const offers = (await tables.baseRecords.all())
    .flatMap((row) => toOffer(row, snapshot.recordsByKey.get(recordKey(row)), seq, isHistoryReset) ?? [])
    .filter((change) => !snapshot.offeredKeys.has(changeKey(change)))
  if (offers.length > 0) await tables.setMeta({ ...meta, seq })
  return offers
}

/**
 * Returns the offer of a base record, if the service needs it. A snapshot has no tombstones: those that a pull
 * confirmed are offered only after a history reset.
 */
function toOffer(
  { kind, id, updatedAt, record, unconfirmed }: BaseRecord,
  there: BaseRecord | undefined,
  seq: number,
  isHistoryReset: boolean,
): QueuedChange | undefined {
  if (!isWritableKind(kind)) return undefined
  const isNeeded = there ? there.updatedAt < updatedAt : record !== null || unconfirmed || isHistoryReset
  return isNeeded ? { kind, id, content: record && contentOf(record), updatedAt, seq } : undefined
}

/** Pushes offers and puts the records that the service has then into the snapshot. */
async function pushOffers(
  { transport }: SyncContext,
  { recordsByKey, offeredKeys, rejected }: Snapshot,
  device: string,
  offers: readonly QueuedChange[],
): Promise<{ outcome: 'offered' } | Failure> {
  for (let left = offers; left.length > 0; ) {
    const batch = firstBatch(left, pushBytesOf, limits.push_changes, MAX_PUSH_BYTES)
    const body = { device, changes: batch.map(toPushChange) }
    const reply = await transport({ method: 'POST', path: '/api/sync/push', body })
    if (reply.outcome !== 'answered') return reply
    const pushed = parsePushResponse(reply.body, batch)
    if (!pushed) return unreachable
    for (const [index, change] of batch.entries()) {
      offeredKeys.add(changeKey(change))
      const outcome = toChangeOutcome(change, pushed.results[index] as ReceivedPushResult)
      if (outcome.outcome === 'rejected') {
        rejected.push({ change, problem: outcome.problem, rejectedAtMs: Date.parse(pushed.server_time) })
      } else if (outcome.outcome !== 'skipped') recordsByKey.set(recordKey(change), outcome.current)
    }
    left = left.slice(batch.length)
  }
  return { outcome: 'offered' }
}

async function replaceAll(tables: Tables, snapshot: Snapshot, isHistoryReset: boolean): Promise<void> {
  const { recordsByKey, position } = snapshot
  const meta = await tables.meta()
  const before = await tables.baseRecords.all()
  const outbox = await tables.outbox.all()
  const rejectedChanges = await tables.rejectedChanges.all()
  const conflicts = await tables.conflicts.all()
  const records = [...recordsByKey.values()].map((row) => confirmUpTo(row, position.version))
  // A snapshot has no tombstones. Their versions may be of another history; only their times still count.
  const tombstones = before
    .filter((row) => row.record === null && isWritableKind(row.kind) && !recordsByKey.has(recordKey(row)))
    .map((row) => confirmUpTo({ ...row, version: Math.min(row.version, position.version) }, position.version))
  await tables.wipe()
  await putBaseRecords(tables.baseRecords, [...records, ...tombstones])
  // Requests under way may have reached another history.
  await tables.outbox.put(outbox.map((row) => (row.sender === null ? row : invalidateRequests(row))))
  await tables.rejectedChanges.put([...rejectedChanges, ...snapshot.rejected])
  await tables.conflicts.put(conflicts)
  const knownVersion = records.reduce((highest, { version }) => Math.max(highest, version), position.version)
  const lostClosings = isHistoryReset ? findLostClosings(meta.lostClosings, before, recordsByKey) : meta.lostClosings
  await tables.setMeta({ ...meta, position, knownVersion, lostClosings, isHistoryReset: false, comparedAtMs: null })
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
