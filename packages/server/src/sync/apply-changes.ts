import {
  type Change,
  contentOf,
  decideChange,
  type EpochMs,
  instantOf,
  type JsonObject,
  type RecordState,
} from '@saldo/core'
import type { AccountContext } from '../account/context.ts'
import { updateAccount } from '../account/update-account.ts'
import { keyOf, type RecordToStore, type StoredRecord, type UserWriter } from '../store/store.ts'
import { fieldsOf, liveFieldsOf } from '../store/stored-records.ts'
import { RecordLimits, type Rejection } from './limits.ts'

export interface WriteContext extends AccountContext {
  /** The stored bytes from which on the user can only delete. */
  quotaBytes: number
}

/** The outcome of a change, with the record that is stored after all changes of its transaction. */
export type ChangeResult =
  | { status: 'applied' | 'unchanged' | 'superseded'; record: StoredRecord }
  | { status: 'rejected'; rejection: Rejection }

/**
 * Applies changes in their order by the conflict rule (R3.8, D6.9, D6.10), each under a version of its own, and
 * updates the account once, after the last (D3.29). Returns their results in the same order. That of an applied change
 * holds the record as this change left it, that of another one the record as all changes left it.
 */
export async function applyChanges(
  writer: UserWriter,
  changes: readonly Change[],
  context: WriteContext,
): Promise<ChangeResult[]> {
  const storedByKey = byKey(await writer.find(changes))
  const { verdicts, toStore } = await decideChanges(writer, changes, storedByKey, context)
  const applied = await writer.put(toStore)
  const appliedByKey = byKey(applied)
  const replaced = [...appliedByKey].map(([key, after]) => ({ before: storedByKey.get(key), after }))
  await updateAccount(writer, replaced, context)

  return verdicts.map((verdict): ChangeResult => {
    switch (verdict.status) {
      case 'rejected':
        return verdict
      case 'applied':
        return { status: verdict.status, record: applied[verdict.index] as StoredRecord }
      default: {
        const record = appliedByKey.get(verdict.key) ?? storedByKey.get(verdict.key)
        return { status: verdict.status, record: record as StoredRecord }
      }
    }
  })
}

/** The decision about a change. */
type Verdict =
  /** `index` is the place of its record among those to store. */
  | { status: 'applied'; index: number }
  | { status: 'unchanged' | 'superseded'; key: string }
  | { status: 'rejected'; rejection: Rejection }

/** Decides changes one after another, each on what those before it leave, and builds the records of applied ones. */
async function decideChanges(
  writer: UserWriter,
  changes: readonly Change[],
  storedByKey: ReadonlyMap<string, StoredRecord>,
  context: WriteContext,
): Promise<{ verdicts: Verdict[]; toStore: RecordToStore[] }> {
  const statesByKey = new Map([...storedByKey].map(([key, record]) => [key, stateOf(record)]))
  const limits = await RecordLimits.read(writer, changes)
  const isFull = (await writer.storedBytes()) >= context.quotaBytes
  const toStore: RecordToStore[] = []
  const verdicts = changes.map((change): Verdict => {
    const key = keyOf(change)
    const before = statesByKey.get(key)
    const decision = decideChange(before, change, context.nowMs)
    if (decision.outcome !== 'applied') return { status: decision.outcome, key }
    const isDeletion = change.content === null && before?.content != null
    const rejection = isFull && !isDeletion ? beyondQuota : limits.count(change, before)
    if (rejection) return { status: 'rejected', rejection }
    statesByKey.set(key, decision)
    toStore.push(buildRecord(change, decision, storedByKey.get(key), context.nowMs))
    return { status: 'applied', index: toStore.length - 1 }
  })
  return { verdicts, toStore }
}

/** Of several records of one key, the map holds the last. */
function byKey(records: readonly StoredRecord[]): Map<string, StoredRecord> {
  return new Map(records.map((record) => [keyOf(record), record]))
}

function stateOf(record: StoredRecord): RecordState {
  const fields = liveFieldsOf(record)
  return { updatedAt: record.updatedAt, content: fields && contentOf(fields), claims: record.claims }
}

/** Builds the record that an applied change stores. It keeps `created_at`, also through deletion and revival (D2.2). */
function buildRecord(
  { kind, id }: Change,
  { updatedAt, content, claims }: RecordState,
  stored: StoredRecord | undefined,
  nowMs: EpochMs,
): RecordToStore {
  const now = instantOf(nowMs)
  const times = { created_at: (stored && fieldsOf(stored).created_at) ?? now, updated_at: updatedAt }
  const fields: JsonObject = { id, ...content, ...times }
  return { kind, id, updatedAt, deleted: content === null, fields, claims }
}

const beyondQuota: Rejection = {
  code: 'quota_exceeded',
  detail: 'Your storage is full. Delete records, then try again.',
}
