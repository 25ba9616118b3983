import type { UserNumber } from '@saldo/core'
import { useCallback, useMemo, useSyncExternalStore } from 'react'

const keyOf = (user: UserNumber) => `saldo.archived-projects.${user}`
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function parse(text: string | null): string[] {
  return text === null ? [] : (JSON.parse(text) as string[])
}

/** Archives a project on this device, or makes it active again. */
export function setArchived(user: UserNumber, project: string, isArchived: boolean): void {
  const others = parse(localStorage.getItem(keyOf(user))).filter((name) => name !== project)
  localStorage.setItem(keyOf(user), JSON.stringify(isArchived ? [...others, project] : others))
  for (const listener of listeners) listener()
}

/** Returns the projects that the user archived on this device: they are not suggested any more. */
export function useArchivedProjects(user: UserNumber): ReadonlySet<string> {
  const text = useSyncExternalStore(
    subscribe,
    useCallback(() => localStorage.getItem(keyOf(user)), [user]),
  )
  return useMemo(() => new Set(parse(text)), [text])
}
