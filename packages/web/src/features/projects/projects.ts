import type { EntryMutation } from '@saldo/client/entries'
import {
  type DurationMs,
  dateAt,
  type Entry,
  type EpochMs,
  epochMs,
  FIRST_DATE,
  isTimed,
  LAST_DATE,
  type LocalDate,
  noFilter,
  reportOf,
  type Timeline,
  utcMidnight,
} from '@saldo/core'
import { projectHues } from '../../domain/entries/entries-model.ts'

export interface Project {
  name: string
  /** The time of all its work, as reports count it. */
  timeMs: DurationMs
  entryCount: number
  /** The date on which its newest entry begins. */
  lastDate: LocalDate
  hue: number | undefined
}

/** Returns the projects of entries, the last used first. A project without finished work has no time yet. */
export function projectsOf(entries: readonly Entry[], timeline: Timeline): Project[] {
  const range = { from: FIRST_DATE, to: LAST_DATE }
  const { lines } = reportOf(entries, timeline, noFilter, range, 'project')
  const timeByName = new Map(lines.map(({ key, timeMs }) => [key, timeMs]))
  const hues = projectHues(entries)
  const newest = new Map<string, { atMs: EpochMs; date: LocalDate }>()
  const counts = new Map<string, number>()
  for (const entry of entries) {
    const { project } = entry
    if (project === null || project === '') continue
    const atMs = isTimed(entry) ? epochMs(entry.started_at) : utcMidnight(entry.date)
    const date = isTimed(entry) ? dateAt(timeline, atMs) : entry.date
    if (atMs >= (newest.get(project)?.atMs ?? atMs)) newest.set(project, { atMs, date })
    counts.set(project, (counts.get(project) ?? 0) + 1)
  }
  return [...newest]
    .sort(([a, { atMs: aMs }], [b, { atMs: bMs }]) => bMs - aMs || (a < b ? -1 : 1))
    .map(([name, { date }]) => ({
      name,
      timeMs: timeByName.get(name) ?? 0,
      entryCount: counts.get(name) ?? 0,
      lastDate: date,
      hue: hues.get(name),
    }))
}

/** Returns the changes that give a project another name; the name of another project merges them. */
export function renameChanges(entries: readonly Entry[], name: string, newName: string): EntryMutation[] {
  const ofProject = entries.filter(({ project }) => project === name)
  return ofProject.map((record) => ({ op: 'update', record, patch: { project: newName } }))
}

/** Returns what another name does to a project; `undefined` if it is empty or the same. */
export function renamingOf(
  name: string,
  newName: string,
  projects: readonly Pick<Project, 'name'>[],
): 'rename' | 'merge' | undefined {
  if (newName === '' || newName === name) return undefined
  return projects.some((other) => other.name === newName) ? 'merge' : 'rename'
}
