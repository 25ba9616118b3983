import type { ForecastDay, ShownRecord } from '@saldo/client'
import {
  addDays,
  type ClosedWeek,
  type DateRange,
  datesOfWeek,
  type Entry,
  type EpochMs,
  type IsoWeek,
  type LocalDate,
  mondayOf,
  type Settings,
  type Timeline,
  type WeekHint,
} from '@saldo/core'
import { type ClosingIssue, closingIssues } from './closing-issues.ts'
import { rowsTouching, type WeekDay, type WeekSums, weekDays, weekSums } from './week-days.ts'

export interface Week {
  week: IsoWeek
  dates: LocalDate[]
  today: LocalDate
  days: WeekDay[]
  sums: WeekSums
  /** The entries that touch the week. */
  entries: Entry[]
  timeline: Timeline<Settings>
  /** Present if the service closed the week. */
  closed: ClosedWeek | undefined
  issues: ClosingIssue[]
}

/** Returns the days of a week. */
export function rangeOfWeek(week: IsoWeek): DateRange {
  const from = mondayOf(week)
  return { from, to: addDays(from, 6) }
}

/** The records that a week is made from. */
export interface WeekRecords {
  forecast: readonly ForecastDay[]
  /** The entries of the week and of the days around it. */
  rows: readonly ShownRecord<Entry>[]
  closedWeeks: readonly ClosedWeek[]
  longWeeks: WeekHint | undefined
}

/** Returns a week for display. */
export function shownWeek(
  week: IsoWeek,
  { forecast, rows, closedWeeks, longWeeks }: WeekRecords,
  timeline: Timeline<Settings>,
  today: LocalDate,
  nowMs: EpochMs,
): Week {
  const range = rangeOfWeek(week)
  const touching = rowsTouching(range, rows, timeline, nowMs)
  const entries = touching.map(({ record }) => record)
  const around = rows.map(({ record }) => record)
  const days = weekDays(forecast, entries, timeline, today, nowMs)
  const unsentCount = touching.filter(({ pending }) => pending).length
  return {
    week,
    dates: datesOfWeek(week),
    today,
    days,
    sums: weekSums(days),
    entries,
    timeline,
    closed: closedWeeks.find((closed) => closed.week === week),
    issues: closingIssues(days, around, timeline, unsentCount, addDays(range.to, 1), longWeeks),
  }
}
