import { check, type Draft, type JsonObject, parseContent, type RecordId, Uuid, type WritableKind } from '@saldo/core'
import { type QueuedChange, recordKey } from '../store/rows.ts'
import type { Tables } from '../store/store.ts'
import { InvalidRecordError } from './errors.ts'
import { showRecord } from './shown-record.ts'

/** A create, update or delete as the user asked for it; null content deletes. */
export type Mutation = Pick<QueuedChange, 'kind' | 'id' | 'content'>

/** Returns the mutation that puts content, in canonical form. Throws `InvalidRecordError`. */
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

/** Returns the mutation that replaces fields of a shown record. Throws `InvalidRecordError` and `RangeError`. */
export async function toUpdate<K extends WritableKind>(
  tables: Tables,
  kind: K,
  id: RecordId,
  patch: Partial<Draft<K>>,
): Promise<Mutation> {
  const [mutation] = await toUpdates(tables, kind, [id], patch)
  if (!mutation) throw new RangeError(`there is no record ${id}`)
  return mutation
}

/** Does the same for many records, with the same fields, and leaves out those that are gone. */
export async function toUpdates<K extends WritableKind>(
  tables: Tables,
  kind: K,
  ids: readonly RecordId[],
  patch: Partial<Draft<K>>,
): Promise<Mutation[]> {
  const keys = ids.map((id) => recordKey({ kind, id }))
  const bases = await tables.baseRecords.getAll(keys)
  const rows = await tables.outbox.getAll(keys)
  return ids.flatMap((id, index) => {
    const shown = showRecord(bases[index], rows[index])
    return shown ? toMutation(kind, id, { ...shown.record, ...patch }) : []
  })
}
