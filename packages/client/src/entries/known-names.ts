import type { Entry } from '@saldo/core'

/** The names of projects and tags that are in use. */
export interface KnownNames {
  projects: string[]
  tags: string[]
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
