import {
  type Adjustment,
  addDays,
  type ClosedDay,
  type ClosedWeek,
  closeDay,
  closeWeek,
  DAY_MS,
  type DateRange,
  type DayFigures,
  dateAt,
  datesIn,
  datesOfWeek,
  type Entry,
  type EpochMs,
  entriesByDate,
  FIRST_DATE,
  type IsoDate,
  type IsoWeek,
  isTimed,
  LAST_DATE,
  type Settings,
  settingsOn,
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
  /** The dates that pending edits can change. */
  touched: readonly DateRange[]
}

/** A day of the account as a device sees it. */
export interface ForecastDay {
  date: IsoDate
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
}

/** Each day of a range, with the same function that the service closes days with (D3). */
export function forecastDays(account: Account, range: DateRange): ForecastDay[] {
  const timeline = timelineOf(account.settings)
  const closedByDate = new Map(account.closedDays.map((day) => [day.date, day]))
  const isTouched = (date: IsoDate) => account.touched.some(({ from, to }) => from <= date && date <= to)
  const dates = [...datesIn(range)]
  const computed = dates.filter((date) => !closedByDate.has(date) || isTouched(date))
  const computedRange = { from: computed[0] ?? range.to, to: computed.at(-1) ?? range.from }
  const near = account.entries.filter((entry) => isNear(entry, computedRange))
  const byDate = entriesByDate(near, timeline, computedRange)
  const isComputed = new Set(computed)
  return dates.map((date) => {
    const closed = closedByDate.get(date) ?? null
    const open = settingsOn(timeline, date) ? 'open' : 'outside'
    return {
      date,
      state: closed ? 'closed' : open,
      closed,
      forecast: closed && !isComputed.has(date) ? closed : closeDay(byDate.get(date) ?? [], timeline, date),
    }
  })
}

/** How far a day's window can lie from its date in UTC, in days. */
const WINDOW_DAYS = 3

/** Whether an entry can touch the dates of a range, whatever the zones: quicker than to ask them. */
function isNear(entry: Entry, { from, to }: DateRange): boolean {
  if (from > to) return false
  const [start, end] = isTimed(entry) ? [entry.started_at, entry.ended_at ?? LAST_DATE] : [entry.date, entry.date]
  const [earliest, latest] = [Date.parse(from) - WINDOW_DAYS * DAY_MS, Date.parse(to) + WINDOW_DAYS * DAY_MS]
  return Date.parse(start) <= latest && Date.parse(end) >= earliest
}

/** The balance (R2.7), and what it will be. `confirmed` are the adjustments that the service has. */
export function forecastBalance(account: Account, confirmed: readonly Adjustment[], nowMs: EpochMs): ForecastBalance {
  const confirmed_ms = sum(account.closedWeeks) + sum(confirmed)
  const timeline = timelineOf(account.settings)
  const today = dateAt(timeline, nowMs)
  const first = [timeline[0]?.effective_from, ...account.closedDays.map(({ date }) => date)].filter(Boolean).sort()[0]
  const closedWeeks = new Set(account.closedWeeks.flatMap(({ week }) => datesOfWeek(week)))
  const days = first === undefined ? [] : forecastDays(account, { from: first, to: laterOf(today, closedWeeks) })
  const counted = days.filter(({ date }) => closedWeeks.has(date) || date < today)
  return { confirmed_ms, forecast_ms: sum(counted.map(({ forecast }) => forecast)) + sum(account.adjustments) }
}

function laterOf(today: IsoDate, dates: ReadonlySet<IsoDate>): IsoDate {
  return [...dates].reduce((last, date) => (date > last ? date : last), addDays(today, -1))
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
    const forecast = closeWeek((byWeek.get(closed.week) ?? []).map((day) => day.forecast))
    return forecast.delta_ms === closed.delta_ms ? [] : [{ week: closed.week, closed, forecast }]
  })
}
