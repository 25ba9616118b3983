import type { ReportLine } from '@saldo/core'
import { addDays, type LocalDate } from '@saldo/core'
import { addressOf, type ReportQuery } from '../../domain/reports/report-query.ts'

/** Returns the address of what a line counts: its day or week, or a report of it; `undefined` if it has no name. */
export function lineAddress({ key }: ReportLine, query: ReportQuery): string | undefined {
  if (key === null) return undefined
  switch (query.group) {
    case 'project':
      return addressOf({ ...query, project: key, group: 'day' })
    case 'tag':
      return addressOf({ ...query, tag: key, group: 'project' })
    case 'day':
      return `/day/${key}`
    case 'week':
      return `/week/${key}`
    case 'month':
      return addressOf({ ...query, dates: monthOf(key), group: 'day' })
  }
}

function monthOf(month: string): { from: LocalDate; to: LocalDate } {
  const from = `${month}-01` as LocalDate
  const lastDay = Temporal.PlainYearMonth.from(month).daysInMonth
  return { from, to: addDays(from, lastDay - 1) }
}
