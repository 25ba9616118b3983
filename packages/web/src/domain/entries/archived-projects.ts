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

/** Returns the projects that the user archived on this device: they are not suggested any more. */
export function archivedProjects(user: UserNumber): ReadonlySet<string> {
  return new Set(parse(localStorage.getItem(keyOf(user))))
}

/** Archives a project on this device, or makes it active again. */
export function setArchived(user: UserNumber, project: string, isArchived: boolean): void {
  const others = [...archivedProjects(user)].filter((name) => name !== project)
  localStorage.setItem(keyOf(user), JSON.stringify(isArchived ? [...others, project] : others))
  for (const listener of listeners) listener()
}

/** Returns the same projects, and renders again when they change. */
export function useArchivedProjects(user: UserNumber): ReadonlySet<string> {
  const text = useSyncExternalStore(
    subscribe,
    useCallback(() => localStorage.getItem(keyOf(user)), [user]),
  )
  return useMemo(() => new Set(parse(text)), [text])
}
