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

/** Something that can be done and undone. */
export interface Step {
  /**
   * Calls `onQueued` once the local store has it all. Resolves once the service has answered or cannot be reached.
   */
  make(onQueued: () => void): Promise<unknown>
  takeBack(): Promise<unknown>
}

/** Returns the step that makes changes side by side: none waits until the service has answered another. */
export function stepOfChanges(entries: Entries, changes: readonly Change[], newId: () => RecordId): Step {
  const steps = changes.map((change) => stepOf(entries, change, newId))
  return {
    make(onQueued) {
      let unqueued = steps.length
      const onOneQueued = () => {
        unqueued -= 1
        if (unqueued === 0) onQueued()
      }
      return Promise.all(steps.map(({ make }) => make(onOneQueued)))
    },
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

function stepOf(entries: Entries, change: Change, newId: () => RecordId): Step {
  switch (change.op) {
    case 'create': {
      const { id = newId() } = change
      return {
        make: (onQueued) => entries.create(change.content, { id, onQueued }),
        takeBack: () => entries.delete(id),
      }
    }
    case 'update': {
      const { record, patch } = change
      const edited = editedFields(record, patch)
      const isOtherKind = isTimed({ ...record, ...patch } as Entry) !== isTimed(record)
      const before = isOtherKind ? contentOf(record) : pick(record, edited)
      return {
        make: (onQueued) => entries.update(record.id, pick(patch, edited), { onQueued }),
        takeBack: () => entries.update(record.id, before),
      }
    }
    case 'delete': {
      const { record } = change
      return {
        make: (onQueued) => entries.delete(record.id, { onQueued }),
        takeBack: () => entries.create(contentOf(record), { id: record.id }),
      }
    }
  }
}
