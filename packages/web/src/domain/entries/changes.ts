import type { Saldo } from '@saldo/client'
import { contentOf, type Entry, type EntryContent, isTimed, type Json, jsonEqual, type RecordId } from '@saldo/core'

/**
 * One change of an entry. It carries the entry before the change, so that it can be undone. A new entry may bring
 * its id.
 */
export type Change =
  | { op: 'create'; content: EntryContent; id?: RecordId }
  | { op: 'update'; record: Entry; patch: Partial<Entry> }
  | { op: 'delete'; record: Entry }

type Entries = Pick<Saldo['entries'], 'create' | 'update' | 'delete'>

/** Changes in progress. They show at once. */
export interface Made {
  /** Settles once the service has answered all of them or cannot be reached. */
  settled: Promise<unknown>
  /** Undoes all of them. */
  takeBack(): Promise<unknown>
}

/** Makes changes side by side: none waits until the service has answered another. */
export function makeChanges(entries: Entries, changes: readonly Change[], newId: () => RecordId): Made {
  const steps = changes.map((change) => stepOf(entries, change, newId))
  return {
    settled: Promise.all(steps.map(({ make }) => make())),
    takeBack: () => Promise.all(steps.map(({ takeBack }) => takeBack())),
  }
}

/** Returns the fields that a patch changes: others may have changed elsewhere meanwhile, and stay as they are. */
function editedFields(record: Entry, patch: Partial<Entry>): string[] {
  return Object.keys(patch).filter(
    (field) => !jsonEqual((patch[field] ?? null) as Json, (record[field] ?? null) as Json),
  )
}

function pick(record: Partial<Entry>, fields: readonly string[]): Partial<EntryContent> {
  return Object.fromEntries(fields.map((field) => [field, record[field]])) as Partial<EntryContent>
}

interface Step {
  make(): Promise<unknown>
  takeBack(): Promise<unknown>
}

function stepOf(entries: Entries, change: Change, newId: () => RecordId): Step {
  switch (change.op) {
    case 'create': {
      const { id = newId() } = change
      return { make: () => entries.create(change.content, { id }), takeBack: () => entries.delete(id) }
    }
    case 'update': {
      const { record, patch } = change
      const edited = editedFields(record, patch)
      const isOtherKind = isTimed({ ...record, ...patch } as Entry) !== isTimed(record)
      const before = isOtherKind ? contentOf(record) : pick(record, edited)
      return {
        make: () => entries.update(record.id, pick(patch, edited)),
        takeBack: () => entries.update(record.id, before),
      }
    }
    case 'delete': {
      const { record } = change
      return {
        make: () => entries.delete(record.id),
        takeBack: () => entries.create(contentOf(record), { id: record.id }),
      }
    }
  }
}
