import type { AdjustmentLine } from '@saldo/client/account'
import {
  addDays,
  type BalanceColor,
  balanceColor,
  type DateRange,
  type DurationMs,
  datesIn,
  daysBetween,
  type Entry,
  isAbsence,
  type LocalDate,
  MINUTE_MS,
  type Settings,
  settingsOn,
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

const MAX_DAYS = 3_653
const YEAR_DAYS = 365

/** The dates of an outlook. */
export interface OutlookDates {
  /** The date of the balance: the chosen one, from today to `last`. */
  to: LocalDate
  /** The dates at which the range of the balance is looked at, a year at least. The outlook needs their entries. */
  ahead: DateRange
  /** The last date that can be chosen. */
  last: LocalDate
}

/** Returns the dates of an outlook on a chosen date. */
export function outlookDates(chosen: LocalDate, today: LocalDate): OutlookDates {
  const last = addDays(today, MAX_DAYS)
  const to = chosen < today ? today : chosen > last ? last : chosen
  const aYearOn = addDays(today, YEAR_DAYS)
  return { to, ahead: { from: today, to: to > aYearOn ? to : aYearOn }, last }
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
  const adjustmentsMs = adjustmentsUntil(to, future)
  const lieuMs = 0 - lieuIn({ from: now.today, to }, entries, timeline)
  const extraMs = extraUntil(to, now.today, extraPerWeekMs)
  return { balanceMs: now.balanceMs + adjustmentsMs + lieuMs + extraMs, adjustmentsMs, lieuMs, extraMs }
}

/** The next date on which the balance is in or out of the green range, or the last date looked at. */
export interface RangeOutlook {
  change: 'leaves' | 'returns' | 'stays'
  /** The range of today's balance. */
  color: BalanceColor
  date: LocalDate
}

/**
 * Returns when the balance leaves the green range, or comes back to it, up to a date, if every day is worked as
 * planned, plus `extraPerWeekMs`; `undefined` without limits.
 */
export function rangeOutlook(
  to: LocalDate,
  now: { today: LocalDate; balanceMs: DurationMs },
  future: readonly AdjustmentLine[],
  entries: readonly Entry[],
  timeline: Timeline<Settings>,
  extraPerWeekMs: DurationMs,
): RangeOutlook | undefined {
  const limitsOn = (date: LocalDate) => settingsOn(timeline, date)?.limits ?? null
  const limits = limitsOn(now.today)
  if (!limits) return undefined
  const color = balanceColor(now.balanceMs, limits)
  const absencesByDate = Map.groupBy(entries.filter(isAbsence), ({ date }) => date)
  let lieuMs = 0
  let last = now.today
  for (const date of datesIn({ from: now.today, to })) {
    const limits = limitsOn(date)
    if (!limits) break
    last = date
    lieuMs += lieuOn(date, absencesByDate.get(date) ?? [], timeline)
    const adjustmentsMs = adjustmentsUntil(date, future)
    const balanceMs = now.balanceMs + adjustmentsMs - lieuMs + extraUntil(date, now.today, extraPerWeekMs)
    const isGreen = balanceColor(balanceMs, limits) === 'green'
    if (isGreen !== (color === 'green')) return { change: isGreen ? 'returns' : 'leaves', color, date }
  }
  return { change: 'stays', color, date: last }
}

function adjustmentsUntil(to: LocalDate, future: readonly AdjustmentLine[]): DurationMs {
  return future.filter(({ date }) => date <= to).reduce((sum, { deltaMs }) => sum + deltaMs, 0)
}

/** Returns the work beyond or below the target from today to a date, in whole minutes. */
function extraUntil(to: LocalDate, today: LocalDate, extraPerWeekMs: DurationMs): DurationMs {
  const days = Math.max(0, daysBetween(today, addDays(to, 1)))
  return Math.round((extraPerWeekMs * days) / 7 / MINUTE_MS) * MINUTE_MS
}

/** Returns the target time that time off in lieu leaves unworked. */
function lieuIn(range: DateRange, entries: readonly Entry[], timeline: Timeline<Settings>): DurationMs {
  return [...datesIn(range)].reduce((sum, date) => sum + lieuOn(date, entries, timeline), 0)
}
