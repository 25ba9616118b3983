import type { Entry } from '@saldo/core'
import { useMemo } from 'react'
import { useSaldo } from '../../../context/saldo.tsx'
import { useLive } from '../../../context/useLive.ts'
import { useArchivedProjects } from '../archived-projects.ts'

interface KnownNames {
  projects: string[]
  tags: string[]
}

/** The names of projects and tags that are in use, the most used first. */
export function useKnownNames(): KnownNames {
  const saldo = useSaldo()
  const rows = useLive(useMemo(() => saldo.entries.all(), [saldo]))
  return useMemo(() => knownNames((rows ?? []).map(({ record }) => record)), [rows])
}

/** Returns the names of the projects to suggest, the most used first: those in use without the archived ones. */
export function useSuggestedProjects(): string[] {
  const { user } = useSaldo()
  const { projects } = useKnownNames()
  const archived = useArchivedProjects(user)
  return useMemo(() => projects.filter((project) => !archived.has(project)), [projects, archived])
}

/** Returns the names of entries, the most used first. */
export function knownNames(entries: readonly Entry[]): KnownNames {
  return {
    projects: mostUsed(entries.flatMap(({ project }) => project ?? [])),
    tags: mostUsed(entries.flatMap(({ tags }) => tags)),
  }
}

function mostUsed(names: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name)
}
