import type { UserNumber } from '@saldo/core'

/**
 * Keeps a text for this tab until after a reload; an empty one is removed. A browser without room keeps none, since the
 * text is a convenience and the work that it belongs to must go on.
 */
export function keepForReload(key: string, text: string): void {
  sessionStorage.removeItem(key)
  if (text === '') return
  try {
    sessionStorage.setItem(key, text)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}

const keptUndoBegin = 'saldo.kept-undo.'

/** Returns the key of the changes that a user's tab can undo after a reload. */
export function keptUndoKey(user: UserNumber): string {
  return `${keptUndoBegin}${user}`
}

/**
 * Forgets all changes that could be undone after a reload: after a later change that is not kept, they are not the last
 * ones.
 */
export function forgetKeptUndo(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(keptUndoBegin)) keepForReload(key, '')
}
