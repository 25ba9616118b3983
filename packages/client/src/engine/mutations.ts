import {
  check,
  contentOf,
  type Draft,
  type EpochMs,
  type InputError,
  type Instant,
  type JsonObject,
  jsonEqual,
  matches,
  type Problem,
  parseContent,
  type RecordId,
  RecordStamp,
  Uuid,
  type WritableKind,
} from '@saldo/core'
import type { Reply, Request } from '../host/transport.ts'
import { showRecord } from '../queries/shown-records.ts'
import { type BaseRecord, type OutboxRow, type QueuedChange, recordKey } from '../store/rows.ts'
import type { Tables } from '../store/store.ts'
import { toUnconfirmed } from './exchange.ts'
import { changeTime, enqueue, stopSending } from './outbox.ts'
import type { ReceivedRecord } from './responses.ts'
import type { ChangeOutcome, Settlement } from './settle.ts'

/** A mutation is not valid and was not made. */
export class InvalidRecordError extends Error {
  readonly errors: readonly InputError[]

  constructor(errors: readonly InputError[]) {
    super(errors.map(({ pointer, detail }) => `${pointer} ${detail}`.trim()).join('; '))
    this.name = 'InvalidRecordError'
    this.errors = errors
  }
}

/** The service rejected a request. A mutation that it rejected is undone on this device. */
export class RejectedError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail)
    this.name = 'RejectedError'
    this.problem = problem
  }
}

/** A create, update or delete as the user asked for it; null content deletes. */
export type Mutation = Pick<QueuedChange, 'kind' | 'id' | 'content'>

/** Checks content. Throws `InvalidRecordError`. */
export function toMutation(kind: WritableKind, id: RecordId, content: unknown): Mutation {
  const checkedId = check(Uuid, id, '/id')
  if (!checkedId.ok) throw new InvalidRecordError(checkedId.errors)
  const checkedContent = parseContent(kind, asJson(content))
  if (!checkedContent.ok) throw new InvalidRecordError(checkedContent.errors)
  return { kind, id, content: checkedContent.value as JsonObject }
}

/** Returns a value as JSON carries it. Throws `InvalidRecordError` for a number that JSON cannot write. */
function asJson(value: unknown): unknown {
  if (value === undefined) return undefined
  requireFinite(value, '')
  return JSON.parse(JSON.stringify(value))
}

function requireFinite(value: unknown, pointer: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new InvalidRecordError([{ pointer, detail: 'is not a finite number' }])
  }
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) requireFinite(part, `${pointer}/${name}`)
}

/**
 * Replaces fields of a record as it is shown. Throws `InvalidRecordError`, and a `RangeError` if there is no such
 * record.
 */
export async function toUpdate<K extends WritableKind>(
  tables: Tables,
  kind: K,
  id: RecordId,
  patch: Partial<Draft<K>>,
): Promise<Mutation> {
  const key = recordKey({ kind, id })
  const shown = showRecord(await tables.baseRecords.get(key), await tables.outbox.get(key))
  if (!shown) throw new RangeError(`there is no record ${id}`)
  return toMutation(kind, id, { ...shown.record, ...patch })
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
export async function queueMutation(tables: Tables, mutation: Mutation, nowMs: EpochMs): Promise<QueuedMutation> {
  const key = recordKey(mutation)
  const base = await tables.baseRecords.get(key)
  const before = await tables.outbox.get(key)
  const othersWait = await tables.outbox.hasFree()
  const meta = await tables.meta()
  const seq = meta.seq + 1
  const updatedAt = changeTime(later(base, before), { nowMs, offsetMs: meta.offsetMs })
  const row = enqueue(before, { ...mutation, updatedAt, seq }, base !== undefined, nowMs)
  await tables.setMeta({ ...meta, seq })
  if (row) await tables.outbox.put([row])
  else await tables.outbox.delete([key])
  return { device: meta.device, row, isAlone: !before && !othersWait }
}

function later(base: BaseRecord | undefined, row: OutboxRow | undefined): { updatedAt: Instant } | undefined {
  if (!base || !row) return row ?? base
  return base.updatedAt > row.updatedAt ? base : row
}

const paths: Record<WritableKind, string> = {
  entries: '/api/entries',
  settings_history: '/api/settings',
  balance_adjustments: '/api/balance/adjustments',
}

/** Returns the request that carries one change alone (D6). */
export function directRequest({ kind, id, content, updatedAt, seq }: QueuedChange, device: string): Request {
  const query = new URLSearchParams({ updated_at: updatedAt, device, seq: String(seq) })
  const path = `${paths[kind]}/${id}?${query}`
  return content === null ? { method: 'DELETE', path } : { method: 'PUT', path, body: content }
}

/** Returns the outcome of a change that the reply to its direct request tells; `undefined` if it tells none. */
export function readDirectReply(change: QueuedChange, reply: Reply): ChangeOutcome | undefined {
  if (reply.outcome === 'answered') {
    if (change.content === null && reply.status === 204) return deletedOutcome(change, reply.headers)
    return matches(RecordStamp, reply.body) && reply.body.id === change.id
      ? storedOutcome(change, reply.body as ReceivedRecord)
      : undefined
  }
  if (reply.outcome !== 'rejected') return undefined
  return reply.status === 404 ? deletedOutcome(change, reply.headers) : { status: 'rejected', problem: reply.problem }
}

/** The record is deleted, by this change or by another. */
function deletedOutcome({ kind, id, content }: QueuedChange, headers: Headers): ChangeOutcome | undefined {
  const tombstone: unknown = {
    id,
    version: Number(headers.get('saldo-version') ?? Number.NaN),
    updated_at: headers.get('saldo-updated-at'),
  }
  if (!matches(RecordStamp, tombstone)) return undefined
  const current = toUnconfirmed(kind, tombstone as ReceivedRecord, null)
  return { status: content === null ? 'stored' : 'superseded', current }
}

function storedOutcome({ kind, content }: QueuedChange, stored: ReceivedRecord): ChangeOutcome {
  const record = stored as unknown as JsonObject
  const isOwn = content !== null && jsonEqual(contentOf(record), content)
  return { status: isOwn ? 'stored' : 'superseded', current: toUnconfirmed(kind, stored, record) }
}

/** Takes a rejected change back, unless the record was changed again meanwhile. */
export async function undoChange(tables: Tables, sent: OutboxRow): Promise<Settlement> {
  const row = await tables.outbox.get(recordKey(sent))
  if (row?.generation !== sent.generation) return { effect: 'ignored', row }
  if (row.updatedAt === sent.updatedAt) {
    await tables.outbox.delete([recordKey(sent)])
    return { effect: 'settled', row: undefined }
  }
  const waiting = stopSending(row)
  await tables.outbox.put([waiting])
  return { effect: 'settled', row: waiting }
}
