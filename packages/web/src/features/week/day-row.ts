import { type AbsenceRecord, isAbsenceRecord } from '@saldo/client/entries'
import { dayWarnings, identifiedEntriesOf } from '@saldo/core'
import type { Week } from './shown-week.ts'
import type { WeekDay } from './week-days.ts'

/** A row of the table of days, beside its figures. */
export interface DayRow {
  isToday: boolean
  /** True if the day is still to come. */
  isAhead: boolean
  /** True if an entry needs a look; a timer that runs does not. */
  hasWarning: boolean
  /** True if the day's delta says something: inside the account, and not ahead. */
  hasDelta: boolean
  absences: AbsenceRecord[]
}

export function dayRowOf(
  { date, state, isOver }: Pick<WeekDay, 'date' | 'state' | 'isOver'>,
  { today, entries, timeline }: Pick<Week, 'today' | 'entries' | 'timeline'>,
): DayRow {
  const isToday = date === today
  const isAhead = !isOver && !isToday
  const warnings = dayWarnings(identifiedEntriesOf(entries), timeline, date)
  return {
    isToday,
    isAhead,
    hasWarning: warnings.some(({ code }) => code !== 'still_running'),
    hasDelta: state !== 'outside' && !isAhead,
    absences: entries.filter(isAbsenceRecord).filter((absence) => absence.date === date),
  }
}

/** Returns what the lock of a day does; `locked` if its closed week keeps it closed, `undefined` without a lock. */
export function dayLockOf(
  { state, isOver }: Pick<WeekDay, 'state' | 'isOver'>,
  isWeekClosed: boolean,
): 'close' | 'reopen' | 'locked' | undefined {
  if (state === 'outside' || !isOver) return undefined
  if (isWeekClosed) return 'locked'
  return state === 'closed' ? 'reopen' : 'close'
}
