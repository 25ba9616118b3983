import {
  type Change,
  type Content,
  contentOf,
  decideChange,
  type EpochMs,
  type InputError,
  type Instant,
  instantOf,
  type JsonObject,
  laterThan,
  type Random,
  type StoredState,
  type WritableKind,
  writableKinds,
} from '@saldo/core'
import { allDates, dateSpan, fieldsOf } from '../account/records.ts'
import { type AppliedChange, settle, touchesAccount } from '../account/settle.ts'
import type { NewState, StoredRecord, UserId, UserWriter } from '../store/store.ts'

/** A change of a client-writable record, already in canonical form. */
export interface WantedChange {
  kind: WritableKind
  id: string
  /** Null deletes. */
  content: JsonObject | null
  /** From a device, which stamped it; where null, the service stamps its own time, and the change always wins (D6). */
  stamp: Pick<Change, 'updatedAt' | 'device' | 'seq'> | null
}

/** What became of a change, and what now stands under its id. */
export type ChangeOutcome =
  | { status: 'applied' | 'unchanged' | 'superseded'; stands: StoredRecord }
  /** Pointers are into the record. */
  | { status: 'rejected'; errors: InputError[] }

export interface WriteContext {
  user: UserId
  nowMs: EpochMs
  random: Random
}

/** The most that all adjustments of a user may add up to, signs aside: 2^52 ms, so that every balance stays exact. */
const MAX_ADJUSTMENTS_MS = 2 ** 52

/** One record while changes are applied to it. */
interface Standing {
  kind: WritableKind
  id: string
  /** As it was stored before the first change. */
  before: StoredRecord | undefined
  /** As it stands now. */
  state: StoredState | undefined
  createdAt: Instant
  /** Where its last applied state is among those to be stored. */
  last: number | undefined
}

/**
 * Applies changes in their order by the conflict rule (R3.8, D6), each under a version of its own, and settles what
 * they touch in the account once, after the last (D3).
 */
export async function applyChanges(
  writer: UserWriter,
  changes: readonly WantedChange[],
  context: WriteContext,
): Promise<ChangeOutcome[]> {
  const standings = await readStandings(writer, changes, instantOf(context.nowMs))
  const budget = await adjustmentBudget(writer, changes)
  const closed = await writer.extent('closed_days')
  const states: NewState[] = []
  const decided = changes.map((change, index) => {
    const standing = standings[index] as Standing
    const next = nextState(standing.state, change, context.nowMs)
    if (next.outcome !== 'applied') return { standing, status: next.outcome }
    if (change.kind === 'balance_adjustments' && !budget.admits(standing.state?.content, next.content)) {
      return { standing, status: 'rejected' as const }
    }
    standing.state = next
    standing.last = states.length
    states.push(newState(standing, next, context.nowMs))
    return { standing, status: next.outcome, place: standing.last }
  })

  const applied = appliedChanges(new Set(standings))
  const stored = await writer.put(states)
  if (touchesAccount(applied, closed)) await settle(writer, applied, context)
  return decided.map(({ standing, status, place }): ChangeOutcome => {
    if (status === 'rejected') return { status, errors: [beyondBalance] }
    // What was not applied is told what stands in the end.
    const state = place ?? standing.last
    return { status, stands: (state === undefined ? standing.before : stored[state]) as StoredRecord }
  })
}

/** The standing of each change's record; changes of one record share one. */
async function readStandings(
  writer: UserWriter,
  changes: readonly WantedChange[],
  now: Instant,
): Promise<readonly Standing[]> {
  const byKind = new Map(writableKinds.map((kind) => [kind as string, new Map<string, Standing>()]))
  const standings = changes.map(({ kind, id }) => {
    const byId = byKind.get(kind) as Map<string, Standing>
    const known = byId.get(id)
    if (known) return known
    const standing = { kind, id, before: undefined, state: undefined, createdAt: now, last: undefined }
    byId.set(id, standing)
    return standing
  })
  for (const before of await writer.find(standings)) {
    const standing = byKind.get(before.kind)?.get(before.id) as Standing
    const fields = fieldsOf(before)
    const content = before.deleted ? null : contentOf(fields)
    standing.before = before
    standing.state = { updatedAt: before.updatedAt, content, claims: before.claims }
    standing.createdAt = (fields.created_at as Instant | undefined) ?? now
  }
  return standings
}

function nextState(stored: StoredState | undefined, { content, stamp }: WantedChange, nowMs: EpochMs) {
  if (stamp) return decideChange(stored, { ...stamp, content }, nowMs)
  const claims = stored?.claims ?? {}
  return { outcome: 'applied' as const, updatedAt: laterThan(stored, nowMs), content, claims }
}

function newState({ kind, id, createdAt }: Standing, { updatedAt, content, claims }: StoredState, nowMs: EpochMs) {
  const kept = { created_at: createdAt, updated_at: updatedAt }
  const fields: JsonObject = content ? { id, ...content, ...kept } : { id, ...kept, deleted_at: instantOf(nowMs) }
  return { kind, id, updatedAt, deleted: content === null, fields, claims }
}

function appliedChanges(standings: Iterable<Standing>): AppliedChange[] {
  return [...standings].flatMap(({ kind, id, before, state, last }) => {
    if (last === undefined || !state) return []
    const old = before && !before.deleted ? fieldsOf(before) : null
    return [{ kind, id, old, next: state.content }]
  })
}

const beyondBalance: InputError = {
  pointer: '/delta_ms',
  detail: 'must keep the sum of all adjustments, signs aside, within 2^52 ms',
}

/** Watches that the adjustments together stay within what a balance can hold exactly. */
async function adjustmentBudget(writer: UserWriter, changes: readonly WantedChange[]) {
  const concerned = changes.some(({ kind }) => kind === 'balance_adjustments')
  let total = concerned ? (await writer.sumDeltas('balance_adjustments', dateSpan(allDates))).absolute : 0
  const size = (content: JsonObject | null | undefined) =>
    content ? Math.abs((content as Content<'balance_adjustments'>).delta_ms) : 0
  return {
    admits(old: JsonObject | null | undefined, next: JsonObject | null): boolean {
      const after = total - size(old) + size(next)
      if (after > total && after > MAX_ADJUSTMENTS_MS) return false
      total = after
      return true
    },
  }
}
