import { type DayWarning, dayWarnings, type Entry, type LocalDate, type Timeline } from '@saldo/core'
import type { WeekDay } from './week-days.ts'

/** What a week lacks before it should be closed. `mustNot`: the service would refuse. */
export type Missing =
  | { kind: 'notOver'; mustNot: true; opens: LocalDate }
  | { kind: 'outside'; mustNot: true }
  | { kind: 'pending'; mustNot: false; count: number }
  | { kind: 'running'; mustNot: false; date: LocalDate }
  | { kind: 'empty'; mustNot: false; date: LocalDate; targetMs: number }
  | { kind: 'odd'; mustNot: false; date: LocalDate; codes: DayWarning['code'][] }

/**
 * What stands between a week and its closing, the weightiest first. Closing is no freezing: all but `mustNot` may stay,
 * but then the balance is not what the person thinks.
 */
export function missingIn(
  days: readonly WeekDay[],
  entries: readonly Entry[],
  timeline: Timeline,
  pendingCount: number,
  opens: LocalDate,
): Missing[] {
  const inside = days.filter(({ state }) => state !== 'outside')
  if (inside.length === 0) return [{ kind: 'outside', mustNot: true }]
  const missing: Missing[] = []
  if (days.some(({ isOver }) => !isOver)) missing.push({ kind: 'notOver', mustNot: true, opens })
  if (pendingCount > 0) missing.push({ kind: 'pending', mustNot: false, count: pendingCount })
  for (const { date, figures } of inside.filter(({ isOver }) => isOver)) {
    const warned = dayWarnings(entries, timeline, date).map(({ code }) => code)
    if (warned.some((code) => code === 'still_running')) missing.push({ kind: 'running', mustNot: false, date })
    const odd = warned.filter((code) => code !== 'still_running')
    if (odd.length > 0) missing.push({ kind: 'odd', mustNot: false, date, codes: odd })
    const isBlank = figures.worked_ms === 0 && figures.credited_ms === 0 && warned.length === 0
    if (isBlank && figures.target_ms > 0 && !hasAbsence(entries, date)) {
      missing.push({ kind: 'empty', mustNot: false, date, targetMs: figures.target_ms })
    }
  }
  return missing
}

/** Time off in lieu leaves the target as it is, and is an answer all the same. */
function hasAbsence(entries: readonly Entry[], date: LocalDate): boolean {
  return entries.some((entry) => 'date' in entry && entry.date === date)
}
