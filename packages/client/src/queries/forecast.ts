import {
  type Adjustment,
  addDays,
  affectedRange,
  type ClosedDay,
  type ClosedWeek,
  computeDay,
  computeWeek,
  type DateRange,
  type DayFigures,
  dateAt,
  datesIn,
  daysBetween,
  type Entry,
  type EpochMs,
  entriesByDate,
  FIRST_DATE,
  type IsoWeek,
  isTimed,
  LAST_DATE,
  type LocalDate,
  type Settings,
  settingsOn,
  type Timeline,
  timelineOf,
  type WeekFigures,
  weekOf,
} from '@saldo/core'

/** What a device knows of an account: records as the user sees them, closings as the service made them. */
export interface Account {
  settings: readonly Settings[]
  entries: readonly Entry[]
  adjustments: readonly Adjustment[]
  closedDays: readonly ClosedDay[]
  closedWeeks: readonly ClosedWeek[]
  /** The dates of which the service's figures are not to be had yet: edits change them that are pending, or were not pulled. */
  touched: readonly DateRange[]
}

/** A day of the account as a device sees it. */
export interface ForecastDay {
  date: LocalDate
  state: 'closed' | 'open' | 'outside'
  /** What the service closed it with. */
  closed: ClosedDay | null
  /** What the records make of it, pending edits included: what the service will say once it has them. */
  forecast: DayFigures
}

/** The balance as a device sees it. */
export interface ForecastBalance {
  /** The service's figures: closed weeks and adjustments that it has confirmed. */
  confirmed_ms: number
  /** With pending edits, and the finished days of weeks that are still open. */
  forecast_ms: number
  /** The part of the forecast that adjustments dated after today make. */
  future_adjustments_ms: number
}

/** Runs of dates nearer than this are asked for as one, in days. */
const NEAR_DAYS = 31

/**
 * The dates of a range that records decide, in runs that lie apart: those that are open, and those that edits change of which
 * the service's figures are not to be had yet. A late edit of an old week so asks for the entries around it, and not for all since.
 */
export function computedRanges({ settings, closedDays, touched }: Account, range: DateRange): DateRange[] {
  const timeline = timelineOf(settings)
  const closed = new Set(closedDays.map(({ date }) => date))
  const runs: DateRange[] = []
  for (const date of datesIn(range)) {
    if (closed.has(date) ? !isIn(touched, date) : !settingsOn(timeline, date)) continue
    const last = runs.at(-1)
    if (last && daysBetween(last.to, date) < NEAR_DAYS) last.to = date
    else runs.push({ from: date, to: date })
  }
  return runs
}

function isIn(ranges: readonly DateRange[], date: LocalDate): boolean {
  return ranges.some(({ from, to }) => from <= date && date <= to)
}

/** Each day of a range, with the same function that the service closes days with (D3). */
export function forecastDays(account: Account, range: DateRange): ForecastDay[] {
  const timeline = timelineOf(account.settings)
  const closedByDate = new Map(account.closedDays.map((day) => [day.date, day]))
  const byDate = entriesByDate(account.entries, timeline, range)
  return [...datesIn(range)].map((date) => {
    const closed = closedByDate.get(date) ?? null
    const open = settingsOn(timeline, date) ? 'open' : 'outside'
    const isComputed = !closed || isIn(account.touched, date)
    return {
      date,
      state: closed ? 'closed' : open,
      closed,
      forecast: isComputed ? computeDay(byDate.get(date) ?? [], timeline, date) : closed,
    }
  })
}

/** The account's dates that an entry touches; one that is running, all from its start on. */
export function datesShown(entry: Entry, timeline: Timeline): DateRange {
  const touched = affectedRange(entry, timeline)
  if (touched) return touched
  if (!isTimed(entry)) return { from: entry.date, to: entry.date }
  const from = dateAt(timeline, Date.parse(entry.started_at))
  return { from, to: entry.ended_at === null ? LAST_DATE : from }
}

/** The dates that a balance is made of: from the account's first to yesterday, or to the last that is closed. */
export function balanceRange({ settings, closedDays, closedWeeks }: Account, nowMs: EpochMs): DateRange {
  const timeline = timelineOf(settings)
  let from = timeline[0]?.effective_from ?? LAST_DATE
  let to = addDays(dateAt(timeline, nowMs), -1)
  for (const { date } of closedDays) {
    if (date < from) from = date
    if (date > to) to = date
  }
  for (const { end_date } of closedWeeks) if (end_date > to) to = end_date
  return { from, to }
}

/** The balance (R2.7), and what it will be. `confirmed` are the adjustments that the service has. */
export function forecastBalance(account: Account, confirmed: readonly Adjustment[], nowMs: EpochMs): ForecastBalance {
  const today = dateAt(timelineOf(account.settings), nowMs)
  const closedWeeks = new Set(account.closedWeeks.map(({ week }) => week))
  const days = forecastDays(account, balanceRange(account, nowMs))
  const counted = days.filter(({ date }) => date < today || closedWeeks.has(weekOf(date)))
  return {
    confirmed_ms: sum(account.closedWeeks) + sum(confirmed),
    forecast_ms: sum(counted.map(({ forecast }) => forecast)) + sum(account.adjustments),
    future_adjustments_ms: sum(account.adjustments.filter(({ effective_date }) => effective_date > today)),
  }
}

function sum(rows: readonly { delta_ms: number }[]): number {
  return rows.reduce((total, { delta_ms }) => total + delta_ms, 0)
}

/** A closed week that a change of settings would alter. */
export interface AlteredWeek {
  week: IsoWeek
  /** As it is closed. */
  closed: WeekFigures
  /** As it would be. */
  forecast: WeekFigures
}

/** Which closed weeks another settings row would alter, and by how much. A row of the same id is replaced. */
export function previewSettings(account: Account, row: Settings): AlteredWeek[] {
  const settings = [...account.settings.filter(({ id }) => id !== row.id), row]
  const weeks = account.closedWeeks.toSorted((a, b) => (a.week < b.week ? -1 : 1))
  const [first, last] = [weeks[0], weeks.at(-1)]
  if (!first || !last) return []
  const then = { ...account, settings, touched: [{ from: FIRST_DATE, to: LAST_DATE }] }
  const days = forecastDays(then, { from: first.start_date, to: last.end_date })
  const byWeek = Map.groupBy(days, ({ date }) => weekOf(date))
  return weeks.flatMap((closed) => {
    const forecast = computeWeek((byWeek.get(closed.week) ?? []).map((day) => day.forecast))
    return forecast.delta_ms === closed.delta_ms ? [] : [{ week: closed.week, closed, forecast }]
  })
}
