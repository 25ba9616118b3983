import {
  type DayHint,
  type DayWarning,
  type DurationMs,
  dayHints,
  dayWarnings,
  type Entry,
  identifiedEntriesOf,
  type LocalDate,
  type Settings,
  type Timeline,
  type WeekHint,
} from '@saldo/core'
import type { WeekDay } from './week-days.ts'

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
