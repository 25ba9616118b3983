import { absenceShares, targetAndCredit } from './absence.ts'
import { deductedBreak, takenBreak } from './breaks.ts'
import { type DateRange, datesIn, weekdayIndex } from './date.ts'
import { epochMs } from './instant.ts'
import { clip, type DisjointIntervals, difference, type Interval, totalLength, union } from './interval.ts'
import { type ClosedDay, type EntryContent, figures, isTimed } from './record.ts'
import { datesOverlapping, dayWindow, settingsOn, type Timeline, zoneOn } from './timeline.ts'
import type { LocalDate } from './values.ts'

export type FigureName = keyof typeof figures
export const figureNames = Object.keys(figures) as FigureName[]

/** The figures of a week, in milliseconds: the sums of the figures of its days. */
export type WeekFigures = Pick<ClosedDay, FigureName>

/** The figures of one day, in milliseconds. A date outside the account has zeros and `settings_id` null. */
export type DayFigures = WeekFigures & Pick<ClosedDay, 'date' | 'time_zone' | 'settings_id'>

/** Returns the interval of an entry, `undefined` for an absence and for an entry that is still running. */
export function intervalOf(entry: EntryContent): Interval | undefined {
  if (!isTimed(entry) || entry.ended_at === null) return undefined
  return { start: epochMs(entry.started_at), end: epochMs(entry.ended_at) }
}

/** Returns the time within a window that finished entries of a kind cover. Time that several cover counts once. */
export function coveredBy(
  kind: 'work' | 'break',
  entries: readonly EntryContent[],
  window: Interval,
): DisjointIntervals {
  return union(
    entries
      .filter((entry) => entry.kind === kind)
      .map(intervalOf)
      .filter((interval) => interval !== undefined)
      .map((interval) => clip(interval, window)),
  )
}

/**
 * The account function: returns the figures of a day from entries and settings alone (D3.1). `entries` may include
 * entries of other days; a running entry counts nothing; neither order nor division of the entries makes a
 * difference.
 */
export function computeDay(entries: readonly EntryContent[], timeline: Timeline, date: LocalDate): DayFigures {
  const settings = settingsOn(timeline, date)
  const time_zone = zoneOn(timeline, date)
  if (!settings) return { date, time_zone, ...computeWeek([]), settings_id: null }

  const window = dayWindow(timeline, date)
  const breaks = coveredBy('break', entries, window)
  const worked = difference(coveredBy('work', entries, window), breaks)
  const workedMs = totalLength(worked)
  const policy = settings.break_policy
  const deductedMs = policy ? deductedBreak(policy, workedMs, takenBreak(policy, worked, breaks, window)) : 0

  const absences = entries.filter((entry) => !isTimed(entry)).filter((absence) => absence.date === date)
  const plannedMs = settings.target_ms[weekdayIndex(date)] as number
  const { targetMs, creditedMs } = targetAndCredit(plannedMs, workedMs - deductedMs, absenceShares(absences))
  return {
    date,
    time_zone,
    target_ms: targetMs,
    worked_ms: workedMs,
    break_ms: totalLength(breaks),
    deducted_break_ms: deductedMs,
    credited_ms: creditedMs,
    delta_ms: workedMs - deductedMs + creditedMs - targetMs,
    settings_id: settings.id,
  }
}

/** Returns the sums of the figures of days. */
export function computeWeek(days: readonly WeekFigures[]): WeekFigures {
  const sums = figureNames.map((name) => [name, days.reduce((sum, day) => sum + day[name], 0)])
  return Object.fromEntries(sums) as WeekFigures
}

/** Returns the affected range of an entry: the dates whose figures it can change; `undefined` if it changes none. */
export function affectedRange(entry: EntryContent, timeline: Timeline): DateRange | undefined {
  if (!isTimed(entry)) return { from: entry.date, to: entry.date }
  const interval = intervalOf(entry)
  return interval && datesOverlapping(timeline, interval)
}

/** Returns the entries that affect each date of a range, so that computing many days does not search all entries. */
export function entriesByDate<E extends EntryContent>(
  entries: readonly E[],
  timeline: Timeline,
  range: DateRange,
): Map<LocalDate, E[]> {
  const byDate = new Map<LocalDate, E[]>()
  for (const entry of entries) {
    const affected = affectedRange(entry, timeline)
    if (!affected) continue
    const from = affected.from > range.from ? affected.from : range.from
    const to = affected.to < range.to ? affected.to : range.to
    for (const date of datesIn({ from, to })) {
      const ofDate = byDate.get(date)
      if (ofDate) ofDate.push(entry)
      else byDate.set(date, [entry])
    }
  }
  return byDate
}
