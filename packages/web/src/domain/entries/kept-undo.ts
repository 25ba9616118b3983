import type { EntryMutation } from '@saldo/client/entries'
import type { UserNumber } from '@saldo/core'
import { keepForReload, keptUndoKey } from '../../context/kept-for-reload.ts'

/** Changes of entries that this tab can undo after a reload. */
export interface KeptChanges {
  id: string
  changes: readonly EntryMutation[]
}

/** The changes that are kept at most. */
const MOST = 20
/** The text that is kept at most, of five million characters that browsers allow. */
const MOST_CHARACTERS = 4_000_000

/** Returns the text to store of changes, the oldest first: without old ones that are too many or too long. */
export function textToKeep(all: readonly KeptChanges[]): string {
  const newest = all.slice(-MOST)
  const text = JSON.stringify(newest)
  return text.length <= MOST_CHARACTERS || newest.length === 0 ? text : textToKeep(newest.slice(1))
}

/** Returns the changes of before a reload, the oldest first. */
export function keptChanges(user: UserNumber): KeptChanges[] {
  return JSON.parse(sessionStorage.getItem(keptUndoKey(user)) ?? '[]') as KeptChanges[]
}

/** Keeps changes for after a reload, unless they are too long. */
export function keepChanges(user: UserNumber, kept: KeptChanges): void {
  keepForReload(keptUndoKey(user), textToKeep([...keptChanges(user), kept]))
}

/** Forgets changes that were undone, or that failed. */
export function forgetChanges(user: UserNumber, id: string): void {
  keepForReload(keptUndoKey(user), JSON.stringify(keptChanges(user).filter((kept) => kept.id !== id)))
}
