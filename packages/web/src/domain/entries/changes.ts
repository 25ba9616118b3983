import type { Saldo } from '@saldo/client'
import { contentOf, type Entry, type EntryContent, type RecordId } from '@saldo/core'

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
      const before = Object.fromEntries(Object.keys(patch).map((field) => [field, record[field]]))
      return {
        make: () => entries.update(record.id, patch as Partial<EntryContent>),
        takeBack: () => entries.update(record.id, before as Partial<EntryContent>),
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
