import { type RoundedReport, roundReport } from '@saldo/client/export'
import { addDays, type DurationMs, itemAt, type LocalDate, type Report, type ReportLine } from '@saldo/core'
import { type ReportQuery, reportAddressOf } from '../../domain/reports/report-query.ts'

/** The figures of a report to show, and the share of each line of the longest one. */
interface ReportFigures extends Omit<RoundedReport, 'linesMs'> {
  lines: { line: ReportLine; shownMs: DurationMs; share: number }[]
}

export function reportFigures(report: Omit<Report, 'notCountedMs'>): ReportFigures {
  const longestMs = report.lines.reduce((most, { timeMs }) => Math.max(most, timeMs), 1)
  const { linesMs, ...sums } = roundReport(report)
  const lines = report.lines.map((line, index) => ({
    line,
    shownMs: itemAt(linesMs, index),
    share: line.timeMs / longestMs,
  }))
  return { ...sums, lines }
}

/** Returns the address of what a line counts: its day or week, or a report of it; `undefined` if it has no name. */
export function lineAddress({ key }: ReportLine, query: ReportQuery): string | undefined {
  if (key === null) return undefined
  switch (query.group) {
    case 'project':
      return reportAddressOf({ ...query, project: key, group: 'day' })
    case 'tag':
      return reportAddressOf({ ...query, tag: key, group: 'project' })
    case 'day':
      return `/day/${key}`
    case 'week':
      return `/week/${key}`
    case 'month':
      return reportAddressOf({ ...query, dates: monthOf(key), group: 'day' })
  }
}

function monthOf(month: string): { from: LocalDate; to: LocalDate } {
  const from = `${month}-01` as LocalDate
  const lastDay = Temporal.PlainYearMonth.from(month).daysInMonth
  return { from, to: addDays(from, lastDay - 1) }
}
