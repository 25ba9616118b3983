import { addDays, type DateRange, type Entry, type LocalDate } from '@saldo/core'
import type { Week } from '../shown-week.ts'
import { projectsIn } from './cells.ts'

export type Project = string | null

/** Returns the projects of the rows: those of the week, then added ones; without any, one row without a project. */
export function projectRows(entries: readonly Entry[], added: readonly Project[]): Project[] {
  const used = [...new Set([...projectsIn(entries), ...added])]
  return used.length > 0 ? used : [null]
}

/** Returns the names of projects that have no row yet. */
export function projectsWithoutRow(all: readonly Entry[], rows: readonly Project[]): string[] {
  return projectsIn(all)
    .filter((project) => project !== null)
    .filter((project) => !rows.includes(project))
}

/** Returns the days of the week before. */
export function weekBefore(dates: readonly LocalDate[]): DateRange {
  const [first, last] = [dates[0], dates.at(-1)] as [LocalDate, LocalDate]
  return { from: addDays(first, -7), to: addDays(last, -7) }
}

/** Returns the date that a narrow screen shows first: today, or the first one of another week. */
export function dateShownFirst({ dates, today }: Pick<Week, 'dates' | 'today'>): LocalDate {
  return dates.includes(today) ? today : (dates[0] as LocalDate)
}
