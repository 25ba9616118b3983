import type { ForecastDay } from '@saldo/client'
import {
  addDays,
  type DateRange,
  type DurationMs,
  type HintCountry,
  type IsoWeek,
  type LocalDate,
  weekOf,
  weeksOfHint,
} from '@saldo/core'
import { countedMs } from './week-days.ts'

/** Returns the weeks up to a Sunday over which a country's law takes the average of the work. */
export function hintedWeeks(sunday: LocalDate, country: HintCountry): DateRange {
  return { from: addDays(sunday, 1 - 7 * weeksOfHint(country)), to: sunday }
}

/** Returns the work of each week of the account, in the order of days. */
export function workedByWeek(days: readonly Pick<ForecastDay, 'date' | 'state' | 'forecast'>[]): DurationMs[] {
  const worked = new Map<IsoWeek, DurationMs>()
  for (const { date, state, forecast } of days) {
    if (state !== 'outside') worked.set(weekOf(date), (worked.get(weekOf(date)) ?? 0) + countedMs(forecast))
  }
  return [...worked.values()]
}
