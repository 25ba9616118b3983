import {
  type AbsenceSize,
  type Adjustment,
  addDays,
  breaksBetween,
  canonicalJson,
  coveredBy,
  DAY_MS,
  type DateRange,
  type DayHint,
  type DisjointIntervals,
  type DurationMs,
  dateAt,
  datesIn,
  dayHints,
  dayWindow,
  difference,
  digestOf,
  type Entry,
  type EpochMs,
  epochMs,
  entriesByDate as groupByDate,
  isAbsence,
  isCounted,
  isTimed,
  itemAt,
  type LocalDate,
  netWorkMs,
  type PeriodFigures,
  type Profile,
  settingsOn,
  sizeOf,
  sumOfDeltas,
  type Timeline,
  type ZoneName,
  zoneOn,
} from '@saldo/core'
import { ledgerRange } from '../queries/ledger.ts'
import type { ExportedAccount } from './tables.ts'
import { apportionMinutes, type Flow, roundFlows, wholeMinutes } from './whole-minutes.ts'

/** The choices that a sheet is made from. */
export interface SheetRequest {
  range: DateRange
  /** The last date that counts; later days of the range have no figures. */
  countedTo: LocalDate
  profile: Profile
  withProjects: boolean
  withNotes: boolean
  withHints: boolean
}

/** Hints of a date read the work of this many days before and after it. */
export const HINT_DAYS = 3

/** Figures in whole minutes: `delta` = `worked` + `credited` − `target` (D13.2). */
export interface SheetFigures {
  /** The gaps in the work of a day that are no rest, and the deducted break (D13.8). */
  breakMinutes: number
  workedMinutes: number
  creditedMinutes: number
  targetMinutes: number
  deltaMinutes: number
}

/** An absence of a day. */
export interface SheetAbsence {
  kind: Extract<Entry, { date: string }>['kind']
  size: AbsenceSize
  /** Empty unless notes were asked for. */
  note: string
}

/** A day of the range. */
export interface SheetDay {
  date: LocalDate
  zone: ZoneName
  /** `open` days do not count yet; days `outside` have no working hours. */
  state: 'counted' | 'open' | 'outside'
  /** The worked time without recorded breaks. */
  blocks: DisjointIntervals
  /** True if the clock changes on this day. */
  hasClockChange: boolean
  /** The start of work that still runs, which counts nothing. */
  runningSince: EpochMs | null
  absences: SheetAbsence[]
  projects: string[]
  notes: string[]
  /** The hints of a day that counts (D14.3). */
  hints: DayHint[]
  /** Null unless the day counts. */
  figures: SheetFigures | null
}

/** A balance adjustment within the range. */
export interface SheetAdjustment {
  date: LocalDate
  kind: Adjustment['kind']
  reason: string
  minutes: number
}

/** A month sheet, or one of any other range. */
export interface Sheet extends SheetRequest {
  days: SheetDay[]
  adjustments: SheetAdjustment[]
  totals: SheetFigures
  /** The balance before the range. */
  balanceInMinutes: number
  /** `balanceInMinutes`, the total delta and the adjustments together. */
  balanceOutMinutes: number
  /** Tells whether a sheet has changed: 16 hexadecimal digits. Days that do not count are no part of it (D13.5). */
  digest: string
}

/** Returns the last date that counts: yesterday, or the end of the last closed week. */
export function lastCountedDate({ timeline, closedWeeks, today }: ExportedAccount): LocalDate {
  return ledgerRange(timeline[0]?.effective_from, closedWeeks, today).to
}

/** Returns the sheet of a range, with the figures of the account (D13). */
export function sheetOf(account: ExportedAccount, request: SheetRequest): Sheet {
  const { range, countedTo } = request
  const facts = factsOf(account, request)
  const counted = facts.filter((day) => day.durations !== null)
  const adjustments = account.adjustments
    .map(({ record }) => record)
    .filter(({ effective_date: date }) => range.from <= date && date <= range.to && date <= countedTo)
    .sort((a, b) => (`${a.effective_date} ${a.id}` < `${b.effective_date} ${b.id}` ? -1 : 1))
  const balanceInMinutes = wholeMinutes(balanceBefore(account, range.from, countedTo))
  const balanceOutMinutes = wholeMinutes(balanceBefore(account, addDays(range.to, 1), countedTo))
  const figures = roundFigures(
    counted.map(({ durations }) => durations as DayDurations),
    adjustments.map(({ delta_ms }) => delta_ms),
    balanceOutMinutes - balanceInMinutes,
  )
  const figuresByDate = new Map(counted.map(({ date }, index) => [date, figures.days[index]]))
  const sheet = {
    ...request,
    days: facts.map(({ durations: _, ...day }): SheetDay => ({ ...day, figures: figuresByDate.get(day.date) ?? null })),
    adjustments: adjustments.map(({ effective_date: date, kind, reason }, index): SheetAdjustment => {
      return { date, kind, reason, minutes: itemAt(figures.adjustments, index) }
    }),
    totals: figures.totals,
    balanceInMinutes,
    balanceOutMinutes,
  }
  const final = { ...sheet, days: sheet.days.filter(({ state }) => state === 'counted') }
  return { ...sheet, digest: digestOf(final) }
}

/** Returns the balance before a date, of what counts until `countedTo`. */
function balanceBefore({ days, adjustments }: ExportedAccount, date: LocalDate, countedTo: LocalDate): DurationMs {
  const isBefore = (other: LocalDate) => other < date && other <= countedTo
  const deltas = [
    ...days.filter((day) => day.state !== 'outside' && isBefore(day.date)).map(({ forecast }) => forecast),
    ...adjustments.map(({ record }) => record).filter((record) => isBefore(record.effective_date)),
  ]
  return sumOfDeltas(deltas)
}

type DayDurations = Record<'break' | 'worked' | 'credited' | 'target', DurationMs>

/** A day before its figures are rounded; `durations` are null unless it counts. */
interface DayFacts extends Omit<SheetDay, 'figures'> {
  durations: DayDurations | null
}

function factsOf(account: ExportedAccount, request: SheetRequest): DayFacts[] {
  const { range, countedTo, withProjects, withNotes, withHints } = request
  const { timeline, entries } = account
  const daysByDate = new Map(account.days.map((day) => [day.date, day]))
  const entriesByDate = groupByDate(entries, timeline, widened(range))
  const near = (date: LocalDate) =>
    [...datesIn(widened({ from: date, to: date }))].flatMap((other) => entriesByDate.get(other) ?? [])
  const startsByDate = runningStarts(entries, timeline)
  return [...datesIn(range)].map((date): DayFacts => {
    const window = dayWindow(timeline, date)
    const ofDay = (entriesByDate.get(date) ?? []).filter((entry) => isCounted(entry))
    const timed = ofDay.filter((entry) => isTimed(entry)).toSorted((a, b) => (a.started_at < b.started_at ? -1 : 1))
    const work = timed.filter(({ kind }) => kind === 'work')
    const absences = ofDay.filter((entry) => isAbsence(entry))
    const blocks = difference(coveredBy('work', ofDay, window), coveredBy('break', ofDay, window))
    const day = date <= countedTo ? daysByDate.get(date) : undefined
    const isInside = day ? day.state !== 'outside' : settingsOn(timeline, date) !== undefined
    return {
      date,
      zone: zoneOn(timeline, date),
      state: !isInside ? 'outside' : day ? 'counted' : 'open',
      blocks,
      hasClockChange: window.end - window.start !== DAY_MS,
      runningSince: startsByDate.get(date) ?? null,
      absences: absences
        .map((absence) => ({
          kind: absence.kind,
          size: sizeOf(absence),
          note: withNotes ? absence.note.trim() : '',
        }))
        .sort((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1)),
      projects: withProjects ? distinct(work.map(({ project }) => project ?? '')) : [],
      notes: withNotes ? distinct(timed.map(({ note }) => note.trim())) : [],
      hints: withHints && day && isInside ? dayHints(near(date), timeline, date) : [],
      durations: day && isInside ? durationsOf(day.forecast, blocks) : null,
    }
  })
}

function widened({ from, to }: DateRange): DateRange {
  return { from: addDays(from, -HINT_DAYS), to: addDays(to, HINT_DAYS) }
}

/** Returns the start of work that is still running by its date. */
function runningStarts(entries: readonly Entry[], timeline: Timeline): Map<LocalDate, EpochMs> {
  const starts = entries
    .filter((entry) => entry.kind === 'work')
    .filter(({ counts, ended_at }) => counts && ended_at === null)
    .map(({ started_at }) => epochMs(started_at))
    .sort((a, b) => b - a)
  return new Map(starts.map((start) => [dateAt(timeline, start), start]))
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== '')
}

function durationsOf(figures: PeriodFigures, blocks: DisjointIntervals): DayDurations {
  const { credited_ms: credited, target_ms: target, deducted_break_ms } = figures
  return { break: breaksBetween(blocks) + deducted_break_ms, worked: netWorkMs(figures), credited, target }
}

/**
 * Rounds the figures of days so that each column adds up to its total, each day and the totals to their delta, and the
 * total delta and the adjustments to `changeMinutes`, the change of the balance (D13.2 to D13.4).
 */
export function roundFigures(
  days: readonly DayDurations[],
  adjustmentsMs: readonly DurationMs[],
  changeMinutes: number,
) {
  const sum = (durations: readonly number[]) => durations.reduce((total, each) => total + each, 0)
  const column = (name: keyof DayDurations) => days.map((day) => day[name])
  const deltasMs = days.map(({ worked, credited, target }) => worked + credited - target)
  // Worked and credited time flow into each day and leave it as target and delta; deltas flow into the change.
  const flows: Flow[] = [
    ...days.flatMap(({ worked, credited, target }, index) => [
      { from: 'worked', to: `day ${index}`, ms: worked },
      { from: 'credited', to: `day ${index}`, ms: credited },
      { from: `day ${index}`, to: 'target', ms: target },
      { from: `day ${index}`, to: 'delta', ms: itemAt(deltasMs, index) },
    ]),
    ...adjustmentsMs.map((ms) => ({ from: 'outside', to: 'change', ms })),
    { from: 'outside', to: 'worked', ms: sum(column('worked')) },
    { from: 'outside', to: 'credited', ms: sum(column('credited')) },
    { from: 'target', to: 'outside', ms: sum(column('target')) },
    { from: 'delta', to: 'change', ms: sum(deltasMs) },
    { from: 'change', to: 'outside', ms: sum(deltasMs) + sum(adjustmentsMs) },
  ]
  const minutes = roundFlows(flows, changeMinutes)
  const breakTotal = wholeMinutes(sum(column('break')))
  const breaks = apportionMinutes(column('break'), breakTotal)
  const figuresAt = (breakMinutes: number, at: number): SheetFigures => {
    const [workedMinutes = 0, creditedMinutes = 0, targetMinutes = 0, deltaMinutes = 0] = minutes.slice(at, at + 4)
    return { breakMinutes, workedMinutes, creditedMinutes, targetMinutes, deltaMinutes }
  }
  return {
    days: breaks.map((breakMinutes, index) => figuresAt(breakMinutes, 4 * index)),
    adjustments: minutes.slice(4 * days.length, -5),
    totals: figuresAt(breakTotal, minutes.length - 5),
  }
}
