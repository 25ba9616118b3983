import {
  type Adjustment,
  dateAt,
  datesOfMonth,
  type IdentifiedEntry,
  instantOf,
  type LocalDate,
  type MemberRecords,
  type Month,
  type Settings,
  sightOf,
  type Timeline,
} from '@saldo/core'
import { readAdjustments, readEntries, readSettings, readTimeline } from '../account/account-reads.ts'
import type { UserReader } from '../store/store.ts'
import type { SheetLook } from './seen-sheet.ts'
import { figuresOf } from './shown-fields.ts'

/** Returns the records of a month that somebody sees with their times (D25.1), and the working hours of that time. */
export async function memberRecords(
  reader: UserReader,
  month: Month,
  { viewer, owner, policy }: SheetLook,
): Promise<Omit<MemberRecords, 'may_apply'>> {
  const timeline = await readTimeline(reader)
  const range = datesOfMonth(month)
  const isSeen = (date: LocalDate) =>
    range.from <= date && date <= range.to && sightOf(viewer, owner, { kind: 'day', date }, policy) === 'times'
  const entries = (await readEntries(reader, timeline, range)).filter((entry) => isSeen(dateOf(entry, timeline)))
  const adjustments = (await readAdjustments(reader, range)).filter(({ effective_date }) => isSeen(effective_date))
  return {
    entries: entries.map(wireOf),
    balance_adjustments: adjustments.map(withoutReason),
    settings: settingsSince(await readSettings(reader), owner.memberDates),
  }
}

function dateOf(entry: IdentifiedEntry, timeline: Timeline): LocalDate {
  return 'start' in entry ? dateAt(timeline, entry.start) : entry.date
}

function wireOf(entry: IdentifiedEntry): MemberRecords['entries'][number] {
  if (!('start' in entry)) return entry
  const { id, kind, start, end } = entry
  return { id, kind, started_at: instantOf(start), ended_at: end === null ? null : instantOf(end) }
}

function withoutReason({
  id,
  kind,
  effective_date,
  delta_ms,
}: Adjustment): MemberRecords['balance_adjustments'][number] {
  return { id, kind, effective_date, delta_ms }
}

/** Returns the working hours in force since a membership began; those of before are of nobody else (D24.3). */
function settingsSince(rows: readonly Settings[], [first]: SheetLook['owner']['memberDates']) {
  const inOrder = rows.toSorted((a, b) => (a.effective_from < b.effective_from ? -1 : 1))
  if (!first) return []
  const start = inOrder.findLastIndex(({ effective_from }) => effective_from <= first.from)
  return inOrder.slice(Math.max(0, start)).map((row) => {
    const { effective_from: from, time_zone, target_ms } = row
    const content = { ...figuresOf('settings_history', row), time_zone, target_ms }
    return { ...content, effective_from: from < first.from ? first.from : from }
  })
}
