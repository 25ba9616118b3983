import type { ForecastDay, ShownRecord } from '@saldo/client'
import {
  addDays,
  type ClosedWeek,
  type DateRange,
  type DurationMs,
  datesOfWeek,
  type Entry,
  type EpochMs,
  type HintCountry,
  type IsoWeek,
  type LocalDate,
  mondayOf,
  netWorkMs,
  type Settings,
  settingsOn,
  type Timeline,
  type WeekHint,
  weekOf,
  weeksOfHint,
} from '@saldo/core'
import { rowsTouching, type WeekDay, type WeekSums, weekDays, weekSums } from './week-days.ts'
import { type ClosingIssue, closingIssues } from './week-model.ts'

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

/** The country whose law a week is compared with, and the weeks over which that law takes the average of the work. */
interface WeekLaw {
  country: HintCountry
  weeks: DateRange
}

/** Returns the law of a week: that of the settings on its Sunday; `undefined` without hints. */
export function lawOfWeek(week: IsoWeek, timeline: Timeline<Settings>): WeekLaw | undefined {
  const { to } = rangeOfWeek(week)
  const country = settingsOn(timeline, to)?.hints
  return country ? { country, weeks: { from: addDays(to, 1 - 7 * weeksOfHint(country)), to } } : undefined
}

/** Returns the work of each week of the account, in the order of days. */
export function workedByWeek(days: readonly Pick<ForecastDay, 'date' | 'state' | 'forecast'>[]): DurationMs[] {
  const worked = new Map<IsoWeek, DurationMs>()
  for (const { date, state, forecast } of days) {
    if (state !== 'outside') worked.set(weekOf(date), (worked.get(weekOf(date)) ?? 0) + netWorkMs(forecast))
  }
  return [...worked.values()]
}
