import { type KnownNames, knownNames, recentWork, type WorkSubject } from '@saldo/client/entries'
import { useEntries, useSaldo } from '@saldo/client/react'
import type { UserNumber } from '@saldo/core'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { useToday } from '../account/TimelineProvider.tsx'
import { daysBackFrom } from '../date-ranges.ts'

const archivedKeyOf = (user: UserNumber) => `saldo.archived-projects.${user}`
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
  const others = parse(localStorage.getItem(archivedKeyOf(user))).filter((name) => name !== project)
  localStorage.setItem(archivedKeyOf(user), JSON.stringify(isArchived ? [...others, project] : others))
  for (const listener of listeners) listener()
}

/** Returns the projects that the user archived on this device: they are not suggested any more. */
export function useArchivedProjects(user: UserNumber): ReadonlySet<string> {
  const text = useSyncExternalStore(
    subscribe,
    useCallback(() => localStorage.getItem(archivedKeyOf(user)), [user]),
  )
  return useMemo(() => new Set(parse(text)), [text])
}

/** The names of projects and tags that are in use, the most used first. */
export function useKnownNames(): KnownNames {
  const rows = useEntries()
  return useMemo(() => knownNames((rows ?? []).map(({ record }) => record)), [rows])
}

/** Returns the names of the projects to suggest, the most used first: those in use without the archived ones. */
export function useSuggestedProjects(): string[] {
  const { user } = useSaldo()
  const { projects } = useKnownNames()
  const archived = useArchivedProjects(user)
  return useMemo(() => projects.filter((project) => !archived.has(project)), [projects, archived])
}

const RECENT_DAYS = 60
const MAX_RECENT = 30

/** Returns what the user worked on in the last weeks, the newest first, without archived projects. */
export function useRecentWork(): WorkSubject[] {
  const { user } = useSaldo()
  const archived = useArchivedProjects(user)
  const rows = useEntries(daysBackFrom(useToday(), RECENT_DAYS))
  return useMemo(() => {
    const records = (rows ?? []).map(({ record }) => record)
    return recentWork(
      records.filter(({ project }) => project === null || !archived.has(project)),
      MAX_RECENT,
    )
  }, [rows, archived])
}
