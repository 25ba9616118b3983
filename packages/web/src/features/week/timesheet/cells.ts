import { type EntryMutation, freeTimeFromNine, newEntry, type TimedRecord } from '@saldo/client/entries'
import { type BareNumber, readDuration } from '@saldo/client/reading'
import {
  computeDay,
  coveredBy,
  DAY_MS,
  type DisjointIntervals,
  type DurationMs,
  dayWindow,
  difference,
  type Entry,
  type EntryContent,
  type EpochMs,
  type Interval,
  instantOf,
  intervalOf,
  isTimed,
  type LocalDate,
  netWorkMs,
  settingsOn,
  type Timeline,
  totalLength,
  zoneOn,
} from '@saldo/core'
import { breakInside } from '../../../domain/entries/editor/entry-form.ts'
import { type Typed, typedOf } from '../../../ui/typed-values.ts'

/** The hours of a project on a date, as a cell of the timesheet. */
export interface Cell {
  date: LocalDate
  project: string | null
  workedMs: number
  /** Why the hours cannot be edited here: running work, or work that lies partly on another day. */
  locked?: 'running' | 'overMidnight'
}

function workOf(entries: readonly Entry[], project: string | null): TimedRecord[] {
  return entries.filter((entry) => entry.kind === 'work').filter((entry) => entry.counts && entry.project === project)
}

/** Returns the time that work of a project covers, without breaks. */
function workedIn(entries: readonly Entry[], project: string | null, window: Interval): DisjointIntervals {
  return difference(coveredBy('work', workOf(entries, project), window), coveredBy('break', entries, window))
}

export function cellOf(entries: readonly Entry[], timeline: Timeline, date: LocalDate, project: string | null): Cell {
  const window = dayWindow(timeline, date)
  const work = workOf(entries, project).filter((entry) => startsBefore(entry, window.end))
  const isRunning = work.some(({ ended_at }) => ended_at === null)
  const isOverMidnight = work.some((entry) => {
    const whole = intervalOf(entry)
    return whole && whole.end > window.start && (whole.start < window.start || whole.end > window.end)
  })
  const locked = isRunning ? 'running' : isOverMidnight ? 'overMidnight' : undefined
  return { date, project, workedMs: totalLength(workedIn(entries, project, window)), ...(locked && { locked }) }
}

/** Reads the hours of a cell, at most a day; none if the text is empty. */
export function typedHours(text: string, bare: BareNumber): Typed<DurationMs> {
  if (text.trim() === '') return { kind: 'taken', value: 0 }
  const typed = typedOf(readDuration(text, bare), (ms) => (ms >= 0 && ms <= DAY_MS ? undefined : 'range'))
  return typed.kind === 'refused' ? { kind: 'unread' } : typed
}

/** Returns the projects of work that counts by name; `null`, for work without a project, comes first. */
export function projectsIn(entries: readonly Entry[]): (string | null)[] {
  const counted = entries.filter((entry) => entry.kind === 'work').filter(({ counts }) => counts)
  const work = counted.map(({ project }) => project)
  const names = [...new Set(work)].filter((project) => project !== null).sort((a, b) => a.localeCompare(b))
  return work.includes(null) ? [null, ...names] : names
}

/**
 * Returns the changes that give a cell the typed hours: new work for more hours, shorter or deleted last entries for
 * fewer. The break that the day's rules ask for lies inside new work, so that all typed hours count. `undefined` if the
 * day has no free time of that length.
 */
export function changesFor(
  { date, project, workedMs }: Cell,
  typedMs: number,
  entries: readonly Entry[],
  timeline: Timeline,
): EntryMutation[] | undefined {
  const window = dayWindow(timeline, date)
  if (typedMs < workedMs) return shortened(entries, project, window, typedMs)
  if (typedMs === workedMs) return []
  const contents = newWork(typedMs - workedMs, project, entries, timeline, date)
  return contents?.map((content) => ({ op: 'create', content }))
}

/** Returns work of a length in free time of a day, with the break inside that lets all of it count, if one does. */
function newWork(
  lengthMs: DurationMs,
  project: string | null,
  entries: readonly Entry[],
  timeline: Timeline,
  date: LocalDate,
): EntryContent[] | undefined {
  const zone = zoneOn(timeline, date)
  const withBreakOf = (breakMs: DurationMs) => {
    const free = findFreeTime(entries, timeline, date, lengthMs + breakMs)
    const work = free && workAt(free, zone, project)
    const pause = work && breakMs > 0 ? breakInside(work, breakMs, zone) : undefined
    return work && [work, ...(pause ? [pause] : [])]
  }
  const countedMs = (all: readonly EntryContent[]) => netWorkMs(computeDay(all, timeline, date))
  const wantedMs = countedMs(entries) + lengthMs
  const rules = settingsOn(timeline, date)?.break_policy?.rules ?? []
  const choices = [0, ...rules.map(({ required_ms }) => required_ms)].toSorted((a, b) => a - b).map(withBreakOf)
  return choices.find((choice) => choice && countedMs([...entries, ...choice]) >= wantedMs) ?? choices[0]
}

/** True if a change deletes an entry that has a note or tags, or times that somebody chose. */
export function losesDetails(change: EntryMutation): boolean {
  if (change.op !== 'delete') return false
  const { note, tags, source } = change.record
  return note !== '' || tags.length > 0 || source !== 'timesheet'
}

function workAt({ start, end }: Interval, time_zone: string, project: string | null): EntryContent {
  const times = { started_at: instantOf(start), ended_at: instantOf(end), time_zone }
  return newEntry({ kind: 'work', ...times, project, source: 'timesheet', counts: true })
}

/**
 * Keeps the first `keptMs` of the work, and cuts off or deletes what comes later, with the breaks inside that the
 * timesheet made.
 */
function shortened(
  entries: readonly Entry[],
  project: string | null,
  window: Interval,
  keptMs: number,
): EntryMutation[] {
  const cutMs = cutAfter(workedIn(entries, project, window), keptMs)
  const cut = workOf(entries, project).flatMap((record) => {
    const whole = intervalOf(record)
    return whole && whole.end > cutMs && whole.start < window.end ? [{ record, ...whole }] : []
  })
  const isCutOff = (pause: Interval) =>
    cut.some(({ start, end }) => pause.start >= Math.max(start, cutMs) && pause.end <= end)
  const breaks = entries
    .filter(({ kind, source }) => kind === 'break' && source === 'timesheet')
    .filter((record) => {
      const pause = intervalOf(record)
      return pause && isCutOff(pause)
    })
  return [
    ...cut.map(({ record, start }): EntryMutation => {
      if (start >= cutMs) return { op: 'delete', record }
      return { op: 'update', record, patch: { ended_at: instantOf(cutMs) } }
    }),
    ...breaks.map((record): EntryMutation => ({ op: 'delete', record })),
  ]
}

function cutAfter(worked: DisjointIntervals, keptMs: number): EpochMs {
  let left = keptMs
  for (const { start, end } of worked) {
    if (left === 0) return start
    if (left <= end - start) return start + left
    left -= end - start
  }
  return worked.at(-1)?.end ?? 0
}

/** Finds free time of a day. Running work takes the rest of it. */
function findFreeTime(
  entries: readonly Entry[],
  timeline: Timeline,
  date: LocalDate,
  lengthMs: number,
): Interval | undefined {
  const window = dayWindow(timeline, date)
  const taken = entries
    .filter(isTimed)
    .filter((entry) => startsBefore(entry, window.end))
    .map((entry) => intervalOf(entry) ?? { start: Date.parse(entry.started_at), end: window.end })
  return freeTimeFromNine({ date, zone: zoneOn(timeline, date), window }, taken, lengthMs)
}

function startsBefore({ started_at }: TimedRecord, ms: EpochMs): boolean {
  return Date.parse(started_at) < ms
}
