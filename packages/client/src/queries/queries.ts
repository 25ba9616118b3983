import {
  addDaysWithinCalendar,
  affectedRange,
  allDates,
  buildTimeline,
  type ClosedWeek,
  type Content,
  type DateRange,
  dateAt,
  type Entry,
  type EpochMs,
  type ExpiryProposal,
  type IsoWeek,
  mergeRanges,
  type RecordKind,
  type RecordOf,
  type Settings,
  type UserNumber,
  type VacationYear,
} from '@saldo/core'
import { type ShownRecord, showRecord } from '../engine/shown-record.ts'
import { type BaseRecord, type LostClosings, type OutboxRow, readingOf, recordKey } from '../store/rows.ts'
import type { ReadTables } from '../store/store.ts'
import {
  type AccountRecords,
  balanceRange,
  computedRanges,
  datesOfEntry,
  type ForecastBalance,
  type ForecastDay,
  forecastBalance,
  forecastDays,
  forecastProposals,
  previewSettings,
  type SettingsPreview,
} from './forecast.ts'
import type { HolidaySource } from './holiday-preview.ts'
import { vacationOf } from './vacation.ts'

/** Returns the shown entries that can touch a range of the account's dates, and maybe some around it. */
async function showEntriesNear(tables: ReadTables, range: DateRange): Promise<ShownRecord<Entry>[]> {
  if (range.from > range.to) return []
  return applyOutbox(tables, 'entries', await tables.baseRecords.entriesIn(widen(range)))
}

/** Returns a range with a day around it: in every zone, a date lies within a day of that date in UTC. */
function widen({ from, to }: DateRange): DateRange {
  return { from: addDaysWithinCalendar(from, -1), to: addDaysWithinCalendar(to, 1) }
}

/** Applies the unsent changes of a kind to some of its base records; changed records are always included. */
async function applyOutbox<K extends RecordKind>(
  tables: ReadTables,
  kind: K,
  bases: readonly BaseRecord[],
): Promise<ShownRecord<RecordOf<K>>[]> {
  const rows = (await tables.outbox.all()).filter((row) => row.kind === kind)
  if (rows.length === 0) return confirmed(kind, bases)
  const basesByKey = new Map<string, BaseRecord | undefined>(bases.map((base) => [recordKey(base), base]))
  const rowsByKey = new Map(rows.map((row) => [recordKey(row), row]))
  const otherKeys = [...rowsByKey.keys()].filter((key) => !basesByKey.has(key))
  const others = await tables.baseRecords.getAll(otherKeys)
  for (const [index, key] of otherKeys.entries()) basesByKey.set(key, others[index])
  return shown(
    kind,
    [...basesByKey].map(([key, base]) => showRecord(base, rowsByKey.get(key))),
  )
}

/** Returns records as the service has them. */
function confirmed<K extends RecordKind>(kind: K, bases: readonly BaseRecord[]) {
  return shown(
    kind,
    bases.map((base) => showRecord(base)),
  )
}

/** Returns records of a kind with its type: all that this program can read were checked as they came. */
function shown<K extends RecordKind>(_kind: K, records: readonly (ShownRecord | undefined)[]) {
  return records.flatMap((one) => one ?? []) as unknown as ShownRecord<RecordOf<K>>[]
}

export async function listShownRecords<K extends RecordKind>(
  tables: ReadTables,
  kind: K,
): Promise<ShownRecord<RecordOf<K>>[]> {
  return applyOutbox(tables, kind, await tables.baseRecords.ofKind(kind))
}

/** Returns the entries on the account's dates of a range; a running one is on all dates from its start on. */
export async function entriesBetween(tables: ReadTables, range: DateRange): Promise<ShownRecord<Entry>[]> {
  const timeline = buildTimeline(await listRecords(tables, 'settings_history'))
  const near = await showEntriesNear(tables, range)
  return near.filter(({ record }) => {
    const { from, to } = datesOfEntry(record, timeline)
    return from <= range.to && to >= range.from
  })
}

/** Returns each day of a range: its closed-period figures, and its figures by the records. */
export async function forecastBetween(tables: ReadTables, range: DateRange): Promise<ForecastDay[]> {
  const account = await readAccountWithoutEntries(tables)
  return forecastDays(await addEntriesIn(tables, account, computedRanges(account, range)), range)
}

/** Returns the balance at a moment of this device's clock. */
export async function balanceAt(tables: ReadTables, deviceNowMs: EpochMs): Promise<ForecastBalance> {
  const nowMs = await serviceNowMs(tables, deviceNowMs)
  const account = await readAccountWithoutEntries(tables)
  const bases = await tables.baseRecords.ofKind('balance_adjustments')
  const adjustments = confirmed('balance_adjustments', bases)
  const ranges = computedRanges(account, balanceRange(account, nowMs))
  return forecastBalance(
    await addEntriesIn(tables, account, ranges),
    adjustments.map(({ record }) => record),
    nowMs,
  )
}

/** Returns which hours may expire at the ends of periods (D18.9), at a moment of this device's clock. */
export async function listProposals(
  tables: ReadTables,
  user: UserNumber,
  deviceNowMs: EpochMs,
): Promise<ExpiryProposal[]> {
  const account = await readAccountWithoutEntries(tables)
  if (account.settings.every(({ limits }) => !limits)) return []
  const nowMs = await serviceNowMs(tables, deviceNowMs)
  const ranges = computedRanges(account, balanceRange(account, nowMs))
  return forecastProposals(user, await addEntriesIn(tables, account, ranges), nowMs)
}

/** Returns the effect of a settings row on the balance and its weeks, at a moment of this device's clock. */
export async function previewAt(
  tables: ReadTables,
  settingsRow: Settings,
  deviceNowMs: EpochMs,
  source?: HolidaySource,
): Promise<SettingsPreview> {
  const nowMs = await serviceNowMs(tables, deviceNowMs)
  return previewSettings(await readWholeAccount(tables), settingsRow, nowMs, source)
}

/** Returns the account with all its entries. */
export async function readWholeAccount(tables: ReadTables): Promise<AccountRecords> {
  return { ...(await readAccountWithoutEntries(tables)), entries: await listRecords(tables, 'entries') }
}

/** Returns the vacation account of a year, at a moment of this device's clock. */
export async function vacationAt(tables: ReadTables, year: number, deviceNowMs: EpochMs): Promise<VacationYear | null> {
  const nowMs = await serviceNowMs(tables, deviceNowMs)
  const settings = await listRecords(tables, 'settings_history')
  const entries = await listRecords(tables, 'entries')
  return vacationOf({ settings, entries }, dateAt(buildTimeline(settings), nowMs), year)
}

export async function listClosedWeeks(tables: ReadTables): Promise<ClosedWeek[]> {
  return (await listRecords(tables, 'closed_weeks')).toSorted((a, b) => (a.week < b.week ? -1 : 1))
}

export async function listOutbox(tables: ReadTables): Promise<OutboxRow[]> {
  return (await tables.outbox.all()).toSorted((a, b) => a.place - b.place)
}

/** Returns the closings that a history reset lost and that nobody has closed again. */
export async function listLostClosings(tables: ReadTables): Promise<LostClosings> {
  const { lostClosings } = await tables.meta()
  if (lostClosings.weeks.length + lostClosings.days.length === 0) return lostClosings
  const weeks = new Set<IsoWeek>((await listRecords(tables, 'closed_weeks')).map(({ week }) => week))
  const days = new Set((await listRecords(tables, 'closed_days')).map(({ date }) => date))
  return {
    weeks: lostClosings.weeks.filter((week) => !weeks.has(week)),
    days: lostClosings.days.filter((date) => !days.has(date)),
  }
}

async function listRecords<K extends RecordKind>(tables: ReadTables, kind: K): Promise<RecordOf<K>[]> {
  return (await listShownRecords(tables, kind)).map(({ record }) => record)
}

/** Returns the time by the clock of the service, as far as this device knows it. */
export async function serviceNowMs(tables: ReadTables, deviceNowMs: EpochMs): Promise<EpochMs> {
  return deviceNowMs + (await tables.meta()).offsetMs
}

/** Entries are many: `addEntriesIn` reads those that a query needs. */
async function readAccountWithoutEntries(tables: ReadTables): Promise<AccountRecords> {
  const settings = await listRecords(tables, 'settings_history')
  return {
    settings,
    entries: [],
    adjustments: await listRecords(tables, 'balance_adjustments'),
    closedDays: await listRecords(tables, 'closed_days'),
    closedWeeks: await listRecords(tables, 'closed_weeks'),
    affectedRanges: await rangesOfSettings(tables, settings),
  }
}

/** Adds the entries near some ranges to an account that was read without. */
async function addEntriesIn(
  tables: ReadTables,
  account: AccountRecords,
  ranges: readonly DateRange[],
): Promise<AccountRecords> {
  const near = await Promise.all(ranges.map((range) => showEntriesNear(tables, range)))
  // A long entry is in more than one range.
  const entriesById = new Map(near.flat().map(({ record }) => [record.id, record]))
  return { ...account, entries: [...entriesById.values()] }
}

/**
 * Returns the dates whose closed-period figures are out of date on this device: changes that are unsent, or stored and
 * not pulled yet, can alter them. For an entry these are its old and its new dates; for settings all dates.
 */
async function rangesOfSettings(tables: ReadTables, settings: readonly Settings[]): Promise<DateRange[]> {
  const rows = await tables.outbox.all()
  const unconfirmed = await tables.baseRecords.unconfirmed()
  if ([...rows, ...unconfirmed].some(({ kind }) => kind === 'settings_history')) return [allDates]
  const timeline = buildTimeline(settings)
  const isEntry = ({ kind }: { kind: RecordKind }) => kind === 'entries'
  const bases = await tables.baseRecords.getAll(rows.filter(isEntry).map(recordKey))
  const before = [...bases, ...unconfirmed.filter(isEntry)]
    .flatMap((base) => [base, base?.lastPulled])
    .map((base) => base && readingOf(base))
  const after = rows.filter(isEntry).map((row) => showRecord(undefined, row)?.record)
  return mergeRanges(
    [...before, ...after].flatMap((entry) => (entry && affectedRange(entry as Content<'entries'>, timeline)) ?? []),
  )
}
