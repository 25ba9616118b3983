import {
  type DateRange,
  type EntryFilter,
  type Report,
  type ReportGroup,
  type ReportSummary,
  reportOf,
} from '@saldo/core'
import type { UserReader } from '../store/store.ts'
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
  const records = await reader.overlapping('entries', entrySpan(timeline, range), { limit: MAX_REPORT_ENTRIES + 1 })
  if (records.length > MAX_REPORT_ENTRIES) return { outcome: 'too_many_entries' }
  const entries = records.map(({ fields }) => fields)
  const tags = entries.reduce((sum, entry) => sum + entry.tags.length, 0)
  if (group === 'tag' && tags > MAX_REPORT_TAGS) return { outcome: 'too_many_entries' }
  return { outcome: 'report', report: summaryOf(reportOf(entries, timeline, filter, range, group), range, group) }
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
