import type { PendingMutation, ShownRecord } from '@saldo/client'
import type { Undoable } from '@saldo/client/entries'
import { type Adjustment, contentOf, type JsonObject, jsonEqual, type RecordId, type Settings } from '@saldo/core'

/** A collection of the client, as far as undoable actions go. */
interface Collection<C> {
  create(content: C, options: { id: RecordId }): PendingMutation<unknown>
  update(id: RecordId, content: C): PendingMutation
  delete(id: RecordId): PendingMutation
  all(): { read(): Promise<ShownRecord<KeptRecord>[]> }
}

/** An action whose undo would lose what changed since, if anything has. */
interface UndoableWrite extends Undoable {
  hasChanged(): Promise<boolean>
}

/** Returns the action from a record's content to another one; `undefined` is a record that does not exist. */
export function undoableWrite<C extends object>(
  collection: Collection<C>,
  id: RecordId,
  before: C | undefined,
  after: C | undefined,
): UndoableWrite {
  const go = (from: C | undefined, to: C | undefined) => {
    if (to === undefined) return collection.delete(id)
    return from === undefined ? collection.create(to, { id }) : collection.update(id, to)
  }
  return {
    make: () => go(before, after),
    takeBack: () => go(after, before).settled,
    async hasChanged() {
      const record = (await collection.all().read()).find((each) => each.record.id === id)?.record
      if (record === undefined) return after !== undefined
      const fields = Object.entries(after ?? {})
      return after === undefined || fields.some(([name, value]) => !jsonEqual(value ?? null, record[name] ?? null))
    },
  }
}

type KeptRecord = Settings | Adjustment

/** Returns the action that stores content: for a record, which its undo restores, or else for a new one. */
export function undoableSaving<C extends object>(
  collection: Collection<C>,
  record: KeptRecord | undefined,
  content: C,
  newId: () => RecordId,
): UndoableWrite {
  return undoableWrite(collection, record?.id ?? newId(), record && contentBefore<C>(record), content)
}

/** Returns the action that deletes a record, which its undo restores. */
export function undoableDeletion<C extends object>(collection: Collection<C>, record: KeptRecord): UndoableWrite {
  return undoableWrite(collection, record.id, contentBefore<C>(record), undefined)
}

function contentBefore<C>(record: KeptRecord): C {
  return contentOf(record as unknown as JsonObject) as C
}
