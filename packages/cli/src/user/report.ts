import { roundReport } from '@saldo/client/export'
import {
  addDays,
  asLine,
  type DateRange,
  type Entry,
  isDate,
  type LocalDate,
  noFilter,
  type ReportGroup,
  type ReportLine,
  reportOf,
} from '@saldo/core'
import { datesArgument } from './arguments.ts'
import { allEntries, show, type UserOptions } from './session.ts'
import { hours, styled, table } from './text.ts'

/** Options of `saldo report`. */
export interface ReportOptions extends UserOptions {
  by: ReportGroup
  project?: string
  tag?: string
  words?: string
}

/** Shows the time of a range of dates by project, tag, day, week or month (D12); by default of this month. */
export function report(words: readonly string[], options: ReportOptions): Promise<void> {
  return show(options, async (session) => {
    const { today, timeline } = session
    const range = periodArgument(words.join(' '), today)
    const { by, project = '', tag = '', words: sought = '' } = options
    const entries: Entry[] = (await allEntries(session)).map((row) => row.record)
    const filter = { ...noFilter, project, tag: tag.replace(/^#/, ''), words: sought }
    const found = reportOf(entries, timeline, filter, range, by)
    const { lines, repeatedMs, deductedMs, totalMs, notCountedMs } = found
    const shown = roundReport(found)
    const less = (name: string, ms: number, shownMs: number) => (ms === 0 ? [] : [[name, hours(shownMs)]])
    const cells = [
      ...lines.map((line, index) => [nameOf(line, by), hours(shown.linesMs[index] ?? 0)]),
      ...less('counted more than once', repeatedMs, shown.repeatedMs),
      ...less('break deducted', deductedMs, shown.deductedMs),
      [styled('bold', `${range.from} to ${range.to}`), styled('bold', hours(shown.totalMs))],
      ...(notCountedMs === 0 ? [] : [['does not count', hours(notCountedMs)]]),
    ]
    return {
      lines: table(cells, '<>'),
      json: {
        ...range,
        group: by,
        lines: lines.map(({ key, timeMs, entryCount }) => ({ key, time_ms: timeMs, entries: entryCount })),
        repeated_ms: repeatedMs,
        deducted_ms: deductedMs,
        total_ms: totalMs,
        not_counted_ms: notCountedMs,
      },
    }
  })
}

function nameOf({ key }: ReportLine, by: ReportGroup): string {
  if (key === null) return by === 'tag' ? '(without a tag)' : '(without a project)'
  return by === 'tag' ? asLine(`#${key}`) : asLine(key)
}

/** Reads a month (`2026-11`), a year or dates; this month without any. Throws `CommandError`. */
function periodArgument(text: string, today: LocalDate): DateRange {
  const period = text === '' ? today.slice(0, 7) : text
  const first = `${period}${/^\d{4}$/.test(period) ? '-01' : ''}-01`
  if (/^\d{4}(-\d\d)?$/.test(period) && isDate(first)) {
    const days = period.length === 4 ? 366 : 31
    return { from: first, to: lastWithin(period, addDays(first, days)) }
  }
  return datesArgument(text, 'the dates', { today })
}

/** Returns the last date of a period that ends before a date. */
function lastWithin(period: string, end: LocalDate): LocalDate {
  let date = end
  while (!date.startsWith(period)) date = addDays(date, -1)
  return date
}
