import type { Closings, ForecastDay } from '@saldo/client'
import {
  addDays,
  type ClosedWeek,
  computeDay,
  type DateRange,
  type DurationMs,
  datesOfWeek,
  dayWarnings,
  type Entry,
  type IsoWeek,
  identifiedEntriesOf,
  type LocalDate,
  mondayOf,
  type Settings,
  sumOfDeltas,
  type Timeline,
  weekOf,
} from '@saldo/core'

/** A finished week that nobody has closed yet. */
export interface OpenWeek {
  week: IsoWeek
  /** Its Sunday. */
  lastDate: LocalDate
  deltaMs: DurationMs
}

/**
 * Returns the dates from the beginning of the account to the end of last week; `undefined` if there are none. The first
 * row of a shown timeline is for the time before the account.
 */
export function finishedWeeks(timeline: Timeline<Settings>, today: LocalDate): DateRange | undefined {
  const from = timeline[1]?.effective_from
  const to = addDays(mondayOf(weekOf(today)), -1)
  return from !== undefined && from <= to ? { from, to } : undefined
}

/** Returns the weeks of the account that are over and not closed, the oldest first. */
export function openWeeksOf(
  days: readonly ForecastDay[],
  closedWeeks: readonly Pick<ClosedWeek, 'week'>[],
  today: LocalDate,
): OpenWeek[] {
  const closed = new Set(closedWeeks.map(({ week }) => week))
  const counted = days.filter(({ state }) => state !== 'outside')
  return [...Map.groupBy(counted, ({ date }) => weekOf(date))].flatMap(([week, ofWeek]) => {
    const lastDate = datesOfWeek(week)[6] as LocalDate
    const deltaMs = sumOfDeltas(ofWeek.map(({ forecast }) => forecast))
    return lastDate < today && !closed.has(week) ? [{ week, lastDate, deltaMs }] : []
  })
}

/** Returns how many days of a week somebody should check: those with a warning, and working days without any entry. */
export function daysToCheck(
  { week }: Pick<OpenWeek, 'week'>,
  entriesOn: ReadonlyMap<LocalDate, readonly Entry[]>,
  timeline: Timeline<Settings>,
): number {
  return datesOfWeek(week).filter((date) => {
    const entries = entriesOn.get(date) ?? []
    if (entries.length === 0) return computeDay([], timeline, date).target_ms > 0
    return dayWarnings(identifiedEntriesOf(entries), timeline, date).length > 0
  }).length
}

/** Returns the open weeks up to a chosen one, with it; none without one. */
export function weeksUntil(openWeeks: readonly OpenWeek[], until: IsoWeek | undefined): OpenWeek[] {
  return openWeeks.filter(({ week }) => until !== undefined && week <= until)
}

/** One open week is usual at the start of the next. */
const MANY = 2

/**
 * Returns the newest of many open weeks, if the user should close them: the service does not do so by itself, and the
 * user did not postpone it while this week was the newest.
 */
export function weekToRemind(
  openWeeks: readonly OpenWeek[],
  autoClose: Settings['auto_close'] | undefined,
  postponed: string | null,
): IsoWeek | undefined {
  const newest = openWeeks.at(-1)?.week
  return openWeeks.length < MANY || autoClose || postponed === newest ? undefined : newest
}

/** Returns the action that closes weeks one after another; its undo reopens those that it has closed. */
export function undoableClosingOfWeeks(closings: Closings<IsoWeek>, weeks: readonly IsoWeek[]) {
  const closed: IsoWeek[] = []
  return {
    async make() {
      for (const week of weeks) {
        await closings.close(week)
        closed.push(week)
      }
    },
    async takeBack() {
      for (const week of closed) await closings.reopen(week)
    },
  }
}

const postponedKeyOf = (user: number) => `saldo.postponed-open-weeks.${user}`

/** Returns the newest open week at the time when the user postponed closing on this device. */
export function postponedWeek(user: number): string | null {
  return localStorage.getItem(postponedKeyOf(user))
}

/** Hides the reminder of open weeks until a newer week is over. */
export function postponeWeek(user: number, newest: IsoWeek): void {
  localStorage.setItem(postponedKeyOf(user), newest)
}
