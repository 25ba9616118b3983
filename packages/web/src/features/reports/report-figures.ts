import { apportionMinutes, wholeMinutes } from '@saldo/client/export'
import { type DurationMs, MINUTE_MS, type Report, type ReportLine } from '@saldo/core'

/** The figures of a report in whole minutes, so that they add up as shown. */
export interface ReportFigures {
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
