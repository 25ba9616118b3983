import {
  type DateRange,
  type EntryContent,
  type EntryFilter,
  entryMatcher,
  type Report,
  type ReportGroup,
  type ReportSummary,
  reportOf,
  type Timeline,
} from '@saldo/core'
import { timeKeyOf } from '../store/records/rows.ts'
import type { TimeKey, UserReader } from '../store/store.ts'
import { TimeSlice } from '../time-slice.ts'
import { entrySpan, readTimeline } from './account-reads.ts'

/** The most entries of a report, which is computed at once. */
export const MAX_REPORT_ENTRIES = 10_000
/** The most tags of these entries, with each entry that has it: a report by tag computes and names them all. */
export const MAX_REPORT_TAGS = 50_000

/**
 * Returns the report of a range of dates (D12); `too_many_entries` if more than `MAX_REPORT_ENTRIES` overlap it, or if
 * it is by tag and they have more than `MAX_REPORT_TAGS`.
 */
export async function timeReport(
  reader: UserReader,
  filter: EntryFilter,
  range: DateRange,
  group: ReportGroup,
): Promise<{ outcome: 'report'; report: ReportSummary } | { outcome: 'too_many_entries' }> {
  const timeline = await readTimeline(reader)
  const { entries, chosen } = await readWithoutNotes(reader, timeline, filter, range)
  if (entries.length > MAX_REPORT_ENTRIES) return { outcome: 'too_many_entries' }
  const tags = entries.reduce((sum, entry) => sum + entry.tags.length, 0)
  if (group === 'tag' && tags > MAX_REPORT_TAGS) return { outcome: 'too_many_entries' }
  const report = reportOf(entries, timeline, filter, range, group, (entry) => chosen.has(entry))
  return { outcome: 'report', report: summaryOf(report, range, group) }
}

/** Texts can be long, so entries are read and looked through in portions of this number. */
const ENTRIES_PER_READ = 200

/**
 * Reads the entries of a report without their notes, at most a few more than its limit, and which of them pass the
 * filter, so that only this looks through long texts. Others are served meanwhile.
 */
async function readWithoutNotes(
  reader: UserReader,
  timeline: Timeline,
  filter: EntryFilter,
  range: DateRange,
): Promise<{ entries: EntryContent[]; chosen: ReadonlySet<EntryContent> }> {
  const matches = entryMatcher(filter)
  const slice = new TimeSlice()
  const entries: EntryContent[] = []
  const chosen = new Set<EntryContent>()
  let after: TimeKey | undefined
  for (;;) {
    const records = await reader.overlapping('entries', entrySpan(timeline, range), { after, limit: ENTRIES_PER_READ })
    for (const { fields } of records) {
      const entry = { ...fields, note: '' }
      entries.push(entry)
      if (matches(fields)) chosen.add(entry)
      if (slice.isUsedUp()) await slice.renew()
    }
    const last = records.at(-1)
    if (!last || records.length < ENTRIES_PER_READ || entries.length > MAX_REPORT_ENTRIES) return { entries, chosen }
    after = timeKeyOf(last)
  }
}

function summaryOf(
  { lines, repeatedMs, deductedMs, totalMs, notCountedMs }: Report,
  { from, to }: DateRange,
  group: ReportGroup,
): ReportSummary {
  return {
    from,
    to,
    group,
    lines: lines.map(({ key, timeMs, entryCount }) => ({ key, time_ms: timeMs, entries: entryCount })),
    repeated_ms: repeatedMs,
    deducted_ms: deductedMs,
    total_ms: totalMs,
    not_counted_ms: notCountedMs,
  }
}
