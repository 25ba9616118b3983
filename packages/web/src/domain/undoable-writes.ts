import type { PendingMutation } from '@saldo/client'
import type { Undoable } from '@saldo/client/entries'
import { type Adjustment, contentOf, type JsonObject, type RecordId, type Settings } from '@saldo/core'

/** A collection of the client, as far as undoable actions go. */
interface Collection<C> {
  create(content: C, options: { id: RecordId }): PendingMutation<unknown>
  update(id: RecordId, content: C): PendingMutation
  delete(id: RecordId): PendingMutation
}

/** Returns the action from a record's content to another one; `undefined` is a record that does not exist. */
export function undoableWrite<C>(
  collection: Collection<C>,
  id: RecordId,
  before: C | undefined,
  after: C | undefined,
): Undoable {
  const go = (from: C | undefined, to: C | undefined) => {
    if (to === undefined) return collection.delete(id)
    return from === undefined ? collection.create(to, { id }) : collection.update(id, to)
  }
  return { make: () => go(before, after), takeBack: () => go(after, before).settled }
}

type KeptRecord = Settings | Adjustment

/** Returns the action that stores content: for a record, which its undo restores, or else for a new one. */
export function undoableSaving<C>(
  collection: Collection<C>,
  record: KeptRecord | undefined,
  content: C,
  newId: () => RecordId,
): Undoable {
  return undoableWrite(collection, record?.id ?? newId(), record && contentBefore<C>(record), content)
}

/** Returns the action that deletes a record, which its undo restores. */
export function undoableDeletion<C>(collection: Collection<C>, record: KeptRecord): Undoable {
  return undoableWrite(collection, record.id, contentBefore<C>(record), undefined)
}

function contentBefore<C>(record: KeptRecord): C {
  return contentOf(record as unknown as JsonObject) as C
}
