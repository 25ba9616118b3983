import { type KnownNames, knownNames } from '@saldo/client/entries'
import { useEntries, useSaldo } from '@saldo/client/react'
import { useMemo } from 'react'
import { useArchivedProjects } from '../archived-projects.ts'

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
