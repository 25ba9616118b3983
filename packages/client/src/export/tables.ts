import {
  type Adjustment,
  type ClosedWeek,
  type DateRange,
  dateAt,
  type Entry,
  type EpochMs,
  epochMs,
  HOUR_MS,
  hasDate,
  isAbsence,
  isGrant,
  isTimed,
  itemAt,
  type LocalDate,
  netWorkMs,
  type Settings,
  type Timeline,
  weekOf,
  type ZoneName,
  zoneOn,
} from '@saldo/core'
import type { ShownRecord } from '../engine/shown-record.ts'
import type { ForecastDay } from '../queries/forecast.ts'
import { type LedgerLine, ledgerOf } from '../queries/ledger.ts'

/** The records and days that an export tells of. */
export interface ExportedAccount {
  timeline: Timeline<Settings>
  entries: readonly Entry[]
  /** From the beginning of the account to yesterday, or to the end of the last closed week. */
  days: readonly ForecastDay[]
  closedWeeks: readonly ClosedWeek[]
  adjustments: readonly ShownRecord<Adjustment>[]
  today: LocalDate
}

/** The tables of an account. */
export const tableNames = ['entries', 'days', 'weeks', 'ledger'] as const
/** The name of a table. */
export type ExportTableName = (typeof tableNames)[number]

/** Times are local and without their zone, durations in hours. */
export type ColumnType = 'text' | 'number' | 'hours' | 'date' | 'time' | 'duration' | 'delta'

/** A column of a table. */
export interface ExportColumn {
  name: string
  type: ColumnType
  /**
   * Computes the cell from others in a workbook: `{name}` is the cell of a column in the same row, `{^name}` in the row
   * above. Durations count in days there, as in every workbook, deltas in hours.
   */
  formula?: string
}

/** Dates are `2026-11-20`, times `2026-11-20 09:00:00`. */
export type ExportCell = string | number | null

/** A table with its rows, each with a cell for every column. */
export interface ExportTable {
  name: ExportTableName | 'report'
  columns: readonly ExportColumn[]
  rows: readonly (readonly ExportCell[])[]
}

/** Returns a table of what lies in a range of dates. Balances count everything before it too. */
export function tableOf(name: ExportTableName, account: ExportedAccount, range: DateRange): ExportTable {
  switch (name) {
    case 'entries':
      return tableOfRows(name, entryColumns, entriesIn(account, range))
    case 'days':
      return tableOfRows(name, dayColumns, countedDays(account, range))
    case 'weeks':
      return tableOfRows(name, weekColumns, weeksIn(account, range))
    case 'ledger':
      return tableOfRows(name, ledgerColumns, linesIn(account, range))
  }
}

interface ColumnOf<R> extends ExportColumn {
  value(row: R): ExportCell
}

function tableOfRows<R>(name: ExportTableName, columns: readonly ColumnOf<R>[], rows: readonly R[]): ExportTable {
  return { name, columns, rows: rows.map((row) => columns.map(({ value }) => value(row))) }
}

interface DatedEntry {
  entry: Entry
  /** The date of an absence, or the local date on which timed entries begin. */
  date: LocalDate
  zone: ZoneName
}

/** Returns the entries that begin in a range of dates, in their order. */
export function entriesIn({ entries, timeline }: ExportedAccount, range: DateRange): DatedEntry[] {
  const dated = entries.map((entry): DatedEntry => {
    const date = isTimed(entry) ? dateAt(timeline, epochMs(entry.started_at)) : entry.date
    return { entry, date, zone: entry.time_zone ?? zoneOn(timeline, date) }
  })
  const placeOf = ({ date, entry }: DatedEntry) => `${date} ${isTimed(entry) ? entry.started_at : ''} ${entry.id}`
  return dated.filter(({ date }) => hasDate(range, date)).sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
}

const startOf = ({ entry }: DatedEntry) => (isTimed(entry) ? entry.started_at : null)
const endOf = ({ entry }: DatedEntry) => (isTimed(entry) ? entry.ended_at : null)

function lengthOf(row: DatedEntry): number | null {
  const [start, end] = [startOf(row), endOf(row)]
  return start === null || end === null ? null : hours(epochMs(end) - epochMs(start))
}

/** Returns the hours of an absence that is an amount of time. */
function amountOf(entry: Entry): number | null {
  return isAbsence(entry) && entry.amount_ms !== null ? hours(entry.amount_ms) : null
}

/** Returns whether work is part of the account, as text for programs; null for other entries. */
function countsOf(entry: Entry): string | null {
  return entry.kind === 'work' ? String(entry.counts) : null
}

const entryColumns: readonly ColumnOf<DatedEntry>[] = [
  { name: 'date', type: 'date', value: ({ date }) => date },
  { name: 'kind', type: 'text', value: ({ entry }) => entry.kind },
  { name: 'start', type: 'time', value: (row) => wallTime(startOf(row), row.zone) },
  { name: 'end', type: 'time', value: (row) => wallTime(endOf(row), row.zone) },
  { name: 'duration_hours', type: 'duration', value: lengthOf },
  { name: 'counts', type: 'text', value: ({ entry }) => countsOf(entry) },
  { name: 'day_share', type: 'number', value: ({ entry }) => (isAbsence(entry) ? entry.day_share : null) },
  { name: 'amount_hours', type: 'duration', value: ({ entry }) => amountOf(entry) },
  { name: 'vacation_days', type: 'number', value: ({ entry }) => (isGrant(entry) ? entry.days : null) },
  { name: 'project', type: 'text', value: ({ entry }) => entry.project },
  { name: 'tags', type: 'text', value: ({ entry }) => entry.tags.join(', ') },
  { name: 'note', type: 'text', value: ({ entry }) => entry.note },
  { name: 'time_zone', type: 'text', value: ({ zone }) => zone },
  { name: 'started_at', type: 'text', value: startOf },
  { name: 'ended_at', type: 'text', value: endOf },
  { name: 'source', type: 'text', value: ({ entry }) => entry.source },
  { name: 'id', type: 'text', value: ({ entry }) => entry.id },
]

function countedDays({ days, closedWeeks, today }: ExportedAccount, range: DateRange): ForecastDay[] {
  const closed = new Set(closedWeeks.map(({ week }) => week))
  return days.filter(
    ({ date, state }) => state !== 'outside' && hasDate(range, date) && (date < today || closed.has(weekOf(date))),
  )
}

type Figures = Record<'target_ms' | 'worked_ms' | 'deducted_break_ms' | 'credited_ms' | 'delta_ms', number>

/** `worked_hours` is what the app shows: the recorded work without the break that the rules deduct. */
function figureColumns<R>(figuresOf: (row: R) => Figures): ColumnOf<R>[] {
  const columnOf = (name: string, of: (figures: Figures) => number, formula?: string): ColumnOf<R> => ({
    name,
    type: 'duration',
    value: (row) => hours(of(figuresOf(row))),
    ...(formula !== undefined && { formula }),
  })
  return [
    columnOf('target_hours', ({ target_ms }) => target_ms),
    columnOf('recorded_hours', ({ worked_ms }) => worked_ms),
    columnOf('deducted_break_hours', ({ deducted_break_ms }) => deducted_break_ms),
    columnOf('worked_hours', netWorkMs, '{recorded_hours}-{deducted_break_hours}'),
    columnOf('credited_hours', ({ credited_ms }) => credited_ms),
    {
      ...columnOf('delta_hours', ({ delta_ms }) => delta_ms, '24*({worked_hours}+{credited_hours}-{target_hours})'),
      type: 'delta',
    },
  ]
}

const dayColumns: readonly ColumnOf<ForecastDay>[] = [
  { name: 'date', type: 'date', value: ({ date }) => date },
  { name: 'week', type: 'text', value: ({ date }) => weekOf(date) },
  { name: 'state', type: 'text', value: ({ state }) => state },
  ...figureColumns<ForecastDay>(({ forecast }) => forecast),
]

interface ExportedWeek {
  days: readonly ForecastDay[]
  closed: ClosedWeek | undefined
}

/** Returns the weeks that end in a range: no week is counted in part because of the range. */
function weeksIn(account: ExportedAccount, { from, to }: DateRange): ExportedWeek[] {
  const closedByWeek = new Map(account.closedWeeks.map((closed) => [closed.week, closed]))
  const all = countedDays(account, { from: account.days[0]?.date ?? from, to: account.days.at(-1)?.date ?? to })
  return [...Map.groupBy(all, ({ date }) => weekOf(date))]
    .map(([week, days]): ExportedWeek => ({ days, closed: closedByWeek.get(week) }))
    .filter(({ days }) => hasDate({ from, to }, itemAt(days, -1).date))
}

const weekColumns: readonly ColumnOf<ExportedWeek>[] = [
  { name: 'week', type: 'text', value: ({ days }) => weekOf(itemAt(days, 0).date) },
  { name: 'from', type: 'date', value: ({ days }) => days[0]?.date ?? null },
  { name: 'to', type: 'date', value: ({ days }) => days.at(-1)?.date ?? null },
  { name: 'state', type: 'text', value: ({ closed }) => (closed ? 'closed' : 'open') },
  { name: 'revision', type: 'number', value: ({ closed }) => closed?.revision ?? null },
  ...figureColumns<ExportedWeek>(({ days }) => {
    const sum = (field: keyof Figures) => days.reduce((total, { forecast }) => total + forecast[field], 0)
    return {
      target_ms: sum('target_ms'),
      worked_ms: sum('worked_ms'),
      deducted_break_ms: sum('deducted_break_ms'),
      credited_ms: sum('credited_ms'),
      delta_ms: sum('delta_ms'),
    }
  }),
]

function linesIn({ days, closedWeeks, adjustments, today }: ExportedAccount, range: DateRange): LedgerLine[] {
  const { lines, future } = ledgerOf(days, closedWeeks, adjustments, today)
  return [...lines, ...future].filter(({ date }) => hasDate(range, date))
}

const ledgerColumns: readonly ColumnOf<LedgerLine>[] = [
  { name: 'date', type: 'date', value: ({ date }) => date },
  { name: 'kind', type: 'text', value: (line) => (line.kind === 'week' ? 'week' : line.record.kind) },
  {
    name: 'state',
    type: 'text',
    value: (line) => (line.kind === 'week' ? (line.closed ? 'closed' : 'open') : line.pending ? 'unsent' : 'recorded'),
  },
  { name: 'what', type: 'text', value: (line) => (line.kind === 'week' ? line.week : line.record.reason) },
  { name: 'delta_hours', type: 'delta', value: ({ deltaMs }) => hours(deltaMs) },
  {
    name: 'balance_hours',
    type: 'delta',
    value: ({ balanceMs }) => hours(balanceMs),
    formula: '{^balance_hours}+{delta_hours}',
  },
]

function hours(ms: number): number {
  return ms / HOUR_MS
}

function wallTime(instant: Entry['created_at'] | null, zone: ZoneName): string | null {
  if (instant === null) return null
  const ms: EpochMs = epochMs(instant)
  const there = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDateTime()
  return there.toString({ smallestUnit: 'second' }).replace('T', ' ')
}
