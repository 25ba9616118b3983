import * as v from 'valibot'
import { coveredBy, intervalOf } from './account-function.ts'
import { deductedBreakOf } from './breaks.ts'
import { reportGroups } from './choices.ts'
import { addDays, weekOf } from './date.ts'
import type { DateRange } from './date-range.ts'
import { type EntryContent, isCounted } from './entry.ts'
import { folded, hasWords, wordsOf } from './find-words.ts'
import {
  clip,
  type DisjointIntervals,
  difference,
  type Interval,
  lengthWithin,
  totalLength,
  union,
  within,
} from './interval.ts'
import { dateAt, dayStart, dayWindow, settingsOn, type Timeline } from './timeline.ts'
import { DateText, milliseconds } from './validation.ts'
import type { DurationMs, LocalDate } from './values.ts'

/** Limits which entries count. Empty fields are no limit. */
export interface EntryFilter {
  /** Words that note, project and tags contain, in any order and case, with or without accents. */
  words: string
  kind: EntryContent['kind'] | ''
  project: string
  tag: string
}

/** The filter that every entry passes. */
export const noFilter: EntryFilter = { words: '', kind: '', project: '', tag: '' }

/** Returns the text of an entry in which words are found: note, project and tags, folded. */
export function textOf({ project, note, tags }: EntryContent): string {
  return folded([project ?? '', note, ...tags.map((tag) => `#${tag}`)].join('\n'))
}

/** Returns a function that is true for entries that pass a filter. `text` is their `textOf`, where it is known. */
export function entryMatcher(filter: EntryFilter): (entry: EntryContent, text?: string) => boolean {
  const words = wordsOf(filter.words)
  return (entry, text) =>
    (filter.kind === '' || entry.kind === filter.kind) &&
    (filter.project === '' || entry.project === filter.project) &&
    (filter.tag === '' || entry.tags.includes(filter.tag)) &&
    (words.length === 0 || hasWords(text ?? textOf(entry), words))
}

/** One of `reportGroups`. */
export type ReportGroup = (typeof reportGroups)[number]

/** The time of one project, tag, day, week or month, and the number of its entries. */
export interface ReportLine {
  /** A project or tag, null for entries without one; a date, a week, or a month such as `2026-11`. */
  key: string | null
  timeMs: DurationMs
  entryCount: number
}

/** The lines less `repeatedMs` and `deductedMs` add up to `totalMs` (D12.4). */
export interface Report {
  /** Projects and tags from the longest time to the shortest, dates in their order. */
  lines: ReportLine[]
  /** The time that lines count more than once: once less than there are lines that count it. */
  repeatedMs: DurationMs
  /** The break that the break policy takes off the work of projects or tags. Lines of dates are without it already. */
  deductedMs: DurationMs
  totalMs: DurationMs
  /** The time that chosen work covers which does not count (D12.9). It is no part of the lines or the total. */
  notCountedMs: DurationMs
}

const TimeMs = milliseconds(0, Number.MAX_SAFE_INTEGER)

/** A `Report` of a range of dates over the wire. The key of a line is null for entries without project or tag. */
export const ReportSummary = v.object({
  from: DateText,
  to: DateText,
  group: v.picklist(reportGroups),
  lines: v.array(
    v.object({ key: v.nullable(v.string()), time_ms: TimeMs, entries: v.pipe(v.number(), v.safeInteger()) }),
  ),
  repeated_ms: TimeMs,
  deducted_ms: TimeMs,
  total_ms: TimeMs,
  not_counted_ms: TimeMs,
})
export type ReportSummary = v.InferOutput<typeof ReportSummary>

interface Day {
  date: LocalDate
  window: Interval
  covered: Interval[]
  deductedMs: DurationMs
}

interface Selection {
  entries: { entry: EntryContent; interval: Interval }[]
  /** Returns the time that some of the entries cover, without breaks in work. */
  lengthOf(intervals: readonly Interval[]): DurationMs
  /** The days with covered time, in order. */
  days: Day[]
  /** The time of the chosen work that does not count. */
  notCounted: DisjointIntervals
}

/**
 * Returns the time that entries cover within the dates of a range, by groups (D12). `entries` are all of the account,
 * because breaks take time from work whatever the filter says. `matches` says which pass it, where that is known.
 */
export function reportOf(
  entries: readonly EntryContent[],
  timeline: Timeline,
  filter: EntryFilter,
  range: DateRange,
  group: ReportGroup,
  matches: (entry: EntryContent) => boolean = entryMatcher(filter),
): Report {
  const selection = selectTime(entries, timeline, filter, range, matches)
  const totalMs = timeOf(selection.days)
  const notCountedMs = totalLength(selection.notCounted)
  if (group !== 'project' && group !== 'tag') {
    return { lines: dateLines(selection, timeline, group), repeatedMs: 0, deductedMs: 0, totalMs, notCountedMs }
  }
  const lines = nameLines(selection, group)
  const deductedMs = selection.days.reduce((sum, day) => sum + day.deductedMs, 0)
  const linesMs = lines.reduce((sum, line) => sum + line.timeMs, 0)
  return { lines, repeatedMs: linesMs - deductedMs - totalMs, deductedMs, totalMs, notCountedMs }
}

/** Returns the total of a report: for a range of dates without a filter, the work that the account counts (D12.5). */
export function reportedTime(
  entries: readonly EntryContent[],
  timeline: Timeline,
  filter: EntryFilter,
  range: DateRange,
): DurationMs {
  return timeOf(selectTime(entries, timeline, filter, range, entryMatcher(filter)).days)
}

function timeOf(days: readonly Day[]): DurationMs {
  return days.reduce((sum, { covered, deductedMs }) => sum + totalLength(covered) - deductedMs, 0)
}

function selectTime(
  entries: readonly EntryContent[],
  timeline: Timeline,
  filter: EntryFilter,
  range: DateRange,
  matches: (entry: EntryContent) => boolean,
): Selection {
  const bounds = { start: dayStart(timeline, range.from), end: dayStart(timeline, addDays(range.to, 1)) }
  const kind = filter.kind === 'break' ? 'break' : 'work'
  const chosen = entries.flatMap((entry) => {
    if (entry.kind !== kind || !matches(entry)) return []
    const interval = clip(intervalOf(entry) ?? { start: 0, end: 0 }, bounds)
    return interval.start < interval.end ? [{ entry, interval }] : []
  })
  const selected = chosen.filter(({ entry }) => isCounted(entry))
  const notCounted = union(chosen.filter(({ entry }) => !isCounted(entry)).map(({ interval }) => interval))
  const breaks = coveredBy('break', entries, bounds)
  const removed = kind === 'break' ? [] : breaks
  const removedIn = lengthWithin(removed)
  const days = splitByDay(difference(union(selected.map(({ interval }) => interval)), removed), timeline)
  // Only all work of a day together has a break deducted.
  const isAllWork = kind === 'work' && wordsOf(filter.words).length === 0 && filter.project === '' && filter.tag === ''
  return {
    entries: selected,
    lengthOf: (intervals) =>
      union(intervals).reduce((sum, interval) => sum + interval.end - interval.start - removedIn(interval), 0),
    days: isAllWork ? deductBreaks(days, breaks, timeline) : days,
    notCounted,
  }
}

/** Splits covered time at the borders of days. */
function splitByDay(covered: DisjointIntervals, timeline: Timeline): Day[] {
  const days: Day[] = []
  for (const { start, end } of covered) {
    let at = start
    while (at < end) {
      let day = days.at(-1)
      if (!day || at >= day.window.end) {
        const date = dateAt(timeline, at)
        day = { date, window: dayWindow(timeline, date), covered: [], deductedMs: 0 }
        days.push(day)
      }
      const until = Math.min(end, day.window.end)
      day.covered.push({ start: at, end: until })
      at = until
    }
  }
  return days
}

/** Returns the days with the break that the policy of each deducts from its work. */
function deductBreaks(days: readonly Day[], breaks: DisjointIntervals, timeline: Timeline): Day[] {
  return days.map((day) => {
    const policy = settingsOn(timeline, day.date)?.break_policy ?? null
    return { ...day, deductedMs: deductedBreakOf(policy, day.covered, within(breaks, day.window), day.window) }
  })
}

function nameLines({ entries, lengthOf }: Selection, group: 'project' | 'tag'): ReportLine[] {
  const intervalsByName = new Map<string | null, Interval[]>()
  for (const { entry, interval } of entries) {
    const names = group === 'project' ? [entry.project].filter((name) => name !== '') : entry.tags
    for (const name of names.length > 0 ? names : [null]) {
      const intervals = intervalsByName.get(name)
      if (intervals) intervals.push(interval)
      else intervalsByName.set(name, [interval])
    }
  }
  return [...intervalsByName]
    .map(([key, intervals]) => ({ key, timeMs: lengthOf(intervals), entryCount: intervals.length }))
    .sort((a, b) => b.timeMs - a.timeMs || ((a.key ?? '') < (b.key ?? '') ? -1 : 1))
}

/** Returns a line for each day, week or month with entries, in order. An entry counts in each that it touches. */
function dateLines({ entries, days }: Selection, timeline: Timeline, group: 'day' | 'week' | 'month'): ReportLine[] {
  const intervals = entries.map(({ interval }) => interval)
  const boundsByKey = new Map<string, Interval>()
  for (const { date, window } of splitByDay(union(intervals), timeline)) {
    const key = dateKeyOf(date, group)
    boundsByKey.set(key, { start: boundsByKey.get(key)?.start ?? window.start, end: window.end })
  }
  const timeByKey = new Map<string, DurationMs>()
  for (const day of days) {
    const key = dateKeyOf(day.date, group)
    timeByKey.set(key, (timeByKey.get(key) ?? 0) + timeOf([day]))
  }
  // A day, week or month is touched by what starts before its end, without what ends before it starts.
  const starts = Float64Array.from(intervals, ({ start }) => start).sort()
  const ends = Float64Array.from(intervals, ({ end }) => end).sort()
  let [started, ended] = [0, 0]
  return [...boundsByKey].map(([key, bounds]) => {
    while ((starts[started] ?? Infinity) < bounds.end) started += 1
    while ((ends[ended] ?? Infinity) <= bounds.start) ended += 1
    return { key, timeMs: timeByKey.get(key) ?? 0, entryCount: started - ended }
  })
}

function dateKeyOf(date: LocalDate, group: 'day' | 'week' | 'month'): string {
  if (group === 'day') return date
  return group === 'week' ? weekOf(date) : date.slice(0, 7)
}
