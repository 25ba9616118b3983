import { apportionMinutes, wholeMinutes } from '@saldo/client/export'
import { addDays, type DurationMs, type LocalDate, MINUTE_MS, type Report, type ReportLine } from '@saldo/core'
import { type ReportQuery, reportAddressOf } from '../../domain/reports/report-query.ts'

/** The figures of a report in whole minutes, so that they add up as shown. */
interface ReportFigures {
  /** The lines with the time to show, and its share of the longest one. */
  lines: { line: ReportLine; shownMs: DurationMs; share: number }[]
  repeatedMs: DurationMs
  deductedMs: DurationMs
}

export function reportFigures({ lines, repeatedMs, deductedMs, totalMs }: Omit<Report, 'notCountedMs'>): ReportFigures {
  const longestMs = lines.reduce((most, { timeMs }) => Math.max(most, timeMs), 1)
  const parts = [...lines.map(({ timeMs }) => timeMs), -repeatedMs, -deductedMs]
  const shownMs = apportionMinutes(parts, wholeMinutes(totalMs)).map((minutes) => minutes * MINUTE_MS)
  return {
    lines: lines.map((line, index) => ({
      line,
      shownMs: shownMs[index] as number,
      share: line.timeMs / longestMs,
    })),
    repeatedMs: shownMs.at(-2) as number,
    deductedMs: shownMs.at(-1) as number,
  }
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
