import {
  type Adjustment,
  addDays,
  affectedRange,
  allDates,
  buildTimeline,
  type ClosedDay,
  type ClosedWeek,
  computeDay,
  type DateRange,
  type DayFigures,
  dateAt,
  datesIn,
  datesOverlapping,
  daysBetween,
  type Entry,
  type EpochMs,
  type ExpiryProposal,
  entriesByDate,
  expiryProposals,
  hasDate,
  type IsoWeek,
  intervalOf,
  isTimed,
  LAST_DATE,
  type LocalDate,
  mergeRanges,
  type PeriodFigures,
  periodEnds,
  type Settings,
  settingsOn,
  sumFigures,
  sumOfDeltas,
  type Timeline,
  type UserNumber,
  untimedDatesOf,
  weekOf,
} from '@saldo/core'
import { type HolidaySource, withGeneratedHolidays } from './holiday-preview.ts'
import { type AlteredVacation, alteredVacation } from './vacation.ts'

/** The records of an account: writable ones with unsent changes applied, closings as the service made them. */
export interface AccountRecords {
  settings: readonly Settings[]
  entries: readonly Entry[]
  adjustments: readonly Adjustment[]
  closedDays: readonly ClosedDay[]
  closedWeeks: readonly ClosedWeek[]
  /** The dates whose closed-period figures are out of date, because unsent or unpulled changes alter them. */
  affectedRanges: readonly DateRange[]
}

/** A day of the account on this device. */
export interface ForecastDay {
  date: LocalDate
  state: 'closed' | 'open' | 'outside'
  /** The closed day of the service. */
  closed: ClosedDay | null
  /** The figures by the records with unsent changes: those of the service once it has them. */
  forecast: DayFigures
}

/** The balance on this device, in milliseconds. */
export interface ForecastBalance {
  /** Closed weeks and adjustments that the service has. */
  confirmedMs: number
  /** The same with unsent changes and with the finished days of open weeks. */
  forecastMs: number
  /** The part of the forecast that is of adjustments dated after today. */
  futureAdjustmentsMs: number
}

/** Ranges closer than this are joined. */
const JOINED_DAYS = 31

/**
 * Returns the dates of a range whose figures have to be computed from records, as ranges that are far apart: open
 * dates and affected closed ones. So a late change of an old week reads the entries around it, and not all since.
 */
export function computedRanges(
  { settings, closedDays, affectedRanges }: AccountRecords,
  range: DateRange,
): DateRange[] {
  const timeline = buildTimeline(settings)
  const closed = new Set(closedDays.map(({ date }) => date))
  const runs: DateRange[] = []
  for (const date of datesIn(range)) {
    if (closed.has(date) ? !isIn(affectedRanges, date) : !settingsOn(timeline, date)) continue
    const last = runs.at(-1)
    if (last && daysBetween(last.to, date) < JOINED_DAYS) last.to = date
    else runs.push({ from: date, to: date })
  }
  return runs
}

function isIn(ranges: readonly DateRange[], date: LocalDate): boolean {
  return ranges.some((range) => hasDate(range, date))
}

/** Returns each day of a range, computed as the service closes days. */
export function forecastDays(account: AccountRecords, range: DateRange): ForecastDay[] {
  const timeline = buildTimeline(account.settings)
  const closedByDate = new Map(account.closedDays.map((day) => [day.date, day]))
  const byDate = entriesByDate(account.entries, timeline, range)
  return [...datesIn(range)].map((date) => {
    const closed = closedByDate.get(date) ?? null
    const open = settingsOn(timeline, date) ? 'open' : 'outside'
    const isComputed = !closed || isIn(account.affectedRanges, date)
    return {
      date,
      state: closed ? 'closed' : open,
      closed,
      forecast: isComputed ? computeDay(byDate.get(date) ?? [], timeline, date) : closed,
    }
  })
}

/** Returns the account's dates that an entry touches: for a running one all dates from its start on. */
export function datesOfEntry(entry: Entry, timeline: Timeline): DateRange {
  if (!isTimed(entry)) return untimedDatesOf(entry)
  const interval = intervalOf(entry)
  const dates = interval && datesOverlapping(timeline, interval)
  if (dates) return dates
  const from = dateAt(timeline, Date.parse(entry.started_at))
  return { from, to: entry.ended_at === null ? LAST_DATE : from }
}

/** Returns the dates of a balance: from the account's first date to yesterday, or to the last closed date. */
export function balanceRange(
  { settings, closedDays }: Pick<AccountRecords, 'settings' | 'closedDays'>,
  nowMs: EpochMs,
): DateRange {
  const timeline = buildTimeline(settings)
  let from = timeline[0]?.effective_from ?? LAST_DATE
  let to = addDays(dateAt(timeline, nowMs), -1)
  for (const { date } of closedDays) {
    if (date < from) from = date
    if (date > to) to = date
  }
  return { from, to }
}

/** Returns the balance (R2.7) and its forecast. `confirmed` are the adjustments that the service has. */
export function forecastBalance(
  account: AccountRecords,
  confirmed: readonly Adjustment[],
  nowMs: EpochMs,
): ForecastBalance {
  const today = todayOf(account, nowMs)
  const counted = countedDays(account, nowMs)
  return {
    confirmedMs: sumOfDeltas(account.closedWeeks) + sumOfDeltas(confirmed),
    forecastMs: sumOfDeltas(counted.map(({ forecast }) => forecast)) + sumOfDeltas(account.adjustments),
    futureAdjustmentsMs: sumOfDeltas(account.adjustments.filter(({ effective_date }) => effective_date > today)),
  }
}

/** Returns the days that the forecast of the balance counts: those before today and those of closed weeks. */
function countedDays(account: AccountRecords, nowMs: EpochMs): ForecastDay[] {
  const today = todayOf(account, nowMs)
  const closedWeeks = new Set(account.closedWeeks.map(({ week }) => week))
  const days = forecastDays(account, balanceRange(account, nowMs))
  return days.filter(({ date }) => date < today || closedWeeks.has(weekOf(date)))
}

/** Returns which hours may expire at the ends of periods, from the records with unsent changes (D18.9). */
export function forecastProposals(user: UserNumber, account: AccountRecords, nowMs: EpochMs): ExpiryProposal[] {
  const weeks = new Set(account.closedWeeks.map(({ week }) => week))
  const ends = periodEnds(buildTimeline(account.settings), weeks, todayOf(account, nowMs))
  const closed = countedDays(account, nowMs).filter(({ date }) => weeks.has(weekOf(date)))
  const deltas = closed.map(({ date, forecast }) => ({ date, delta_ms: forecast.delta_ms }))
  return expiryProposals(user, ends, deltas, account.adjustments)
}

function todayOf({ settings }: Pick<AccountRecords, 'settings'>, nowMs: EpochMs): LocalDate {
  return dateAt(buildTimeline(settings), nowMs)
}

/** A week that a change of settings would alter. */
export interface AlteredWeek {
  week: IsoWeek
  /** False if the week is open. Its figures then cover the days that the balance counts: those before today. */
  isClosed: boolean
  before: PeriodFigures
  after: PeriodFigures
}

/** The effect of changed records on the balance, in milliseconds. Days and unsent changes count as in the forecast. */
export interface BalancePreview {
  /** The balance as it is, without adjustments dated after today. */
  beforeMs: number
  afterMs: number
  /** The weeks whose delta changes, in the order of time. Their changes add up to that of the balance. */
  weeks: AlteredWeek[]
}

/** The effect of a change of settings. */
export interface SettingsPreview extends BalancePreview {
  /** This year or the next, whichever is altered first; null if neither is. */
  vacation: AlteredVacation | null
}

/**
 * Returns the effect of a settings row. It replaces a row of the same id. With a source of holidays, the effect counts
 * those that the service would generate and remove (D16.14).
 */
export function previewSettings(
  account: AccountRecords,
  row: Settings,
  nowMs: EpochMs,
  source?: HolidaySource,
): SettingsPreview {
  const settings = replace(account.settings, [row])
  const today = todayOf({ settings }, nowMs)
  const entries = source
    ? withGeneratedHolidays(account.entries, { before: account.settings, after: settings }, today, source)
    : account.entries
  const then = { ...account, settings, entries, affectedRanges: [allDates] }
  return { ...previewChange(account, then, nowMs), vacation: alteredVacation(account, then, today) }
}

/** Returns the effect of records. They replace those of the same id. */
export function previewRecords(
  account: AccountRecords,
  records: { settings?: readonly Settings[]; entries?: readonly Entry[]; adjustments?: readonly Adjustment[] },
  nowMs: EpochMs,
): BalancePreview {
  const { settings = [], entries = [], adjustments = [] } = records
  const timeline = buildTimeline([...account.settings, ...settings])
  const then = {
    ...account,
    settings: replace(account.settings, settings),
    entries: replace(account.entries, entries),
    adjustments: replace(account.adjustments, adjustments),
    affectedRanges:
      settings.length > 0
        ? [allDates]
        : mergeRanges([...account.affectedRanges, ...entries.flatMap((entry) => affectedRange(entry, timeline) ?? [])]),
  }
  return previewChange(account, then, nowMs)
}

function previewChange(account: AccountRecords, then: AccountRecords, nowMs: EpochMs): BalancePreview {
  const before = countedDays(account, nowMs)
  const after = countedDays(then, nowMs)
  return {
    beforeMs: adjustedBy(account, nowMs) + sumOfDeltas(before.map(({ forecast }) => forecast)),
    afterMs: adjustedBy(then, nowMs) + sumOfDeltas(after.map(({ forecast }) => forecast)),
    weeks: alteredWeeks(before, after, new Set(account.closedWeeks.map(({ week }) => week))),
  }
}

function replace<T extends { id: string }>(all: readonly T[], some: readonly T[]): T[] {
  const ids = new Set(some.map(({ id }) => id))
  return [...all.filter(({ id }) => !ids.has(id)), ...some]
}

/** Returns the sum of the adjustments up to today. */
function adjustedBy(account: AccountRecords, nowMs: EpochMs): number {
  const today = todayOf(account, nowMs)
  return sumOfDeltas(account.adjustments.filter(({ effective_date }) => effective_date <= today))
}

function alteredWeeks(
  before: readonly ForecastDay[],
  after: readonly ForecastDay[],
  closedWeeks: ReadonlySet<IsoWeek>,
): AlteredWeek[] {
  const byWeek = (days: readonly ForecastDay[]) => Map.groupBy(days, ({ date }) => weekOf(date))
  const [daysBefore, daysAfter] = [byWeek(before), byWeek(after)]
  const figuresOf = (days: readonly ForecastDay[] = []) => sumFigures(days.map(({ forecast }) => forecast))
  return [...new Set([...daysBefore.keys(), ...daysAfter.keys()])]
    .sort()
    .map((week) => ({
      week,
      isClosed: closedWeeks.has(week),
      before: figuresOf(daysBefore.get(week)),
      after: figuresOf(daysAfter.get(week)),
    }))
    .filter((week) => week.before.delta_ms !== week.after.delta_ms)
}
