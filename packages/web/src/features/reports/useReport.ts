import { useEntries } from '@saldo/client/react'
import { type DateRange, type Report, reportOf } from '@saldo/core'
import { useDeferredValue, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useTimeline } from '../../domain/account/TimelineProvider.tsx'
import { useToday } from '../../domain/account/useToday.ts'
import { addressOf, type ReportQuery, rangeOf, readAddress } from '../../domain/reports/report-query.ts'

/** A report with what it was asked for: while a new one is computed, the address is ahead of it. */
export interface AnsweredReport {
  report: Report
  query: ReportQuery
  range: DateRange
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
  const address = useSearch()
  const [, go] = useLocation()
  const query = useMemo(() => readAddress(address), [address])
  const asked = useDeferredValue(query)
  const rows = useEntries()
  const entries = useMemo(() => rows?.map(({ record }) => record), [rows])
  const answered = useMemo(() => {
    if (!entries) return undefined
    const range = rangeOf(asked, today)
    return { report: reportOf(entries, timeline, asked, range, asked.group), query: asked, range }
  }, [entries, timeline, asked, today])
  return {
    query,
    range: rangeOf(query, today),
    answered,
    ask: (changed, options) => go(addressOf({ ...query, ...changed }), options),
  }
}
