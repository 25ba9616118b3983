import { type AbsenceRecord, runsTooLong, type TimedRecord } from '@saldo/client/entries'
import { dateAt, type Entry, type EpochMs, epochMs, isTimed, itemAt, type Timeline } from '@saldo/core'
import { leaveTime } from './leave-time.ts'

/** Returns the own name of an absence, which only a public holiday has; `undefined` if its kind names it. */
export function ownNameOf({ kind, note }: Pick<AbsenceRecord, 'kind' | 'note'>): string | undefined {
  return kind === 'public_holiday' && note !== '' ? note : undefined
}

/** A deletion of more entries asks first. */
export const MANY_ENTRIES = 10

/** True unless the user keeps the timer with the id `keptId` running, which lasts until it runs too long. */
export function needsEnd(forgotten: TimedRecord, keptId: string | undefined, nowMs: EpochMs): boolean {
  return forgotten.id !== keptId || runsTooLong(forgotten, nowMs)
}

/**
 * Returns the probable end: when the target of its day was reached. `undefined` if it is not reached before now, or if
 * there is none, as for a break. `entries` are those of its day.
 */
export function likelyEnd(
  forgotten: TimedRecord,
  entries: readonly Entry[],
  timeline: Timeline,
  nowMs: EpochMs,
): EpochMs | undefined {
  if (forgotten.kind === 'break') return undefined
  const startMs = epochMs(forgotten.started_at)
  const leave = leaveTime(entries, timeline, dateAt(timeline, startMs), startMs)
  return leave?.kind === 'at' && leave.atMs < nowMs ? leave.atMs : undefined
}

/** Hues that people tell apart, in degrees: each as far from those before it as these leave room. */
const HUES = [200, 30, 300, 110, 250, 350, 145, 80, 275, 325, 175, 55]

/**
 * Returns the hues of the projects of all entries of an account, the same on every device. As many projects as there
 * are hues have different ones, and a project that comes later changes none, unless its entries begin earlier.
 */
export function projectHues(entries: readonly Entry[]): ReadonlyMap<string, number> {
  const firstUses = new Map<string, string>()
  for (const entry of entries) {
    const { project } = entry
    const start = isTimed(entry) ? entry.started_at : entry.date
    if (project !== null && start < (firstUses.get(project) ?? '~')) firstUses.set(project, start)
  }
  const inOrder = [...firstUses].map(([project, start]) => `${start} ${project}`).sort()
  return new Map(
    inOrder.map((named, index) => [named.slice(named.indexOf(' ') + 1), itemAt(HUES, index % HUES.length)]),
  )
}

const same = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase()
const MOST_OPTIONS = 50

/** True for the name of a project that there is not yet. */
export function isNewProject(typed: string, projects: readonly string[]): boolean {
  return typed.trim() !== '' && !projects.some((project) => same(project, typed))
}

/** Returns the projects whose names begin with a text, then those that contain it. */
function projectsLike(typed: string, projects: readonly string[]): string[] {
  const text = typed.trim().toLowerCase()
  const found = projects.filter((project) => project.toLowerCase().includes(text))
  const begins = (project: string) => (project.toLowerCase().startsWith(text) ? 0 : 1)
  return found.toSorted((a, b) => begins(a) - begins(b))
}

/**
 * Returns the options of a field for a project, the likeliest first, and the typed name last if it is a new one. A name
 * that is complete needs no option.
 */
export function projectOptions(typed: string, projects: readonly string[]): string[] {
  if (projects.includes(typed.trim())) return []
  const found = projectsLike(typed, projects).slice(0, MOST_OPTIONS)
  return isNewProject(typed, projects) ? [...found, typed.trim()] : found
}

/**
 * Returns the options of the timer's line: projects of which it has half the name, else the line itself, which Enter
 * starts; then recent work.
 */
export function timerOptions(typed: string, projects: readonly string[], recent: readonly string[]): string[] {
  const line = typed.trim()
  if (line === '') return [...recent]
  const begun = projectsLike(line, projects).filter((project) => project.toLowerCase().startsWith(line.toLowerCase()))
  const isHalf = begun.length > 0 && isNewProject(line, projects)
  const first = isHalf ? [...begun, line] : [line]
  const others = recent.filter((text) => text.toLowerCase().includes(line.toLowerCase()))
  return [...new Set([...first, ...others])]
}
