import type { Saldo } from '@saldo/client'
import { contentOf, type Entry, type EntryContent } from '@saldo/core'

/**
 * What to do to an entry. It carries the entry as it was, so that it can be taken back. A new one has the id that it is given,
 * or any.
 */
export type Change =
  | { op: 'create'; content: EntryContent; id?: string }
  | { op: 'update'; record: Entry; patch: Partial<Entry> }
  | { op: 'delete'; record: Entry }

type Entries = Pick<Saldo['entries'], 'create' | 'update' | 'delete'>

/** Changes that are under way: they show at once, and are settled once the service has answered or cannot be reached. */
export interface Made {
  settled: Promise<unknown>
  /** Takes all of them back. */
  takeBack(): Promise<unknown>
}

/**
 * Makes changes side by side: none of them waits until the service has heard of another. All begin after what is told, and are
 * taken back after they have begun.
 */
export function makeChanges(
  entries: Entries,
  changes: readonly Change[],
  newId: () => string,
  after: Promise<unknown> = Promise.resolve(),
): Made {
  const steps = changes.map((change) => stepOf(entries, change, newId))
  const begun = after.then(() => steps.map(({ make }) => make()))
  return {
    settled: begun.then((made) => Promise.all(made)),
    takeBack: () => begun.then(() => Promise.all(steps.map(({ takeBack }) => takeBack()))),
  }
}

interface Step {
  make(): Promise<unknown>
  takeBack(): Promise<unknown>
}

function stepOf(entries: Entries, change: Change, newId: () => string): Step {
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
