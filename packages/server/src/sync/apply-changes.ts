import {
  type Change,
  type Content,
  contentOf,
  type DurationMs,
  decideChange,
  type EpochMs,
  type InputError,
  instantOf,
  type JsonObject,
  type Random,
  type RecordState,
  type UserNumber,
} from '@saldo/core'
import { updateAccount } from '../account/recompute.ts'
import { allDates, dateSpan, fieldsOf, liveFieldsOf } from '../records.ts'
import { keyOf, type RecordToStore, type StoredRecord, type UserReader, type UserWriter } from '../store/store.ts'

/** The reason why a valid change cannot be stored. Pointers are into the record. */
export interface Rejection {
  code: 'invalid_record' | 'quota_exceeded'
  detail: string
  errors?: InputError[]
}

export interface WriteContext {
  user: UserNumber
  nowMs: EpochMs
  random: Random
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
  const statesByKey = new Map([...storedByKey].map(([key, record]) => [key, stateOf(record)]))
  const budget = await AdjustmentBudget.read(writer, changes)
  const isFull = (await writer.storedBytes()) >= context.quotaBytes

  const decided: (Exclude<ChangeResult['status'], 'rejected'> | Rejection)[] = []
  const toStore: RecordToStore[] = []
  for (const change of changes) {
    const key = keyOf(change)
    const before = statesByKey.get(key)
    const decision = decideChange(before, change, context.nowMs)
    if (decision.outcome !== 'applied') {
      decided.push(decision.outcome)
      continue
    }
    const isDeletion = change.content === null && before?.content != null
    const rejection =
      isFull && !isDeletion ? beyondQuota : budget.hasRoomFor(change, before) ? undefined : beyondBalance
    decided.push(rejection ?? 'applied')
    if (rejection) continue
    budget.count(change, before)
    statesByKey.set(key, decision)
    toStore.push(buildRecord(change, decision, storedByKey.get(key), context.nowMs))
  }

  const applied = await writer.put(toStore)
  const appliedByKey = byKey(applied)
  const replaced = [...appliedByKey].map(([key, after]) => ({ before: storedByKey.get(key), after }))
  await updateAccount(writer, replaced, context)

  const results: ChangeResult[] = []
  let appliedCount = 0
  for (const [index, status] of decided.entries()) {
    const key = keyOf(changes[index] as Change)
    if (typeof status === 'object') {
      results.push({ status: 'rejected', rejection: status })
    } else if (status === 'applied') {
      results.push({ status, record: applied[appliedCount] as StoredRecord })
      appliedCount += 1
    } else {
      results.push({ status, record: (appliedByKey.get(key) ?? storedByKey.get(key)) as StoredRecord })
    }
  }
  return results
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
  const fields: JsonObject = content ? { id, ...content, ...times } : { id, ...times, deleted_at: now }
  return { kind, id, updatedAt, deleted: content === null, fields, claims }
}

/** The limit of all adjustments of a user, added up without their signs: 2^52 ms keep every balance exact (D2.22). */
const MAX_ADJUSTMENTS_MS = 2 ** 52

const beyondBalance: Rejection = {
  code: 'invalid_record',
  detail: 'The record is not valid.',
  errors: [{ pointer: '/delta_ms', detail: 'must keep the sum of all adjustments, signs aside, within 2^52 ms' }],
}

const beyondQuota: Rejection = {
  code: 'quota_exceeded',
  detail: 'Your storage is full. Delete records, then try again.',
}

/** Holds the adjustments of a user within `MAX_ADJUSTMENTS_MS` while changes are applied. */
class AdjustmentBudget {
  #sumMs: DurationMs

  private constructor(sumMs: DurationMs) {
    this.#sumMs = sumMs
  }

  static async read(reader: UserReader, changes: readonly Change[]): Promise<AdjustmentBudget> {
    if (!changes.some(({ kind }) => kind === 'balance_adjustments')) return new AdjustmentBudget(0)
    return new AdjustmentBudget((await reader.sumDeltas('balance_adjustments', dateSpan(allDates))).absolute)
  }

  /** True if a change keeps the sum within the limit, or does not raise it. */
  hasRoomFor(change: Change, before: RecordState | undefined): boolean {
    const sumMs = this.#sumAfter(change, before)
    return sumMs <= Math.max(this.#sumMs, MAX_ADJUSTMENTS_MS)
  }

  count(change: Change, before: RecordState | undefined): void {
    this.#sumMs = this.#sumAfter(change, before)
  }

  #sumAfter({ kind, content }: Change, before: RecordState | undefined): DurationMs {
    return kind === 'balance_adjustments' ? this.#sumMs - sizeOf(before?.content) + sizeOf(content) : this.#sumMs
  }
}

function sizeOf(content: JsonObject | null | undefined): DurationMs {
  return content ? Math.abs((content as Content<'balance_adjustments'>).delta_ms) : 0
}
