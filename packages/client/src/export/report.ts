import { type DurationMs, HOUR_MS, MINUTE_MS, type Report, type ReportGroup, type ReportLine } from '@saldo/core'
import type { ExportCell, ExportColumn, ExportTable } from './tables.ts'
import { apportionMinutes, wholeMinutes } from './whole-minutes.ts'

/** The words of an exported report. */
export interface ReportWords {
  /** Returns the name of a project or tag, or of entries without one. Dates, weeks and months name themselves. */
  nameOf(line: ReportLine): string
  repeated: string
  deducted: string
}

/**
 * Returns a report as a table. Time that is counted more than once and deducted breaks are lines below zero, so that
 * the hours add up to the total.
 */
export function reportTable(
  { lines, repeatedMs, deductedMs }: Report,
  group: ReportGroup,
  words: ReportWords,
): ExportTable {
  const columns: ExportColumn[] = [
    { name: group, type: group === 'day' ? 'date' : 'text' },
    { name: 'hours', type: 'hours' },
    { name: 'entries', type: 'number' },
  ]
  const isNamed = group === 'project' || group === 'tag'
  const rows: ExportCell[][] = lines.map((line) => [
    isNamed ? words.nameOf(line) : line.key,
    line.timeMs / HOUR_MS,
    line.entryCount,
  ])
  if (repeatedMs > 0) rows.push([words.repeated, -repeatedMs / HOUR_MS, null])
  if (deductedMs > 0) rows.push([words.deducted, -deductedMs / HOUR_MS, null])
  return { name: 'report', columns, rows }
}

/** The figures of a report in whole minutes, in milliseconds: all of them add up to the total. */
export interface RoundedReport {
  linesMs: DurationMs[]
  /** At most 0. */
  repeatedMs: DurationMs
  /** At most 0. */
  deductedMs: DurationMs
  totalMs: DurationMs
}

/** Rounds the figures of a report to whole minutes that add up (D12.10). */
export function roundReport({ lines, repeatedMs, deductedMs, totalMs }: Omit<Report, 'notCountedMs'>): RoundedReport {
  const total = wholeMinutes(totalMs)
  const minutes = apportionMinutes([...lines.map(({ timeMs }) => timeMs), -repeatedMs, -deductedMs], total)
  const shownMs = minutes.map((each) => each * MINUTE_MS)
  const [repeated = 0, deducted = 0] = shownMs.splice(-2)
  return { linesMs: shownMs, repeatedMs: repeated, deductedMs: deducted, totalMs: total * MINUTE_MS }
}
