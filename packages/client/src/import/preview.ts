import {
  type Adjustment,
  affectedRange,
  buildTimeline,
  contentOf,
  type DateRange,
  type DisjointIntervals,
  type DurationMs,
  difference,
  type Entry,
  type EntryContent,
  type EpochMs,
  epochMs,
  type Instant,
  type Interval,
  isCounted,
  isTimed,
  type LocalDate,
  type Settings,
  type Timeline,
  totalLength,
  union,
  type WritableKind,
  within,
} from '@saldo/core'
import { type AccountRecords, type AlteredWeek, previewRecords } from '../queries/forecast.ts'
import { readWholeAccount, serviceNowMs } from '../queries/queries.ts'
import type { ReadTables } from '../store/store.ts'
import type { DraftedImport, ImportDraft } from './draft.ts'
import type { Oddity, SkipReason } from './file.ts'
import { dateIn } from './local-time.ts'

/** The effect of an import, before it is made. Lengths and balances are in milliseconds. */
export interface ImportPreview {
  /** The records that will be added. */
  drafts: readonly ImportDraft[]
  rows: number
  entries: number
  /** Other records, which only Saldo's own export has. */
  settings: number
  adjustments: number
  skipped: readonly { row: number; reason: SkipReason }[]
  oddities: readonly { row: number; oddity: Oddity }[]
  /** The texts of the rows that are left out or odd. */
  texts: ReadonlyMap<number, string>
  /** The first and the last date of the entries, in their own zones; null without any. */
  first: LocalDate | null
  last: LocalDate | null
  /** The number of dates with entries. */
  days: number
  /** The sum of the lengths of work. */
  worked_ms: DurationMs
  /** The time covered by work and not by a break: what overlaps counts once. */
  covered_ms: DurationMs
  /** The part of `covered_ms` that work of the account covers already, and that adds nothing. */
  overlapping_ms: DurationMs
  projects: readonly string[]
  balanceBeforeMs: DurationMs
  balanceAfterMs: DurationMs
  /** The weeks whose delta changes. */
  weeks: readonly AlteredWeek[]
  /** The date on which the account begins: earlier entries do not count. Null without a schedule. */
  account_from: LocalDate | null
}

/** An account at a moment of the service's clock. */
export interface AccountNow {
  account: AccountRecords
  nowMs: EpochMs
}

/** Returns the account of a device, at a moment of the device's clock. */
export async function readAccountNow(tables: ReadTables, deviceNowMs: EpochMs): Promise<AccountNow> {
  return { account: await readWholeAccount(tables), nowMs: await serviceNowMs(tables, deviceNowMs) }
}

/** Returns the effect of an import on an account. */
export function previewImport({ account, nowMs }: AccountNow, drafted: DraftedImport): ImportPreview {
  const { drafts, known } = removeKnown(account, drafted)
  const rows = new Set(drafts.map(({ row }) => row))
  const added = {
    entries: recordsOf<Entry>(drafts, 'entries'),
    settings: recordsOf<Settings>(drafts, 'settings_history'),
    adjustments: recordsOf<Adjustment>(drafts, 'balance_adjustments'),
  }
  const effect = previewRecords(account, added, nowMs)
  const timeline = buildTimeline([...account.settings, ...added.settings])
  const ranges = added.entries.flatMap((entry) => datesOf(entry, timeline) ?? [])
  const dates = new Set(ranges.map(({ from }) => from))
  const work = intervalsOf(added.entries, 'work')
  const covered = difference(union(work), union(intervalsOf(added.entries, 'break')))
  const present = union(intervalsOf(account.entries, 'work'))
  const skipped = [...drafted.skipped, ...known].toSorted((a, b) => a.row - b.row)
  const oddities = [
    ...drafted.oddities.filter(({ row }) => rows.has(row)),
    ...futureRows(drafted.batch, drafts, nowMs),
    ...overlappingRows(present, drafts),
  ]
  const named = new Set([...skipped, ...oddities].map(({ row }) => row))
  return {
    drafts,
    rows: drafted.rowCount,
    entries: added.entries.length,
    settings: added.settings.length,
    adjustments: added.adjustments.length,
    skipped,
    oddities,
    texts: new Map([...drafted.texts].filter(([row]) => named.has(row))),
    first: ranges.reduce<LocalDate | null>((first, { from }) => (first === null || from < first ? from : first), null),
    last: ranges.reduce<LocalDate | null>((last, { to }) => (last === null || to > last ? to : last), null),
    days: dates.size,
    worked_ms: work.reduce((sum, { start, end }) => sum + end - start, 0),
    covered_ms: totalLength(covered),
    overlapping_ms: totalLength(covered) - totalLength(difference(covered, present)),
    projects: [...new Set(added.entries.flatMap(({ project }) => project ?? []))].sort(),
    balanceBeforeMs: effect.beforeMs,
    balanceAfterMs: effect.afterMs,
    weeks: effect.weeks,
    account_from: timeline[0]?.effective_from ?? null,
  }
}

/** Returns the first and the last date of an entry, by the clock of its own zone, if it has one. */
function datesOf(entry: EntryContent, timeline: Timeline): DateRange | undefined {
  if (!isTimed(entry) || entry.time_zone === null) return affectedRange(entry, timeline)
  const startMs = epochMs(entry.started_at)
  const endMs = entry.ended_at === null ? startMs : epochMs(entry.ended_at)
  // An entry that ends at midnight has nothing of the date that begins.
  return { from: dateIn(startMs, entry.time_zone), to: dateIn(Math.max(startMs, endMs - 1), entry.time_zone) }
}

/** Returns the rows of another tool whose work is still to come: often day and month are the other way round. */
function futureRows(batch: string | null, drafts: readonly ImportDraft[], nowMs: EpochMs) {
  if (batch === null) return []
  const future = drafts.filter(
    ({ content }: { content: { started_at: Instant } }) => epochMs(content.started_at) > nowMs,
  )
  return [...new Set(future.map(({ row }) => row))].map((row) => ({ row, oddity: 'in_the_future' as const }))
}

/** Returns the rows whose work overlaps work of the account. */
function overlappingRows(present: DisjointIntervals, drafts: readonly ImportDraft[]) {
  return drafts
    .filter(({ kind }) => kind === 'entries')
    .flatMap(({ row, content }) => intervalsOf([content], 'work').map((work) => ({ row, work })))
    .filter(({ work }) => within(present, work).length > 0)
    .map(({ row }) => row)
    .sort((a, b) => a - b)
    .map((row) => ({ row, oddity: 'overlaps_account' as const }))
}

/** Leaves out the drafts whose record is there already: under its id, or as an entry with its `import_ref`. */
function removeKnown(
  account: AccountRecords,
  { batch, drafts }: DraftedImport,
): { drafts: ImportDraft[]; known: { row: number; reason: SkipReason }[] } {
  const ids = new Set([...account.entries, ...account.settings, ...account.adjustments].map(({ id }) => id))
  const refs = new Set(batch === null ? [] : account.entries.map(({ import_ref }) => import_ref))
  const isKnown = ({ id, content }: ImportDraft) => ids.has(id) || refs.has((content as EntryContent).import_ref ?? '')
  const added = drafts.filter((draft) => !isKnown(draft))
  const rows = new Set(added.map(({ row }) => row))
  const known = new Set(drafts.filter(isKnown).map(({ row }) => row)).difference(rows)
  return { drafts: added, known: [...known].map((row) => ({ row, reason: 'already_imported' })) }
}

function recordsOf<T>(drafts: readonly ImportDraft[], kind: WritableKind): T[] {
  return drafts
    .filter((draft) => draft.kind === kind)
    .map(({ id, content }) => ({ ...contentOf(content as Entry), id }) as T)
}

/** Returns the intervals of finished entries of a kind, without work that does not count. */
function intervalsOf(entries: readonly EntryContent[], kind: 'work' | 'break'): Interval[] {
  return entries.flatMap((entry) => {
    if (!isTimed(entry) || entry.kind !== kind || entry.ended_at === null || !isCounted(entry)) return []
    return [{ start: epochMs(entry.started_at), end: epochMs(entry.ended_at) }]
  })
}
