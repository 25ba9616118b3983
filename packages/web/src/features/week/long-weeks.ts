import type { ForecastDay } from '@saldo/client'
import {
  addDays,
  type DateRange,
  type DurationMs,
  type HintCountry,
  type IsoWeek,
  type Settings,
  settingsOn,
  type Timeline,
  weekOf,
  weeksOfHint,
} from '@saldo/core'
import { rangeOfWeek } from './shown-week.ts'
import { countedMs } from './week-days.ts'

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
    if (state !== 'outside') worked.set(weekOf(date), (worked.get(weekOf(date)) ?? 0) + countedMs(forecast))
  }
  return [...worked.values()]
}
