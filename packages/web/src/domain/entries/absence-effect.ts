import { type EntryMutation, entriesAfter } from '@saldo/client/entries'
import {
  computeDay,
  type DurationMs,
  type Entry,
  type EntryContent,
  isAbsence,
  isTimed,
  type LocalDate,
  plannedOn,
  shareOfDay,
  type Timeline,
  vacationOn,
} from '@saldo/core'

/** Returns the target time of a date that time off in lieu leaves unworked. `entries` may include others. */
export function lieuOn(date: LocalDate, entries: readonly EntryContent[], timeline: Timeline): DurationMs {
  const absences = entries.filter((entry) => isAbsence(entry)).filter((absence) => absence.date === date)
  const lieu = absences.filter(({ kind }) => kind === 'time_off_in_lieu')
  if (lieu.length === 0) return 0
  const plannedMs = plannedOn(timeline, date)
  const share = Math.min(
    1,
    lieu.reduce((total, size) => total + shareOfDay(size, plannedMs), 0),
  )
  const { target_ms, credited_ms } = computeDay(absences, timeline, date)
  return Math.min(target_ms - credited_ms, Math.round(plannedMs * share))
}

/**
 * Returns the change of the balance if absences are changed: on past dates by the figures of the days, on others if
 * they are worked as planned. `entries` are those of the dates before and after the changes.
 */
export function balanceEffect(
  entries: readonly Entry[],
  changes: readonly EntryMutation[],
  timeline: Timeline,
  today: LocalDate,
): DurationMs {
  const after = entriesAfter(entries, changes)
  const deltaOn = (date: LocalDate, some: readonly EntryContent[]) =>
    date < today ? computeDay(some, timeline, date).delta_ms : 0 - lieuOn(date, some, timeline)
  return absenceDates(after, changes).reduce((sum, date) => sum + deltaOn(date, after) - deltaOn(date, entries), 0)
}

/** Returns how many more days of vacation are taken in a year if absences are changed. */
export function vacationEffect(
  entries: readonly Entry[],
  changes: readonly EntryMutation[],
  timeline: Timeline,
  year: number,
): number {
  const after = entriesAfter(entries, changes)
  const dates = absenceDates(after, changes).filter((date) => Number(date.slice(0, 4)) === year)
  return dates.reduce((sum, date) => sum + vacationOn(after, timeline, date) - vacationOn(entries, timeline, date), 0)
}

/** Returns the dates of absences before and after changes. */
function absenceDates(after: readonly EntryContent[], changes: readonly EntryMutation[]): LocalDate[] {
  const changed = [...changes.flatMap((change) => ('record' in change ? [change.record] : [])), ...after]
  return [...new Set(changed.flatMap((entry) => (isTimed(entry) ? [] : [entry.date])))]
}
