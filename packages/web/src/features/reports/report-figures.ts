import { apportionMinutes, wholeMinutes } from '@saldo/client/export'
import { type DurationMs, MINUTE_MS, type Report } from '@saldo/core'

/** The figures of a report in whole minutes, so that they add up as shown. */
export interface ReportFigures {
  /** The time of each line, and its share of the longest one. */
  lines: { timeMs: DurationMs; share: number }[]
  repeatedMs: DurationMs
  deductedMs: DurationMs
}

export function reportFigures({ lines, repeatedMs, deductedMs, totalMs }: Omit<Report, 'notCountedMs'>): ReportFigures {
  const longestMs = lines.reduce((most, { timeMs }) => Math.max(most, timeMs), 1)
  const parts = [...lines.map(({ timeMs }) => timeMs), -repeatedMs, -deductedMs]
  const shownMs = apportionMinutes(parts, wholeMinutes(totalMs)).map((minutes) => minutes * MINUTE_MS)
  return {
    lines: lines.map(({ timeMs }, index) => ({ timeMs: shownMs[index] as number, share: timeMs / longestMs })),
    repeatedMs: shownMs.at(-2) as number,
    deductedMs: shownMs.at(-1) as number,
  }
}
