import type { AdjustmentLine } from '@saldo/client/account'
import {
  addDays,
  type DateRange,
  type DurationMs,
  datesIn,
  daysBetween,
  type Entry,
  type LocalDate,
  MINUTE_MS,
  type Settings,
  type Timeline,
} from '@saldo/core'
import { lieuOn } from '../../domain/entries/absence-effect.ts'

/** A future balance, and its differences from today's. */
export interface Outlook {
  balanceMs: DurationMs
  adjustmentsMs: DurationMs
  lieuMs: DurationMs
  /** Work beyond or below the target. */
  extraMs: DurationMs
}

/** Returns the balance at the end of a date if every day is worked as planned, plus `extraPerWeekMs`. */
export function outlookOn(
  to: LocalDate,
  now: { today: LocalDate; balanceMs: DurationMs },
  future: readonly AdjustmentLine[],
  entries: readonly Entry[],
  timeline: Timeline<Settings>,
  extraPerWeekMs: DurationMs,
): Outlook {
  const adjustmentsMs = future.filter(({ date }) => date <= to).reduce((sum, { deltaMs }) => sum + deltaMs, 0)
  const lieuMs = 0 - lieuIn({ from: now.today, to }, entries, timeline)
  const days = Math.max(0, daysBetween(now.today, addDays(to, 1)))
  const extraMs = Math.round((extraPerWeekMs * days) / 7 / MINUTE_MS) * MINUTE_MS
  return { balanceMs: now.balanceMs + adjustmentsMs + lieuMs + extraMs, adjustmentsMs, lieuMs, extraMs }
}

/** Returns the target time that time off in lieu leaves unworked. */
function lieuIn(range: DateRange, entries: readonly Entry[], timeline: Timeline<Settings>): DurationMs {
  return [...datesIn(range)].reduce((sum, date) => sum + lieuOn(date, entries, timeline), 0)
}
