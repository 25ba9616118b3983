import { type ContentInput, check, jsonOf, parseContent, type RecordId, Uuid, type WritableKind } from '@saldo/core'
import { type QueuedChange, recordKey } from '../store/rows.ts'
import type { Tables } from '../store/store.ts'
import { InvalidRecordError, MissingRecordError } from './errors.ts'
import { showRecord } from './shown-record.ts'

/** A mutation in canonical form; null content deletes. */
export type CheckedMutation = Pick<QueuedChange, 'kind' | 'id' | 'content'>

/** Returns the mutation that puts content, in canonical form. Throws `InvalidRecordError`. */
export function toMutation(kind: WritableKind, id: RecordId, content: unknown): CheckedMutation {
  const checkedId = check(Uuid, id, '/id')
  if (!checkedId.ok) throw new InvalidRecordError(checkedId.errors)
  const checkedContent = parseContent(kind, asJson(content))
  if (!checkedContent.ok) throw new InvalidRecordError(checkedContent.errors)
  return { kind, id, content: jsonOf(checkedContent.value) }
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

/** A mutation as a program asks for it: a put, a delete (null content), or a patch of a shown record's fields. */
export type Mutation<K extends WritableKind> =
  | { id: RecordId; content: ContentInput<K> | null }
  | { id: RecordId; patch: Partial<ContentInput<K>> }

/** Returns the mutation that replaces fields of a record. Throws `InvalidRecordError` and `MissingRecordError`. */
export async function toUpdate<K extends WritableKind>(
  tables: Tables,
  kind: K,
  id: RecordId,
  patch: Partial<ContentInput<K>>,
): Promise<CheckedMutation> {
  const [mutation] = await toMutations(tables, kind, [{ id, patch }])
  if (!mutation) throw new MissingRecordError(id)
  return mutation
}

/** Returns mutations in canonical form, without patches of records that are gone. Throws `InvalidRecordError`. */
export async function toMutations<K extends WritableKind>(
  tables: Tables,
  kind: K,
  mutations: readonly Mutation<K>[],
): Promise<CheckedMutation[]> {
  const keys = mutations.filter((mutation) => 'patch' in mutation).map(({ id }) => recordKey({ kind, id }))
  const bases = await tables.baseRecords.getAll(keys)
  const rows = await tables.outbox.ofRecords(keys)
  const shownByKey = new Map(keys.map((key, index) => [key, showRecord(bases[index], rows[index])]))
  return mutations.flatMap((mutation) => {
    const { id } = mutation
    if ('content' in mutation) {
      return mutation.content === null ? { kind, id, content: null } : toMutation(kind, id, mutation.content)
    }
    const shown = shownByKey.get(recordKey({ kind, id }))
    return shown ? toMutation(kind, id, { ...shown.record, ...mutation.patch }) : []
  })
}
