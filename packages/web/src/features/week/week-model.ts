import type { Closings } from '@saldo/client'
import type { AbsenceRecord } from '@saldo/client/entries'
import {
  addDays,
  type DayHint,
  type DayWarning,
  type DurationMs,
  dayHints,
  dayWarnings,
  type Entry,
  type IsoWeek,
  identifiedEntriesOf,
  isAbsence,
  type LocalDate,
  mondayOf,
  type Settings,
  type Timeline,
  type WeekHint,
  weekOf,
} from '@saldo/core'
import type { WeekDay } from './week-days.ts'

/** A row of the table of days, beside its figures. */
interface DayRow {
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
  { today, entries, timeline }: { today: LocalDate; entries: readonly Entry[]; timeline: Timeline<Settings> },
): DayRow {
  const isToday = date === today
  const isAhead = !isOver && !isToday
  const warnings = dayWarnings(identifiedEntriesOf(entries), timeline, date)
  return {
    isToday,
    isAhead,
    hasWarning: warnings.some(({ code }) => code !== 'still_running'),
    hasDelta: state !== 'outside' && !isAhead,
    absences: entries.filter(isAbsence).filter((absence) => absence.date === date),
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

/** A reason not to close a week yet. */
export type ClosingIssue =
  | { kind: 'notOver'; closableFrom: LocalDate }
  | { kind: 'outside' }
  | { kind: 'unsent'; count: number }
  | { kind: 'running'; date: LocalDate }
  | { kind: 'empty'; date: LocalDate; targetMs: DurationMs }
  | { kind: 'warnings'; date: LocalDate; codes: DayWarning['code'][] }
  | { kind: 'hints'; date: LocalDate; hints: DayHint[] }
  | { kind: 'longWeeks'; hints: WeekHint[] }

/** True if the service would refuse to close the week. The user may ignore other issues. */
export function isBlocking({ kind }: ClosingIssue): boolean {
  return kind === 'notOver' || kind === 'outside'
}

/** True if a week with these issues can be closed. */
export function canClose(issues: readonly ClosingIssue[]): boolean {
  return !issues.some(isBlocking)
}

/** Returns the issues of a week, blocking ones first. `entries` include those of the days around it. */
export function closingIssues(
  days: readonly WeekDay[],
  entries: readonly Entry[],
  timeline: Timeline<Settings>,
  unsentCount: number,
  closableFrom: LocalDate,
  longWeeks?: WeekHint,
): ClosingIssue[] {
  const counted = days.filter(({ state }) => state !== 'outside')
  if (counted.length === 0) return [{ kind: 'outside' }]
  const issues: ClosingIssue[] = []
  if (days.some(({ isOver }) => !isOver)) issues.push({ kind: 'notOver', closableFrom })
  if (unsentCount > 0) issues.push({ kind: 'unsent', count: unsentCount })
  for (const { date, figures } of counted.filter(({ isOver }) => isOver)) {
    const warnings = dayWarnings(identifiedEntriesOf(entries), timeline, date).map(({ code }) => code)
    if (warnings.includes('still_running')) issues.push({ kind: 'running', date })
    const codes = warnings.filter((code) => code !== 'still_running')
    if (codes.length > 0) issues.push({ kind: 'warnings', date, codes })
    const hints = dayHints(entries, timeline, date)
    if (hints.length > 0) issues.push({ kind: 'hints', date, hints })
    const isBlank = figures.worked_ms === 0 && warnings.length === 0
    if (isBlank && figures.target_ms > 0 && !hasAbsence(entries, date)) {
      issues.push({ kind: 'empty', date, targetMs: figures.target_ms })
    }
  }
  if (longWeeks) issues.push({ kind: 'longWeeks', hints: [longWeeks] })
  return issues
}

/** Time off in lieu leaves the target as it is, so that figures alone do not show absences. */
function hasAbsence(entries: readonly Entry[], date: LocalDate): boolean {
  return entries.some((entry) => 'date' in entry && entry.date === date)
}

export type ClosingAction = 'close' | 'reopen'

/** Returns the step that closes or reopens a week or day; its undo does the other. */
export function undoableClosing<Period>(closings: Closings<Period>, period: Period, action: ClosingAction) {
  const inverse = action === 'close' ? 'reopen' : 'close'
  return { make: () => closings[action](period), takeBack: () => closings[inverse](period) }
}

/** Returns the address of the week that is some weeks after another one, or before it. */
export function pathOfWeek(week: IsoWeek, weeks: number, thisWeek: IsoWeek): string {
  const other = weekOf(addDays(mondayOf(week), weeks * 7))
  return other === thisWeek ? '/week' : `/week/${other}`
}
