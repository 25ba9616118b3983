import { useEntries } from '@saldo/client/react'
import {
  type DateRange,
  isWeek,
  type LocalDate,
  type Report,
  type ReportGroup,
  type ReportLine,
  reportOf,
} from '@saldo/core'
import { useCallback, useDeferredValue, useMemo } from 'react'
import { useLocation } from 'wouter'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTimeline, useToday } from '../../domain/account/TimelineProvider.tsx'
import { useAddressFields } from '../../domain/address.ts'
import { projectHues } from '../../domain/entries/entries-model.ts'
import {
  type ReportQuery,
  rangeOfQuery,
  readReportAddress,
  reportAddressOf,
} from '../../domain/reports/report-query.ts'
import { useTranslation } from '../../i18n/translation.ts'

/** A report with what it was asked for: while a new one is computed, the address is ahead of it. */
export interface AnsweredReport {
  report: Report
  query: ReportQuery
  range: DateRange
  /** The hues of all projects of the account. */
  hues: ReadonlyMap<string, number>
}

export interface ShownReport {
  /** The query of the address. */
  query: ReportQuery
  range: DateRange
  /** `undefined` until the entries are read. */
  answered: AnsweredReport | undefined
  /** Changes the query, and with it the address: as a new step of the history, or in place of this one. */
  ask(changed: Partial<ReportQuery>, options?: { replace: boolean }): void
}

/** Returns the report of the address. */
export function useReport(): ShownReport {
  const { timeline } = useTimeline()
  const today = useToday()
  const address = useAddressFields()
  const [, go] = useLocation()
  const query = useMemo(() => readReportAddress(address), [address])
  const asked = useDeferredValue(query)
  const rows = useEntries()
  const entries = useMemo(() => rows?.map(({ record }) => record), [rows])
  const hues = useMemo(() => projectHues(entries ?? []), [entries])
  const answered = useMemo(() => {
    if (!entries) return undefined
    const range = rangeOfQuery(asked, today)
    return { report: reportOf(entries, timeline, asked, range, asked.group), query: asked, range, hues }
  }, [entries, timeline, asked, today, hues])
  return {
    query,
    range: rangeOfQuery(query, today),
    answered,
    ask: (changed, options) => go(reportAddressOf({ ...query, ...changed }), options),
  }
}

/** Returns a function for the name of a line. */
export function useLineName(): (line: ReportLine, group: ReportGroup) => string {
  const { t } = useTranslation()
  const format = useFormat()
  return useCallback(
    ({ key }, group) => {
      if (key === null) return t(group === 'tag' ? 'reports.noTag' : 'reports.noProject')
      switch (group) {
        case 'project':
          return key
        case 'tag':
          return `#${key}`
        case 'day':
          return format.date(key as LocalDate, 'field')
        case 'week':
          return isWeek(key) ? t('reports.week', { number: Number(key.slice(6)), year: key.slice(0, 4) }) : key
        case 'month':
          return format.date(`${key}-01` as LocalDate, 'month')
      }
    },
    [t, format],
  )
}
