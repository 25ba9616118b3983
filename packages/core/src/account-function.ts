import { type Absence, absenceParts, targetAndCredit } from './absence.ts'
import { deductedBreakOf } from './breaks.ts'
import { type ClosedDay, figureSchemas } from './closing.ts'
import { addDays } from './date.ts'
import { type DateRange, datesIn, groupByDates } from './date-range.ts'
import {
  type Entry,
  type EntryContent,
  type GrantContent,
  isCounted,
  isGrant,
  isTimed,
  sizeOf,
  type TimedEntryContent,
} from './entry.ts'
import { epochMs } from './instant.ts'
import { type DisjointIntervals, difference, type Interval, totalLength, union, within } from './interval.ts'
import { fieldsFor, itemAt, namesOf } from './list.ts'
import { datesOverlapping, dayStart, plannedUnder, settingsOn, type Timeline, zoneOn } from './timeline.ts'
import type { EpochMs, LocalDate, RecordId } from './values.ts'

/** The name of a closed-period figure, such as `delta_ms`. */
export type FigureName = keyof typeof figureSchemas
/** The names of all closed-period figures. */
export const figureNames = namesOf(figureSchemas)

/** The closed-period figures of a day, or of a week: the sums of those of its days. In milliseconds. */
export type PeriodFigures = Pick<ClosedDay, FigureName>

/** The figures of one day, in milliseconds. A date outside the account has zeros and `settings_id` null. */
export type DayFigures = PeriodFigures & Pick<ClosedDay, 'date' | 'time_zone' | 'settings_id'>

/** Returns the interval of a finished timed entry, `undefined` for other entries. */
export function intervalOf(entry: EntryContent): Interval | undefined {
  if (!isTimed(entry) || entry.ended_at === null) return undefined
  return { start: epochMs(entry.started_at), end: epochMs(entry.ended_at) }
}

/**
 * Returns the time within `bounds` that finished entries of a kind cover, without work that does not count. Time that
 * several cover counts once.
 */
export function coveredBy(
  kind: 'work' | 'break',
  entries: readonly EntryContent[],
  bounds: Interval,
): DisjointIntervals {
  const ofKind = entries.filter((entry) => entry.kind === kind)
  return within(timeOf(kind, accountEntriesOf(ofKind)), bounds)
}

/** Work or a break, as the account reads it. */
interface AccountInterval {
  kind: TimedEntryContent['kind']
  start: EpochMs
  /** Null while the entry runs. */
  end: EpochMs | null
}
/** An absence, as the account reads it. */
export type AccountAbsence = Absence & { date: LocalDate }
/** Granted vacation days, which the account of working time ignores. */
interface AccountGrant {
  kind: GrantContent['kind']
  date: LocalDate
  days: number
}

/** An entry as the account reads it: without texts, and with times as numbers. */
export type AccountEntry = AccountInterval | AccountAbsence | AccountGrant

/** The same with the id of the entry. */
export type IdentifiedEntry = AccountEntry & { id: RecordId }

/** Returns an entry as the account reads it; `undefined` for work that does not count (D3.62). */
export function accountEntryOf(entry: EntryContent): AccountEntry | undefined {
  if (!isCounted(entry)) return undefined
  if (isGrant(entry)) return { kind: entry.kind, date: entry.date, days: entry.days }
  if (!isTimed(entry)) return { ...sizeOf(entry), kind: entry.kind, date: entry.date }
  const { kind, started_at, ended_at } = entry
  return { kind, start: epochMs(started_at), end: ended_at === null ? null : epochMs(ended_at) }
}

/** Returns entries as the account reads them, without work that does not count. */
export function accountEntriesOf(entries: readonly EntryContent[]): AccountEntry[] {
  return entries.flatMap((entry) => accountEntryOf(entry) ?? [])
}

/** Returns the same, each with the id of its entry. */
export function identifiedEntriesOf(entries: readonly Entry[]): IdentifiedEntry[] {
  return entries.flatMap((entry) => {
    const read = accountEntryOf(entry)
    return read ? [{ ...read, id: entry.id }] : []
  })
}

/**
 * The account function: returns the figures of a day from entries and settings alone (D3.1). `entries` may include
 * entries of other days; a running entry counts nothing; neither order nor division of the entries makes a
 * difference.
 */
export function computeDay(entries: readonly EntryContent[], timeline: Timeline, date: LocalDate): DayFigures {
  return itemAt(computeDays(accountEntriesOf(entries), timeline, { from: date, to: date }), 0)
}

/**
 * Returns the figures of each day of a range, in order: the account function for many days at once. The time that
 * entries cover is united once for the whole range, so an entry of many days costs no more than one of an hour.
 */
export function computeDays(entries: readonly AccountEntry[], timeline: Timeline, range: DateRange): DayFigures[] {
  const { worked, breaks } = coveredTime(entries)
  const absencesByDate = Map.groupBy(entries.filter(isAccountAbsence), ({ date }) => date)
  const dates = [...datesIn(range)]
  let end = dayStart(timeline, range.from)
  return dates.map((date) => {
    const start = end
    end = dayStart(timeline, addDays(date, 1))
    const window = { start, end }
    const absences = absencesByDate.get(date) ?? []
    return figuresOf(date, window, within(worked, window), within(breaks, window), absences, timeline)
  })
}

/** Returns the time that finished breaks cover, and the time worked: that finished work covers and breaks do not. */
export function coveredTime(entries: readonly AccountEntry[]): {
  worked: DisjointIntervals
  breaks: DisjointIntervals
} {
  const breaks = timeOf('break', entries)
  return { worked: difference(timeOf('work', entries), breaks), breaks }
}

/** True for work or a break that runs. */
export function isRunningEntry<E extends AccountEntry>(entry: E): entry is E & AccountInterval & { end: null } {
  return 'start' in entry && entry.end === null
}

/**
 * Returns the dates that an entry overlaps: of a running one the date on which it began; none of a finished one without
 * length.
 */
export function entryDates(entry: AccountEntry, timeline: Timeline): DateRange | undefined {
  if (!('start' in entry)) return { from: entry.date, to: entry.date }
  return datesOverlapping(timeline, { start: entry.start, end: entry.end ?? entry.start + 1 })
}

/** True for work or a break with an end. */
function isFinished(entry: AccountEntry): entry is AccountInterval & Interval {
  return 'start' in entry && entry.end !== null
}

/** True for an absence. */
export function isAccountAbsence<E extends AccountEntry>(entry: E): entry is E & AccountAbsence {
  return 'day_share' in entry
}

/** Returns the time that finished entries of a kind cover. */
function timeOf(kind: 'work' | 'break', entries: readonly AccountEntry[]): DisjointIntervals {
  return union(entries.filter(isFinished).filter((entry) => entry.kind === kind))
}

/** Returns the figures of a date from the work and the breaks in its window, and from its absences. */
function figuresOf(
  date: LocalDate,
  window: Interval,
  work: DisjointIntervals,
  breaks: DisjointIntervals,
  absences: readonly Absence[],
  timeline: Timeline,
): DayFigures {
  const settings = settingsOn(timeline, date)
  const time_zone = zoneOn(timeline, date)
  if (!settings) return { date, time_zone, ...sumFigures([]), settings_id: null }

  const workedMs = totalLength(work)
  const deductedMs = deductedBreakOf(settings.break_policy, work, breaks, window)
  const plannedMs = plannedUnder(settings, date)
  const { targetMs, creditedMs } = targetAndCredit(plannedMs, workedMs - deductedMs, absenceParts(absences, plannedMs))
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
export function sumFigures(days: readonly PeriodFigures[]): PeriodFigures {
  return fieldsFor(figureNames, (name) => days.reduce((sum, day) => sum + day[name], 0))
}

/**
 * Returns the affected range of an entry: the dates whose figures it can change, and the date of granted vacation,
 * which changes the vacation account only. `undefined` if it changes nothing, such as a request.
 */
export function affectedRange(entry: EntryContent, timeline: Timeline): DateRange | undefined {
  if (!isCounted(entry)) return undefined
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
  return groupByDates(entries, (entry) => affectedRange(entry, timeline), range)
}
