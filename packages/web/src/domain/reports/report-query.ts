import {
  type DateRange,
  type EntryFilter,
  FIRST_DATE,
  isDate,
  LAST_DATE,
  type LocalDate,
  noFilter,
  type ReportGroup,
  reportGroups,
} from '@saldo/core'
import { addressWith, type FieldReads } from '../address.ts'
import { filterFields, readFilter, readSearchDate, textFields } from '../entries/search.ts'
import { neighbourRange, presetOf, presetRange, type RangePreset, rangePresets } from './report-range.ts'

/** A report as its address asks for it. */
export interface ReportQuery extends EntryFilter {
  dates: RangePreset | DateRange
  group: ReportGroup
}

export const defaultQuery: ReportQuery = { ...noFilter, dates: 'this-month', group: 'project' }

const PATH = '/reports'

/** Returns the address of a report. It leaves out what is as in the default. */
export function reportAddressOf(query: Partial<ReportQuery>): string {
  const { dates, group, ...filter } = { ...defaultQuery, ...query }
  return addressWith(PATH, {
    ...(typeof dates === 'string' ? { dates: dates === defaultQuery.dates ? '' : dates } : dates),
    by: group === defaultQuery.group ? '' : group,
    ...filterFields({ ...filter, kind: filter.kind === 'break' ? 'break' : '' }),
  })
}

/** Reads a report from the fields of its address. Malformed ones are as in the default. */
export function readReportAddress(params: URLSearchParams): ReportQuery {
  return {
    dates: readDates(params),
    group: reportGroups.find((group) => group === params.get('by')) ?? defaultQuery.group,
    ...readFilter(params, ['break']),
  }
}

/** The values that fields of the address of a report can have. */
export const reportFields: FieldReads = {
  dates: (text) => rangePresets.some((preset) => preset === text),
  from: isInOrder,
  to: isInOrder,
  by: (text) => reportGroups.some((group) => group === text),
  kind: (text) => text === 'break',
  ...textFields,
}

function isInOrder(text: string, fields: URLSearchParams): boolean {
  const [from, to] = [readSearchDate(fields, 'from') ?? text, readSearchDate(fields, 'to') ?? text]
  return isDate(text) && from <= to
}

function readDates(params: URLSearchParams): ReportQuery['dates'] {
  const preset = rangePresets.find((preset) => preset === params.get('dates'))
  const [from, to] = [readSearchDate(params, 'from'), readSearchDate(params, 'to')]
  if (preset || !(from || to)) return preset ?? defaultQuery.dates
  const range = { from: from ?? FIRST_DATE, to: to ?? LAST_DATE }
  return range.from <= range.to ? range : defaultQuery.dates
}

/** Returns the dates of a query today. */
export function rangeOfQuery({ dates }: Pick<ReportQuery, 'dates'>, today: LocalDate): DateRange {
  return typeof dates === 'string' ? presetRange(dates, today) : dates
}

/** Returns the address of the same report of the dates before or after; of the same dates if there are none. */
export function neighbourAddress(query: ReportQuery, direction: -1 | 1, today: LocalDate): string {
  const range = rangeOfQuery(query, today)
  return reportAddressOf({ ...query, dates: datesOf(neighbourRange(range, direction) ?? range, today) })
}

/** Returns the dates of a query as a preset, if they are those of one today, so that its address stays short. */
export function datesOf(range: DateRange, today: LocalDate): ReportQuery['dates'] {
  return presetOf(range, today) ?? range
}
