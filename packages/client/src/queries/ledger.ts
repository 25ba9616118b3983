import {
  type Adjustment,
  addDays,
  type ClosedWeek,
  type DateRange,
  type DurationMs,
  type IsoWeek,
  type LocalDate,
  mondayOf,
  sumOfDeltas,
  weekOf,
} from '@saldo/core'
import type { ShownRecord } from '../engine/shown-record.ts'
import type { ForecastDay } from './forecast.ts'

/** A balance adjustment in the ledger. */
export interface AdjustmentLine {
  kind: 'adjustment'
  date: LocalDate
  record: Adjustment
  pending: boolean
  deltaMs: DurationMs
  /** The balance including this line. */
  balanceMs: DurationMs
}

/** A closed week in the ledger, or an open one. */
export interface WeekLine {
  kind: 'week'
  week: IsoWeek
  /** The last counted day. */
  date: LocalDate
  /** `undefined` for an open week, whose finished days are an estimate. */
  closed: ClosedWeek | undefined
  /** The delta including unsent changes. */
  deltaMs: DurationMs
  balanceMs: DurationMs
}

/** A line of the ledger, in the order of dates. */
export type LedgerLine = AdjustmentLine | WeekLine

/** The balance at the end of a date. */
export interface BalancePoint {
  date: LocalDate
  balanceMs: DurationMs
}

/** The balance line by line, as an account statement. */
export interface Ledger {
  /** The weeks and adjustments up to today, the oldest first. */
  lines: LedgerLine[]
  /** The adjustments after today, the next first. */
  future: AdjustmentLine[]
  /** The balance at the end of each date, from the first line to today. */
  curve: BalancePoint[]
  /** The balance of today. */
  balanceMs: DurationMs
  /** The part that the service confirmed: closed weeks as they were closed, and sent adjustments. */
  confirmedMs: DurationMs
}

/**
 * Returns weeks and adjustments by date, with the balance after each. Open weeks count their finished days. `days` go
 * from the beginning of the account to yesterday or the end of the last closed week.
 */
export function ledgerOf(
  days: readonly ForecastDay[],
  closedWeeks: readonly ClosedWeek[],
  adjustments: readonly ShownRecord<Adjustment>[],
  today: LocalDate,
): Ledger {
  const closedByWeek = new Map(closedWeeks.map((closed) => [closed.week, closed]))
  const counted = days.filter(
    ({ date, state }) => state !== 'outside' && (date < today || closedByWeek.has(weekOf(date))),
  )
  const byWeek = Map.groupBy(counted, ({ date }) => weekOf(date))
  const weeks = [...byWeek].map(([week, days]): WeekLine => {
    const deltaMs = sumOfDeltas(days.map(({ forecast }) => forecast))
    const date = days.at(-1)?.date ?? mondayOf(week)
    return { kind: 'week', week, date, closed: closedByWeek.get(week), deltaMs, balanceMs: 0 }
  })
  const adjustmentLines = adjustments.map(({ record, pending }): AdjustmentLine => {
    const { effective_date: date, delta_ms: deltaMs } = record
    return { kind: 'adjustment', date, record, pending, deltaMs, balanceMs: 0 }
  })
  const all = withBalances([...weeks, ...adjustmentLines].sort(byDate))
  const lines = all.filter(({ kind, date }) => kind === 'week' || date <= today)
  const future = all.filter((line) => line.kind === 'adjustment').filter(({ date }) => date > today)
  return {
    lines,
    future,
    curve: curveOf(
      counted,
      adjustmentLines.filter(({ date }) => date <= today),
      today,
    ),
    balanceMs: lines.reduce((sum, { deltaMs }) => sum + deltaMs, 0),
    confirmedMs: lines.reduce((sum, line) => sum + confirmedDeltaMs(line), 0),
  }
}

/** Returns the part of a line that the service confirmed. */
function confirmedDeltaMs(line: LedgerLine): DurationMs {
  if (line.kind === 'week') return line.closed?.delta_ms ?? 0
  return line.pending ? 0 : line.deltaMs
}

/** Sorts by date, adjustments before a week that ends on the same date. */
function byDate(a: LedgerLine, b: LedgerLine): number {
  if (a.date !== b.date) return a.date < b.date ? -1 : 1
  return a.kind === b.kind ? 0 : a.kind === 'adjustment' ? -1 : 1
}

function withBalances(lines: readonly LedgerLine[]): LedgerLine[] {
  let balanceMs = 0
  return lines.map((line) => {
    balanceMs += line.deltaMs
    return { ...line, balanceMs }
  })
}

function curveOf(
  days: readonly ForecastDay[],
  adjustments: readonly AdjustmentLine[],
  today: LocalDate,
): BalancePoint[] {
  const changes = new Map<LocalDate, number>([[today, 0]])
  const add = (date: LocalDate, ms: DurationMs) => changes.set(date, (changes.get(date) ?? 0) + ms)
  for (const { date, forecast } of days) add(date, forecast.delta_ms)
  for (const { date, deltaMs } of adjustments) add(date, deltaMs)
  let balanceMs = 0
  return [...changes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, ms]) => {
      balanceMs += ms
      return { date, balanceMs }
    })
}

/** Returns the dates whose days the ledger of an account needs. `accountFrom` is the first date of its settings. */
export function ledgerRange(
  accountFrom: LocalDate | undefined,
  closedWeeks: readonly ClosedWeek[],
  today: LocalDate,
): DateRange {
  const yesterday = addDays(today, -1)
  const firstClosed = closedWeeks[0]?.start_date ?? today
  const lastClosed = closedWeeks.at(-1)?.end_date ?? yesterday
  const from = accountFrom ?? today
  return { from: from < firstClosed ? from : firstClosed, to: lastClosed > yesterday ? lastClosed : yesterday }
}
