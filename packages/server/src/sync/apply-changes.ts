import {
  type Change,
  contentOf,
  decideChange,
  type Instant,
  instantOf,
  itemAt,
  type RecordState,
  type WritableKind,
} from '@saldo/core'
import { readTimeline } from '../account/account-reads.ts'
import type { AccountContext } from '../account/context.ts'
import { updateAccount } from '../account/update-account.ts'
import {
  type Proposal,
  type RecordToStore,
  recordKeyOf,
  type StoredRecord,
  type TrailEvent,
  type UserWriter,
} from '../store/store.ts'
import { liveFieldsOf, RecordMap } from '../store/stored-records.ts'
import { mapInSlices } from '../time-slice.ts'
import { CompanyLimits } from './company-limits.ts'
import { RecordLimits, type Rejection } from './limits.ts'

/** The user whose records change, the service's time, and what limits the changes. */
export interface WriteContext extends AccountContext {
  /** The stored bytes from which on the user can only delete. */
  quotaBytes: number
  /** True for what was decided for: it needs no approval any more (D26.9), and its months are open. */
  isApproved?: boolean
}

/** The outcome of a change, with the record that is stored after all changes of its transaction. */
export type ChangeResult =
  | { status: 'applied' | 'unchanged' | 'superseded'; record: StoredRecord<WritableKind> }
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
  const stored = new RecordMap(await writer.find(changes))
  const { verdicts, toStore, trail, overridden } = await decideChanges(writer, changes, stored, context)
  const isOfSettings = changes.some(({ kind }) => kind === 'settings_history')
  // Read as it is stored: the changed rows alone do not tell which others they hid.
  const timelineBefore = isOfSettings ? await readTimeline(writer) : undefined
  const applied = await writer.put(toStore)
  const last = new RecordMap(applied)
  // In the order of their last changes, of which the last is a cause (D3.31).
  const inOrder = last.values().toSorted((a, b) => a.version - b.version)
  const replaced = inOrder.map((after) => ({ before: stored.get(after), after }))
  await updateAccount(writer, replaced, timelineBefore, context)
  const { user } = context
  const rules = await writer.memberRules()
  const events = trail.map(({ index, data }): TrailEvent => {
    return { actor: user, kind: 'own_change', data: { ...data, version: itemAt(applied, index).version } }
  })
  if (rules) await writer.addTrail(rules.company, events)
  const overriddenAt = instantOf(context.nowMs)
  for (const proposal of overridden) await writer.putProposal({ ...proposal, overriddenAt })

  return verdicts.map((verdict): ChangeResult => {
    if (verdict.status === 'rejected') return verdict
    const { status, key } = verdict
    const record = status === 'applied' ? applied[verdict.index] : (last.get(key) ?? stored.get(key))
    if (!record) throw new Error(`${status}, but there is no record ${recordKeyOf(key)}`)
    return { status, record }
  })
}

/** The decision about a change, after the conflict rule and the limits. */
type Verdict =
  /** `index` is that of its record among those to store. */
  | { status: 'applied'; key: Change; index: number }
  | { status: 'unchanged' | 'superseded'; key: Change }
  | { status: 'rejected'; rejection: Rejection }

/** A change that is in the trail of the user; `index` is that of its record among those to store. */
interface OwnChange {
  index: number
  data: Record<string, unknown>
}

/** Decided changes, with what the user's company gets to know of them. */
interface Decided {
  verdicts: Verdict[]
  toStore: RecordToStore<WritableKind>[]
  trail: OwnChange[]
  /** The changes of HR that the user's override (D28.5). */
  overridden: Proposal[]
}

/** Decides changes one after another, each on what those before it leave, and builds the records of applied ones. */
async function decideChanges(
  writer: UserWriter,
  changes: readonly Change[],
  stored: RecordMap<WritableKind>,
  context: WriteContext,
): Promise<Decided> {
  const states = await mapInSlices(stored.values(), (record) => [recordKeyOf(record), stateOf(record)] as const)
  const statesByKey = new Map<string, RecordState>(states)
  const stateBefore = (change: Change) => statesByKey.get(recordKeyOf(change))
  const limits = await RecordLimits.read(writer, changes, stateBefore)
  const company = context.isApproved ? undefined : await CompanyLimits.read(writer, changes, stateBefore, context.nowMs)
  const isFull = (await writer.storedBytes()) >= context.quotaBytes
  const now = instantOf(context.nowMs)
  const toStore: RecordToStore<WritableKind>[] = []
  const trail: OwnChange[] = []
  const verdicts = await mapInSlices(changes, (change): Verdict => {
    const before = stateBefore(change)
    const decision = decideChange(before, change, context.nowMs)
    if (decision.outcome !== 'applied') return { status: decision.outcome, key: change }
    const isDeletion = change.content === null && before?.content != null
    const rejection =
      company?.rejectionOf(change, before) ?? (isFull && !isDeletion ? beyondQuota : limits.count(change, before))
    if (rejection) return { status: 'rejected', rejection }
    statesByKey.set(recordKeyOf(change), decision)
    const trailed = company?.applied(change, before)
    if (trailed) trail.push({ index: toStore.length, data: trailed })
    toStore.push(buildRecord(change, decision, stored.get(change), now))
    return { status: 'applied', key: change, index: toStore.length - 1 }
  })
  return { verdicts, toStore, trail, overridden: company?.overridden ?? [] }
}

function stateOf(record: StoredRecord): RecordState {
  const fields = liveFieldsOf(record)
  return { updatedAt: record.updatedAt, content: fields && contentOf(fields), claims: record.claims }
}

/** Builds the record that an applied change stores. It keeps `created_at`, also through deletion and revival (D2.2). */
function buildRecord(
  { kind, id }: Change,
  { updatedAt, content, claims }: RecordState,
  stored: StoredRecord<WritableKind> | undefined,
  now: Instant,
): RecordToStore<WritableKind> {
  const created_at = stored?.fields.created_at ?? now
  const fields = { id, ...content, created_at, updated_at: updatedAt }
  return { kind, id, updatedAt, deleted: content === null, fields, claims }
}

const beyondQuota: Rejection = {
  code: 'quota_exceeded',
  detail: 'Your storage is full. Delete records, then try again.',
}
