import { contentOf, type Entry, type EntryContent, instantOf, isTimed, jsonEqual, type RecordId } from '@saldo/core'
import type { Saldo } from '../api/saldo.ts'
import type { PendingMutation } from '../engine/mutator.ts'

/**
 * A mutation of an entry. It carries the entry before the mutation, so that it can be undone. A new entry may bring
 * its id.
 */
export type EntryMutation =
  | { op: 'create'; content: EntryContent; id?: RecordId }
  | { op: 'update'; record: Entry; patch: Partial<Entry> }
  | { op: 'delete'; record: Entry }

type Entries = Pick<Saldo['entries'], 'create' | 'update' | 'delete' | 'queueAll'>
type Mutation = Parameters<Entries['queueAll']>[0][number]

/** Changes that are queued in one transaction of the local store, so that reads get a turn between many. */
const CHANGES_PER_TRANSACTION = 500

/** An undoable action. */
export interface Undoable {
  /** Does it: `queued` resolves once the local store has it all. */
  make(): PendingMutation<unknown>
  /** Undoes it. Resolves once the service has responded or cannot be reached. */
  takeBack(): Promise<unknown>
}

/**
 * Returns the action that makes mutations of different entries. A single one is sent directly, so that a rejection is
 * an error of `make`; several are queued together, so that the local store keeps all of them or none.
 */
export function undoableMutations(
  entries: Entries,
  mutations: readonly EntryMutation[],
  newId: () => RecordId,
): Undoable {
  const pairs = mutations.map((mutation) => pairOf(mutation, newId))
  return {
    make: () =>
      mutate(
        entries,
        pairs.map(({ make }) => make),
      ),
    takeBack: () =>
      mutate(
        entries,
        pairs.map(({ takeBack }) => takeBack),
      ).settled,
  }
}

/**
 * True if what mutations made of entries has changed since, here or on another device: to undo them would lose that.
 * `entries` are all there are; new entries bring their ids.
 */
export function haveChangedSince(mutations: readonly EntryMutation[], entries: readonly Entry[]): boolean {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return mutations.some((mutation) => {
    const { make } = pairOf(mutation, () => NO_ID)
    const now = byId.get(make.id)
    const made = 'patch' in make ? make.patch : make.content
    return now !== undefined && (made === null || editedFields(now, made as Partial<Entry>).length > 0)
  })
}

/** Returns the mutations that make changes of different entries, for `queueAll`. */
export function mutationsOf(changes: readonly EntryMutation[], newId: () => RecordId): Mutation[] {
  return changes.map((change) => pairOf(change, newId).make)
}

function mutate(entries: Entries, mutations: readonly Mutation[]): PendingMutation<unknown> {
  const [first] = mutations
  if (first && mutations.length === 1) return mutateOne(entries, first)
  const queued = queueInParts(entries, mutations)
  return { queued, settled: queued }
}

async function queueInParts(entries: Entries, mutations: readonly Mutation[]): Promise<void> {
  for (let at = 0; at < mutations.length; at += CHANGES_PER_TRANSACTION) {
    await entries.queueAll(mutations.slice(at, at + CHANGES_PER_TRANSACTION))
  }
}

function mutateOne(entries: Entries, mutation: Mutation): PendingMutation<unknown> {
  const { id } = mutation
  if ('patch' in mutation) return entries.update(id, mutation.patch)
  const { content } = mutation
  return content === null ? entries.delete(id) : entries.create(content, { id })
}

const NO_ID: RecordId = '00000000-0000-0000-0000-000000000000'
const NOT_STORED = { created_at: instantOf(0), updated_at: instantOf(0), version: 0 }

/**
 * Returns entries as mutations leave them. A created entry is not stored yet: it has version 0, times of 1970 and, if
 * the mutation brings no id, the nil UUID.
 */
export function entriesAfter(entries: readonly Entry[], mutations: readonly EntryMutation[]): Entry[] {
  const mutationOf = (id: RecordId) =>
    mutations.findLast((mutation) => mutation.op !== 'create' && mutation.record.id === id)
  const kept = entries.flatMap((entry): Entry[] => {
    const mutation = mutationOf(entry.id)
    if (mutation?.op === 'update') return [{ ...entry, ...mutation.patch } as Entry]
    return mutation ? [] : [entry]
  })
  const created = mutations.flatMap((mutation): Entry[] => {
    if (mutation.op !== 'create') return []
    const { id = NO_ID, content } = mutation
    return [{ ...content, ...NOT_STORED, id }]
  })
  return [...kept, ...created]
}

const sizeFields = ['day_share', 'amount_ms']

/** Returns the fields that a patch changes: others may have changed elsewhere meanwhile, and stay as they are. */
function editedFields(record: Entry, patch: Partial<Entry>): string[] {
  const edited = Object.keys(patch).filter((field) => !jsonEqual(patch[field] ?? null, record[field] ?? null))
  // The two fields of an absence's size only make sense together.
  const size = edited.some((field) => sizeFields.includes(field)) ? sizeFields.filter((field) => field in patch) : []
  return [...new Set([...edited, ...size])]
}

function pick(record: Partial<Entry>, fields: readonly string[]): Partial<EntryContent> {
  return Object.fromEntries(fields.map((field) => [field, record[field]]))
}

/** Returns the mutation that makes a change, and the one that takes it back. */
function pairOf(change: EntryMutation, newId: () => RecordId): { make: Mutation; takeBack: Mutation } {
  switch (change.op) {
    case 'create': {
      const { id = newId(), content } = change
      return { make: { id, content }, takeBack: { id, content: null } }
    }
    case 'update': {
      const { record, patch } = change
      const { id } = record
      const edited = editedFields(record, patch)
      const isOtherKind = isTimed({ ...record, ...patch } as Entry) !== isTimed(record)
      const before = isOtherKind ? contentOf(record) : pick(record, edited)
      return { make: { id, patch: pick(patch, edited) }, takeBack: { id, patch: before } }
    }
    case 'delete': {
      const { record } = change
      const { id } = record
      return { make: { id, content: null }, takeBack: { id, content: contentOf(record) } }
    }
  }
}
