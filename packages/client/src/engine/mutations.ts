import {
  check,
  contentOf,
  type Draft,
  type EpochMs,
  type InputError,
  type JsonObject,
  jsonEqual,
  matches,
  type Problem,
  parseContent,
  RecordStamp,
  Uuid,
  type WritableKind,
} from '@saldo/core'
import type { Reply, Request } from '../host/transport.ts'
import { show } from '../queries/shown-records.ts'
import { recordKey, type Tables } from '../store/store.ts'
import type { Held } from './base-record.ts'
import { type Edit, editTime, type Pending, queue, release, send } from './outbox.ts'
import type { Answer, Settlement } from './settle.ts'
import { heldFromWrite, type Named } from './sync.ts'

/** The change is not valid, and was not made. */
export class InvalidRecordError extends Error {
  readonly errors: readonly InputError[]

  constructor(errors: readonly InputError[]) {
    super(errors.map(({ pointer, detail }) => `${pointer} ${detail}`.trim()).join('; '))
    this.name = 'InvalidRecordError'
    this.errors = errors
  }
}

/** The service refused the change, and it was undone here. */
export class RefusedError extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail)
    this.name = 'RefusedError'
    this.problem = problem
  }
}

/** What a user wants a record to be; null content deletes it. */
export type Wanted = Pick<Edit, 'kind' | 'id' | 'content'>

/** Throws `InvalidRecordError`. */
export function wantedOf(kind: WritableKind, id: string, content: unknown): Wanted {
  const named = check(Uuid, id, '/id')
  if (!named.ok) throw new InvalidRecordError(named.errors)
  const checked = parseContent(kind, asItTravels(content))
  if (!checked.ok) throw new InvalidRecordError(checked.errors)
  return { kind, id, content: checked.value as JsonObject }
}

/** A value as JSON brings it to the service: without what is undefined, dates as text. A number that JSON cannot say is none. */
function asItTravels(value: unknown): unknown {
  if (value === undefined) return undefined
  const sayable = (_key: string, one: unknown) => (typeof one === 'number' && !Number.isFinite(one) ? String(one) : one)
  return JSON.parse(JSON.stringify(value, sayable))
}

/** A record as it is shown, with some fields replaced. Throws `InvalidRecordError`, and a `RangeError` where there is none. */
export async function wantedUpdate<K extends WritableKind>(
  tables: Tables,
  kind: K,
  id: string,
  patch: Partial<Draft<K>>,
): Promise<Wanted> {
  const key = recordKey({ kind, id })
  const shown = show(await tables.held.get(key), await tables.outbox.get(key))
  if (!shown) throw new RangeError(`there is no record ${id}`)
  return wantedOf(kind, id, { ...shown.record, ...patch })
}

/** An edit that was written down. */
export interface Recorded {
  device: string
  /** The row as it waits or leaves; `undefined` where nothing is to be said. */
  row: Pending | undefined
  /** The row that a request of its own carries (R5.1); `undefined` where it is pushed with others, or there is none. */
  direct: Pending | undefined
}

/** Writes an edit into the outbox, before any request leaves with it. */
export async function recordEdit(tables: Tables, wanted: Wanted, tab: string, nowMs: EpochMs): Promise<Recorded> {
  const key = recordKey(wanted)
  const [held, before, othersWait, meta] = await Promise.all([
    tables.held.get(key),
    tables.outbox.get(key),
    tables.outbox.hasFree(),
    tables.meta(),
  ])
  const seq = meta.seq + 1
  const updatedAt = editTime(later(held, before), { nowMs, offsetMs: meta.offsetMs })
  const row = queue(before, { ...wanted, updatedAt, seq }, held !== undefined, nowMs)
  await tables.setMeta({ ...meta, seq })
  const direct = row && !before && !othersWait ? send(row, tab) : undefined
  if (row) await tables.outbox.put([direct ?? row])
  else await tables.outbox.delete([key])
  return { device: meta.device, row, direct }
}

/** The later of what is edited: what is pending, or else what the service has. */
function later(held: Held | undefined, pending: Pending | undefined): { updatedAt: string } | undefined {
  if (!held || !pending) return pending ?? held
  return held.updatedAt > pending.updatedAt ? held : pending
}

const paths: Record<WritableKind, string> = {
  entries: '/api/entries',
  settings_history: '/api/settings',
  balance_adjustments: '/api/balance/adjustments',
}

/** The request that carries an edit alone (D6). */
export function directRequest({ kind, id, content, updatedAt, seq }: Edit, device: string): Request {
  const query = new URLSearchParams({ updated_at: updatedAt, device, seq: String(seq) })
  const path = `${paths[kind]}/${id}?${query}`
  return content === null ? { method: 'DELETE', path } : { method: 'PUT', path, body: content }
}

/** What the reply to such a request says of the edit; `undefined` where it says nothing. */
export function directAnswer(edit: Edit, reply: Reply): Answer | undefined {
  if (reply.outcome === 'answered') {
    if (edit.content === null && reply.status === 204) return gone(edit, reply.headers)
    return matches(RecordStamp, reply.body) && reply.body.id === edit.id
      ? standing(edit, reply.body as JsonObject & Named)
      : undefined
  }
  if (reply.outcome !== 'refused') return undefined
  return reply.status === 404 ? gone(edit, reply.headers) : { status: 'rejected', problem: reply.problem }
}

/** The record is deleted, as the edit or another change wanted it. */
function gone({ kind, id, content }: Edit, headers: Headers): Answer | undefined {
  const named = {
    id,
    version: Number(headers.get('saldo-version') ?? Number.NaN),
    updated_at: headers.get('saldo-updated-at'),
  }
  if (!matches(RecordStamp, named)) return undefined
  const stands = heldFromWrite(kind, named, null)
  return { status: content === null ? 'stored' : 'superseded', stands }
}

function standing({ kind, content }: Edit, record: JsonObject & Named): Answer {
  const stands = heldFromWrite(kind, record, record)
  return { status: content !== null && jsonEqual(contentOf(record), content) ? 'stored' : 'superseded', stands }
}

/** Takes a refused edit back, unless another was made on it meanwhile. */
export async function undo(tables: Tables, sent: Pending): Promise<Settlement> {
  const row = await tables.outbox.get(recordKey(sent))
  if (row?.attempts !== sent.attempts) return { counts: false, pending: row }
  if (row.updatedAt === sent.updatedAt) {
    await tables.outbox.delete([recordKey(sent)])
    return { counts: true, pending: undefined }
  }
  await tables.outbox.put([release(row)])
  return { counts: true, pending: row }
}
