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
import { presetOf, presetRange, type RangePreset, rangePresets } from './report-range.ts'

/** A report as its address asks for it. */
export interface ReportQuery extends EntryFilter {
  dates: RangePreset | DateRange
  group: ReportGroup
}

export const defaultQuery: ReportQuery = { ...noFilter, dates: 'this-month', group: 'project' }

const PATH = '/reports'

/** Returns the address of a report. It leaves out what is as in the default. */
export function addressOf(query: Partial<ReportQuery>): string {
  const { dates, group, words, kind, project, tag } = { ...defaultQuery, ...query }
  const fields = {
    ...(typeof dates === 'string' ? { dates: dates === defaultQuery.dates ? '' : dates } : dates),
    by: group === defaultQuery.group ? '' : group,
    project,
    tag,
    words,
    kind: kind === 'break' ? kind : '',
  }
  const filled = Object.entries(fields).filter(([, value]) => value !== '')
  return filled.length === 0 ? PATH : `${PATH}?${new URLSearchParams(filled)}`
}

/** Reads the part of an address after `?`. Fields that are malformed are as in the default. */
export function readAddress(search: string): ReportQuery {
  const params = new URLSearchParams(search)
  const textOf = (name: string) => params.get(name) ?? ''
  return {
    dates: readDates(params),
    group: reportGroups.find((group) => group === params.get('by')) ?? defaultQuery.group,
    project: textOf('project'),
    tag: textOf('tag'),
    words: textOf('words'),
    kind: params.get('kind') === 'break' ? 'break' : '',
  }
}

function readDates(params: URLSearchParams): ReportQuery['dates'] {
  const preset = rangePresets.find((preset) => preset === params.get('dates'))
  const [from, to] = [params.get('from'), params.get('to')].map(dateOf)
  if (preset || !(from || to)) return preset ?? defaultQuery.dates
  const range = { from: from ?? FIRST_DATE, to: to ?? LAST_DATE }
  return range.from <= range.to ? range : defaultQuery.dates
}

function dateOf(text: string | null): LocalDate | undefined {
  return text !== null && isDate(text) ? text : undefined
}

/** Returns the dates of a query today. */
export function rangeOf({ dates }: Pick<ReportQuery, 'dates'>, today: LocalDate): DateRange {
  return typeof dates === 'string' ? presetRange(dates, today) : dates
}

/** Returns the dates of a query as a preset, if they are those of one today, so that its address stays short. */
export function datesOf(range: DateRange, today: LocalDate): ReportQuery['dates'] {
  return presetOf(range, today) ?? range
}
