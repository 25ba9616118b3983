import {
  type Adjustment,
  affectedRange,
  type ClosedDay,
  type ClosedWeek,
  type Content,
  type DateRange,
  type Entry,
  type EpochMs,
  FIRST_DATE,
  type IsoWeek,
  LAST_DATE,
  type RecordKind,
  type Settings,
  timelineOf,
} from '@saldo/core'
import type { Pending } from '../engine/outbox.ts'
import { type LostClosings, type ReadTables, recordKey } from '../store/store.ts'
import {
  type Account,
  type AlteredWeek,
  balanceRange,
  computedRanges,
  datesShown,
  type ForecastBalance,
  type ForecastDay,
  forecastBalance,
  forecastDays,
  previewSettings,
} from './forecast.ts'
import { type Shown, show, showAll, showEntriesNear } from './shown-records.ts'

/** A record of a kind as a program sees it, with whether something of it is still pending. */
export interface Row<T> {
  record: T
  pending: boolean
}

/** All records of a kind. */
export async function rowsOf<T>(tables: ReadTables, kind: RecordKind): Promise<Row<T>[]> {
  return (await showAll(tables, kind)).map(rowOf<T>)
}

function rowOf<T>({ record, pending }: Shown): Row<T> {
  return { record: record as T, pending }
}

/** The entries that touch any of the account's dates of a range; one that is running touches all from its start on. */
export async function entriesBetween(tables: ReadTables, range: DateRange): Promise<Row<Entry>[]> {
  const [settings, near] = await Promise.all([
    recordsOf<Settings>(tables, 'settings_history'),
    showEntriesNear(tables, range),
  ])
  const timeline = timelineOf(settings)
  return near.map(rowOf<Entry>).filter(({ record }) => {
    const { from, to } = datesShown(record, timeline)
    return from <= range.to && to >= range.from
  })
}

/** Each day of a range: what it was closed with, and what the records make of it. */
export async function daysBetween(tables: ReadTables, range: DateRange): Promise<ForecastDay[]> {
  const account = await accountOf(tables)
  return forecastDays(await withEntries(tables, account, computedRanges(account, range)), range)
}

/** The balance at a moment of this device's clock. */
export async function balanceAt(tables: ReadTables, deviceNowMs: EpochMs): Promise<ForecastBalance> {
  const nowMs = deviceNowMs + (await tables.meta()).offsetMs
  const account = await accountOf(tables)
  const held = await tables.held.ofKind('balance_adjustments')
  const confirmed = held.flatMap((row) => show(row, undefined)?.record ?? [])
  const ranges = computedRanges(account, balanceRange(account, nowMs))
  return forecastBalance(await withEntries(tables, account, ranges), confirmed as unknown as Adjustment[], nowMs)
}

export async function previewOf(tables: ReadTables, row: Settings): Promise<AlteredWeek[]> {
  const account = await accountOf(tables)
  return previewSettings({ ...account, entries: await recordsOf<Entry>(tables, 'entries') }, row)
}

/** In the order of time. */
export async function closedWeeksOf(tables: ReadTables): Promise<ClosedWeek[]> {
  return (await recordsOf<ClosedWeek>(tables, 'closed_weeks')).toSorted((a, b) => (a.week < b.week ? -1 : 1))
}

/** What waits to be sent, in the order in which it is. */
export async function pendingRows(tables: ReadTables): Promise<Pending[]> {
  return (await tables.outbox.all()).toSorted((a, b) => a.place - b.place)
}

/** What the service lost of closings, and nobody has closed again since. */
export async function closingsLost(tables: ReadTables): Promise<LostClosings> {
  const { lostClosings } = await tables.meta()
  if (lostClosings.weeks.length + lostClosings.days.length === 0) return lostClosings
  const weeks = new Set<IsoWeek>((await recordsOf<ClosedWeek>(tables, 'closed_weeks')).map(({ week }) => week))
  const days = new Set((await recordsOf<ClosedDay>(tables, 'closed_days')).map(({ date }) => date))
  return {
    weeks: lostClosings.weeks.filter((week) => !weeks.has(week)),
    days: lostClosings.days.filter((date) => !days.has(date)),
  }
}

async function recordsOf<T>(tables: ReadTables, kind: RecordKind): Promise<T[]> {
  return (await showAll(tables, kind)).map(({ record }) => record as T)
}

/** The account without its entries, which are many. */
async function accountOf(tables: ReadTables): Promise<Account> {
  const [settings, adjustments, closedDays, closedWeeks] = await Promise.all([
    recordsOf<Settings>(tables, 'settings_history'),
    recordsOf<Adjustment>(tables, 'balance_adjustments'),
    recordsOf<ClosedDay>(tables, 'closed_days'),
    recordsOf<ClosedWeek>(tables, 'closed_weeks'),
  ])
  const touched = await touchedDates(tables, settings)
  return { settings, entries: [], adjustments, closedDays, closedWeeks, touched }
}

async function withEntries(tables: ReadTables, account: Account, ranges: readonly DateRange[]): Promise<Account> {
  const near = await Promise.all(ranges.map((range) => showEntriesNear(tables, range)))
  // A long entry lies in more than one range.
  const byId = new Map(near.flat().map(({ id, record }) => [id, record as unknown as Entry]))
  return { ...account, entries: [...byId.values()] }
}

/**
 * The dates of which the service's figures are not to be had yet: those that edits can change that are pending, or stored and
 * not pulled since. Of an entry its old and new ones; with settings, all.
 */
async function touchedDates(tables: ReadTables, settings: readonly Settings[]): Promise<DateRange[]> {
  const [pending, unconfirmed] = await Promise.all([tables.outbox.all(), tables.held.unconfirmed()])
  const changed = [...pending, ...unconfirmed]
  if (changed.some(({ kind }) => kind === 'settings_history')) return [{ from: FIRST_DATE, to: LAST_DATE }]
  const timeline = timelineOf(settings)
  const ofEntries = changed.filter(({ kind }) => kind === 'entries')
  const held = await Promise.all(ofEntries.map((row) => tables.held.get(recordKey(row))))
  const before = held.flatMap((row) => [row, row?.was]).map((row) => (row?.isUnreadable ? null : row?.record))
  const after = pending.filter(({ kind }) => kind === 'entries').map(({ content }) => content)
  return [...before, ...after].flatMap((entry) => (entry && affectedRange(entry as Content<'entries'>, timeline)) ?? [])
}
