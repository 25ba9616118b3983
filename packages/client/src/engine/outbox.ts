import { type EpochMs, type Instant, nextUpdatedAt } from '@saldo/core'
import { type BaseRecord, type OutboxRow, type QueuedChange, recordKey } from '../store/rows.ts'
import type { Tables } from '../store/store.ts'
import type { CheckedMutation } from './mutation.ts'

/** Returns the `updated_at` of a change (D7.3): the service's time as far as known, and after the changed state. */
export function updatedAtOfChange(
  changed: { updatedAt: Instant } | undefined,
  { nowMs, offsetMs }: { nowMs: EpochMs; offsetMs: number },
): Instant {
  return nextUpdatedAt(changed, nowMs + offsetMs)
}

/**
 * Returns the outbox row of a record after a change. Returns `undefined` if nothing is left to send: the change
 * deletes a record that is on this device alone. `mayBeStored` says that the service may have the record.
 */
export function rowAfterChange(
  before: OutboxRow | undefined,
  change: QueuedChange,
  { mayBeStored, nowMs }: { mayBeStored: boolean; nowMs: EpochMs },
): OutboxRow | undefined {
  if (change.content === null && before && isOnlyHere(before) && !mayBeStored) return undefined
  return {
    ...changeOf(change),
    place: before?.place ?? change.seq,
    generation: before?.generation ?? 0,
    queuedAtMs: before?.queuedAtMs ?? nowMs,
    sender: before?.sender ?? null,
    ...(before?.offer && { offer: before.offer }),
  }
}

/**
 * Returns the outbox row of a record once it is offered to the service, which lost it (D7.29). A later unsent change of
 * the record stays, and the offer is sent if that is rejected. Offers go through the outbox and not by requests of
 * their own, so that they are halved, rejected and retried like any change.
 */
export function offerRecord(before: OutboxRow | undefined, offer: QueuedChange, nowMs: EpochMs): OutboxRow {
  // Each offer has a number of its own, so that no two rows have one queue position.
  if (!before) return { ...changeOf(offer), place: offer.seq, generation: 0, queuedAtMs: nowMs, sender: null, offer }
  const latestOffer = before.offer && before.offer.updatedAt > offer.updatedAt ? before.offer : offer
  const change = before.updatedAt < latestOffer.updatedAt ? latestOffer : before
  const { place, generation, queuedAtMs, sender } = before
  return { ...changeOf(change), place, generation, queuedAtMs, sender, offer: latestOffer }
}

/** True if the row carries a record that the service lost, and no later change of it. */
export function isOffer({ offer, updatedAt }: OutboxRow): boolean {
  return offer?.updatedAt === updatedAt
}

/**
 * True if no request has carried the record, and it is none that the service lost. Deleting one of those has to be
 * sent: another device may offer it too, and it would come back.
 */
function isOnlyHere({ generation, offer }: OutboxRow): boolean {
  return generation === 0 && !offer
}

/** Returns the change that a row carries, without the state of the row. */
export function changeOf({ kind, id, content, updatedAt, seq, isUnreadable }: QueuedChange): QueuedChange {
  return { kind, id, content, updatedAt, seq, ...(isUnreadable && { isUnreadable }) }
}

/**
 * Returns the row for another request: results of earlier ones no longer count (D7.17). While the tab `sender` lives,
 * no other tab sends the row.
 */
export function startGeneration(row: OutboxRow, sender: string | null = null): OutboxRow {
  return { ...row, generation: row.generation + 1, sender }
}

/** Returns the row when its request has ended: any tab may send it. */
export function clearSender(row: OutboxRow): OutboxRow {
  return { ...row, sender: null }
}

/** True if a living tab is sending the row. */
export function isBeingSent({ sender }: OutboxRow, livingTabs: ReadonlySet<string>): boolean {
  return sender !== null && livingTabs.has(sender)
}

/** A mutation that is in the outbox. */
export interface QueuedMutation {
  device: string
  /** Undefined if nothing has to be sent. */
  row: OutboxRow | undefined
  /** True if nothing else waits, so that the change can be sent by a request of its own (R5.1). */
  isAlone: boolean
}

/** Writes a mutation into the outbox, before any request carries it. */
export async function queueMutation(
  tables: Tables,
  mutation: CheckedMutation,
  nowMs: EpochMs,
): Promise<QueuedMutation> {
  const isAlone = (await tables.outbox.count()) === 0
  const { device, rows } = await queueMutations(tables, [mutation], nowMs)
  return { device, row: rows[0], isAlone }
}

/** Writes mutations of different records into the outbox. Returns the rows of those that have to be sent. */
export async function queueMutations(
  tables: Tables,
  mutations: readonly CheckedMutation[],
  nowMs: EpochMs,
): Promise<{ device: string; rows: OutboxRow[] }> {
  const meta = await tables.meta()
  const keys = mutations.map(recordKey)
  const bases = await tables.baseRecords.getAll(keys)
  const rowsBefore = await tables.outbox.ofRecords(keys)
  const rows: OutboxRow[] = []
  const deletedPositions: number[] = []
  for (const [index, mutation] of mutations.entries()) {
    const [base, before] = [bases[index], rowsBefore[index]]
    const updatedAt = updatedAtOfChange(latest(base, before), { nowMs, offsetMs: meta.offsetMs })
    const change = { ...mutation, updatedAt, seq: meta.seq + index + 1 }
    const row = rowAfterChange(before, change, { mayBeStored: base !== undefined, nowMs })
    if (row) rows.push(row)
    else if (before) deletedPositions.push(before.place)
  }
  await tables.setMeta({ ...meta, seq: meta.seq + mutations.length })
  await tables.outbox.put(rows)
  await tables.outbox.delete(deletedPositions)
  return { device: meta.device, rows }
}

function latest(base: BaseRecord | undefined, row: OutboxRow | undefined): { updatedAt: Instant } | undefined {
  if (!base || !row) return row ?? base
  return base.updatedAt > row.updatedAt ? base : row
}
