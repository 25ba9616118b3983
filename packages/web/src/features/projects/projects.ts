import {
  type DurationMs,
  dateAt,
  type Entry,
  epochMs,
  FIRST_DATE,
  isTimed,
  LAST_DATE,
  type LocalDate,
  noFilter,
  reportOf,
  type Timeline,
} from '@saldo/core'

export interface Project {
  name: string
  /** The time of all its work, as reports count it. */
  timeMs: DurationMs
  entryCount: number
  /** The date on which its newest entry begins. */
  lastDate: LocalDate
}

/** Returns the projects of entries, the last used first. A project without finished work has no time yet. */
export function projectsOf(entries: readonly Entry[], timeline: Timeline): Project[] {
  const range = { from: FIRST_DATE, to: LAST_DATE }
  const { lines } = reportOf(entries, timeline, noFilter, range, 'project')
  const timeByName = new Map(lines.map(({ key, timeMs }) => [key, timeMs]))
  const newestMs = new Map<string, number>()
  const counts = new Map<string, number>()
  for (const entry of entries) {
    const { project } = entry
    if (project === null || project === '') continue
    const atMs = isTimed(entry) ? epochMs(entry.started_at) : Date.parse(entry.date)
    newestMs.set(project, Math.max(newestMs.get(project) ?? atMs, atMs))
    counts.set(project, (counts.get(project) ?? 0) + 1)
  }
  return [...newestMs]
    .sort(([a, aMs], [b, bMs]) => bMs - aMs || (a < b ? -1 : 1))
    .map(([name, ms]) => ({
      name,
      timeMs: timeByName.get(name) ?? 0,
      entryCount: counts.get(name) ?? 0,
      lastDate: dateAt(timeline, ms),
    }))
}
