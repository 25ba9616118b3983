import type { ForecastDay, Row } from '@saldo/client'
import { type Adjustment, addDays, type ClosedWeek, type IsoWeek, type LocalDate, mondayOf, weekOf } from '@saldo/core'

export interface AdjustmentLine {
  kind: 'adjustment'
  date: LocalDate
  record: Adjustment
  pending: boolean
  deltaMs: number
  /** The balance once this line is counted. */
  balanceMs: number
}

export interface WeekLine {
  kind: 'week'
  week: IsoWeek
  /** The last of its days that counts. */
  date: LocalDate
  /** As the service closed it; undefined while the week is open and its finished days are an estimate. */
  closed: ClosedWeek | undefined
  /** What the week adds, with changes that the service does not have yet. */
  deltaMs: number
  balanceMs: number
}

export type LedgerLine = AdjustmentLine | WeekLine

export interface BalancePoint {
  date: LocalDate
  balanceMs: number
}

export interface Ledger {
  /** What the balance of today is made of, the oldest first. */
  lines: LedgerLine[]
  /** Adjustments dated after today, the nearest first; each with the balance if nothing else happened. */
  future: AdjustmentLine[]
  /** The balance at the end of each date, from the first line to today. */
  curve: BalancePoint[]
  /** Without future adjustments. */
  balanceMs: number
  /** What of it the service has as it is: closed weeks as they are closed, and adjustments that are sent. */
  confirmedMs: number
}

/**
 * The account from its beginning: weeks (closed, or open with the days that are over) and adjustments in the order of
 * their dates. `days` begin with the account and end yesterday or with the last closed week.
 */
export function ledgerOf(
  days: readonly ForecastDay[],
  closedWeeks: readonly ClosedWeek[],
  adjustments: readonly Row<Adjustment>[],
  today: LocalDate,
): Ledger {
  const closedByWeek = new Map(closedWeeks.map((closed) => [closed.week, closed]))
  const counted = days.filter(
    ({ date, state }) => state !== 'outside' && (date < today || closedByWeek.has(weekOf(date))),
  )
  const byWeek = Map.groupBy(counted, ({ date }) => weekOf(date))
  const weeks = [...byWeek].map(([week, those]): WeekLine => {
    const deltaMs = those.reduce((sum, { forecast }) => sum + forecast.delta_ms, 0)
    const date = those.at(-1)?.date ?? mondayOf(week)
    return { kind: 'week', week, date, closed: closedByWeek.get(week), deltaMs, balanceMs: 0 }
  })
  const made = adjustments.map(({ record, pending }): AdjustmentLine => {
    const { effective_date: date, delta_ms: deltaMs } = record
    return { kind: 'adjustment', date, record, pending, deltaMs, balanceMs: 0 }
  })
  const all = balanced([...weeks, ...made].sort(byDate))
  const lines = all.filter(({ kind, date }) => kind === 'week' || date <= today)
  const future = all.filter((line) => line.kind === 'adjustment').filter(({ date }) => date > today)
  return {
    lines,
    future,
    curve: curveOf(
      counted,
      made.filter(({ date }) => date <= today),
      today,
    ),
    balanceMs: lines.reduce((sum, { deltaMs }) => sum + deltaMs, 0),
    confirmedMs: lines.reduce((sum, line) => sum + confirmedMs(line), 0),
  }
}

function confirmedMs(line: LedgerLine): number {
  if (line.kind === 'week') return line.closed?.delta_ms ?? 0
  return line.pending ? 0 : line.deltaMs
}

/** What an adjustment dated in a week changes is there before the week is. */
function byDate(a: LedgerLine, b: LedgerLine): number {
  if (a.date !== b.date) return a.date < b.date ? -1 : 1
  return a.kind === b.kind ? 0 : a.kind === 'adjustment' ? -1 : 1
}

function balanced(lines: readonly LedgerLine[]): LedgerLine[] {
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
  const add = (date: LocalDate, ms: number) => changes.set(date, (changes.get(date) ?? 0) + ms)
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

/** The last point of each month, the newest first. */
export function monthEnds(curve: readonly BalancePoint[]): BalancePoint[] {
  const byMonth = new Map(curve.map((point) => [point.date.slice(0, 7), point]))
  return [...byMonth.values()].reverse()
}

/** At most `most` points or a few more, evenly taken, the first and the last among them. */
export function thinned(curve: readonly BalancePoint[], most: number): BalancePoint[] {
  const step = Math.max(1, Math.ceil(curve.length / most))
  return curve.filter((_, index) => index === 0 || (curve.length - 1 - index) % step === 0)
}

/** The dates that the ledger asks the account for. */
export function ledgerRange(
  accountFrom: LocalDate | undefined,
  closedWeeks: readonly ClosedWeek[],
  today: LocalDate,
): { from: LocalDate; to: LocalDate } {
  const yesterday = addDays(today, -1)
  const firstClosed = closedWeeks[0]?.start_date ?? today
  const lastClosed = closedWeeks.at(-1)?.end_date ?? yesterday
  const from = accountFrom ?? today
  return { from: from < firstClosed ? from : firstClosed, to: lastClosed > yesterday ? lastClosed : yesterday }
}
