import {
  type Change,
  type Content,
  contentOf,
  decideChange,
  type EpochMs,
  type InputError,
  instantOf,
  type JsonObject,
  type Random,
  type RecordState,
  type UserNumber,
} from '@saldo/core'
import { updateAccount } from '../account/update-account.ts'
import { fieldsOf, liveFieldsOf } from '../records/fields.ts'
import { allDates, dateSpan } from '../records/reading.ts'
import type { RecordKey, RecordToStore, StoredRecord, UserReader, UserWriter } from '../store/store.ts'

export interface WriteContext {
  user: UserNumber
  nowMs: EpochMs
  random: Random
}

/** The outcome of a change, with the record that is stored after all changes of its transaction. */
export type ChangeResult =
  | { status: 'applied' | 'unchanged' | 'superseded'; record: StoredRecord }
  /** Pointers are into the record. */
  | { status: 'rejected'; errors: InputError[] }

/**
 * Applies changes in their order by the conflict rule (R3.8, D6.9, D6.10), each under a version of its own, and
 * updates the account once, after the last (D3.29).
 */
export async function applyChanges(
  writer: UserWriter,
  changes: readonly Change[],
  context: WriteContext,
): Promise<ChangeResult[]> {
  const storedByKey = byKey(await writer.find(changes))
  const statesByKey = new Map([...storedByKey].map(([key, record]) => [key, stateOf(record)]))
  const budget = await AdjustmentBudget.read(writer, changes)

  const wins: RecordToStore[] = []
  const decisions = changes.map((change) => {
    const key = keyOf(change)
    const before = statesByKey.get(key)
    const decision = decideChange(before, change, context.nowMs)
    if (decision.outcome !== 'applied') return { status: decision.outcome, key }
    if (!budget.admits(change, before)) return { status: 'rejected' as const }
    statesByKey.set(key, decision)
    const index = wins.push(newRecord(change, decision, storedByKey.get(key), context.nowMs)) - 1
    return { status: decision.outcome, key, index }
  })

  const applied = await writer.put(wins)
  const appliedByKey = byKey(applied)
  const replaced = [...appliedByKey].map(([key, after]) => ({ before: storedByKey.get(key), after }))
  await updateAccount(writer, replaced, context)
  return decisions.map((decision): ChangeResult => {
    if (decision.status === 'rejected') return { status: 'rejected', errors: [beyondBalance] }
    const { status, key, index } = decision
    const record = index === undefined ? (appliedByKey.get(key) ?? storedByKey.get(key)) : applied[index]
    return { status, record: record as StoredRecord }
  })
}

function keyOf({ kind, id }: RecordKey): string {
  return `${kind} ${id}`
}

/** Of several records of one key, the map holds the last. */
function byKey(records: readonly StoredRecord[]): Map<string, StoredRecord> {
  return new Map(records.map((record) => [keyOf(record), record]))
}

function stateOf(record: StoredRecord): RecordState {
  const fields = liveFieldsOf(record)
  return { updatedAt: record.updatedAt, content: fields && contentOf(fields), claims: record.claims }
}

/** The record that an applied change stores. It keeps `created_at`, also through deletion and revival (D2.2). */
function newRecord(
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

const beyondBalance: InputError = {
  pointer: '/delta_ms',
  detail: 'must keep the sum of all adjustments, signs aside, within 2^52 ms',
}

/** Holds the adjustments of a user within `MAX_ADJUSTMENTS_MS` while changes are applied. */
class AdjustmentBudget {
  #sumMs: number

  private constructor(sumMs: number) {
    this.#sumMs = sumMs
  }

  static async read(reader: UserReader, changes: readonly Change[]): Promise<AdjustmentBudget> {
    if (!changes.some(({ kind }) => kind === 'balance_adjustments')) return new AdjustmentBudget(0)
    return new AdjustmentBudget((await reader.sumDeltas('balance_adjustments', dateSpan(allDates))).absolute)
  }

  /** Counts a change; returns false, without counting it, if it would exceed the limit. */
  admits({ kind, content }: Change, before: RecordState | undefined): boolean {
    if (kind !== 'balance_adjustments') return true
    const sumMs = this.#sumMs - sizeOf(before?.content) + sizeOf(content)
    if (sumMs > this.#sumMs && sumMs > MAX_ADJUSTMENTS_MS) return false
    this.#sumMs = sumMs
    return true
  }
}

function sizeOf(content: JsonObject | null | undefined): number {
  return content ? Math.abs((content as Content<'balance_adjustments'>).delta_ms) : 0
}
