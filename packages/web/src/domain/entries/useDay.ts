import type { ShownRecord } from '@saldo/client'
import { type AbsenceRecord, type ShownTimeline, stoppedAt, type TimedRow, timedIn } from '@saldo/client/entries'
import { useEntries } from '@saldo/client/react'
import {
  addDays,
  breaksBetween,
  computeDay,
  coveredBy,
  type DayFigures,
  type DurationMs,
  dateAt,
  datesIn,
  dayWindow,
  difference,
  type Entry,
  type EntryContent,
  type EpochMs,
  epochMs,
  type Interval,
  isAbsence,
  isTimed,
  itemAt,
  type LocalDate,
  MINUTE_MS,
  type Settings,
  type Timeline,
  type ZoneName,
  zoneOn,
} from '@saldo/core'
import { useMemo } from 'react'
import { useNow } from '../../context/clock.ts'
import { useTimeline, useToday } from '../account/TimelineProvider.tsx'
import { daysAround } from '../date-ranges.ts'

export interface Day {
  date: LocalDate
  today: LocalDate
  zone: ZoneName
  window: Interval
  timeline: Timeline<Settings>
  /** True if the account counts the day. */
  counts: boolean
  /** The entries of the day and of the days around it. */
  entries: Entry[]
  /** In the order of their starts. */
  timed: TimedRow[]
  absences: ShownRecord<AbsenceRecord>[]
}

/** Returns a day's entries and settings; `undefined` until they are read. */
export function useDay(date: LocalDate): Day | undefined {
  const { timeline, counts } = useTimeline()
  const nowMs = useNow(MINUTE_MS)
  const today = useToday()
  const rows = useEntries(daysAround(date))
  return useMemo(
    () => rows && shownDay(date, rows, { timeline, counts }, today, nowMs),
    [timeline, counts, rows, date, today, nowMs],
  )
}

/** Returns a day for display. `rows` are its entries and those of the days around it. */
export function shownDay(
  date: LocalDate,
  rows: readonly ShownRecord<Entry>[],
  { timeline, counts }: ShownTimeline,
  today: LocalDate,
  nowMs: EpochMs,
): Day {
  const window = dayWindow(timeline, date)
  return {
    date,
    today,
    zone: zoneOn(timeline, date),
    window,
    timeline,
    counts: counts(date),
    entries: rows.map(({ record }) => record),
    timed: timedIn(rows, window, nowMs),
    absences: rows.flatMap(({ record, pending }) =>
      isAbsence(record) && record.date === date ? [{ record, pending }] : [],
    ),
  }
}

/** Returns the breaks taken on a day: the gaps in its work that are no rest, recorded or not. */
export function takenBreaksMs(entries: readonly EntryContent[], window: Interval): DurationMs {
  return breaksBetween(difference(coveredBy('work', entries, window), coveredBy('break', entries, window)))
}

/** The day's figures if everything that runs were stopped now. */
export function figuresAt(
  { entries, timeline, date }: Pick<Day, 'entries' | 'timeline' | 'date'>,
  nowMs: EpochMs,
): DayFigures {
  return computeDay(stoppedAt(entries, nowMs), timeline, date)
}

/** The days over which a running entry can count: entries last 31 days at most. */
const LONGEST_DAYS = 31

/**
 * Returns what the balance of the days before a day gains or loses once everything that runs is stopped now: a timer
 * over midnight counts on both days, and the balance has none of it yet.
 */
export function runningBeforeMs(
  { entries, timeline, date }: Pick<Day, 'entries' | 'timeline' | 'date'>,
  counts: ShownTimeline['counts'],
  nowMs: EpochMs,
): DurationMs {
  const begun = entries.filter(isTimed).filter(({ ended_at }) => ended_at === null)
  const dates = begun.map(({ started_at }) => dateAt(timeline, epochMs(started_at)))
  const [first] = [...dates, date].toSorted()
  const from = itemAt([first ?? date, addDays(date, -LONGEST_DAYS)].toSorted(), 1)
  const stopped = stoppedAt(entries, nowMs)
  const deltaOn = (day: LocalDate, all: readonly Entry[]) => computeDay(all, timeline, day).delta_ms
  return [...datesIn({ from, to: addDays(date, -1) })]
    .filter(counts)
    .reduce((sum, day) => sum + deltaOn(day, stopped) - deltaOn(day, entries), 0)
}
