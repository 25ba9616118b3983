import type { ShownRecord } from '@saldo/client'
import { type AbsenceRecord, type TimedRecord, wallAt } from '@saldo/client/entries'
import {
  addDays,
  type DateRange,
  type DurationMs,
  type Entry,
  type EntryFilter,
  type EpochMs,
  entryMatcher,
  epochMs,
  FIRST_DATE,
  firstInstant,
  type Interval,
  intervalOf,
  isAbsence,
  isDate,
  isTimed,
  LAST_DATE,
  type LocalDate,
  noFilter,
  reportedTime,
  type Settings,
  type Timeline,
  textOf,
  type ZoneName,
} from '@saldo/core'
import type { FieldReads } from '../address.ts'

/** An entry in the search index. */
export interface Found {
  record: TimedRecord | AbsenceRecord
  pending: boolean
  /** The local date of its start. */
  date: LocalDate
  /** The local date of its end; that of its start while it runs. */
  lastDate: LocalDate
  /** Note, project and tags, folded. */
  text: string
}

/**
 * Prepares entries for searches, without grants and requests: the newest first, and what is planned after `today`
 * at the end, the next first.
 */
export function indexOf(rows: readonly ShownRecord<Entry>[], zone: ZoneName, today: LocalDate): Found[] {
  const dateOf = datesIn(zone)
  const found = rows
    .flatMap(({ record, pending }) => (isTimed(record) || isAbsence(record) ? [{ record, pending }] : []))
    .map((row) => ({
      ...row,
      place: `${isTimed(row.record) ? row.record.started_at : row.record.date} ${row.record.id}`,
    }))
    .sort((a, b) => (a.place < b.place ? 1 : -1))
    .map(({ record, pending }) => {
      const date = isTimed(record) ? dateOf(epochMs(record.started_at)) : record.date
      const { start, end } = intervalOf(record) ?? { start: 0, end: 0 }
      const lastDate = end > start ? dateOf(end - 1) : date
      return { record, pending, date, lastDate, text: textOf(record) }
    })
  const planned = found.filter(({ date }) => date > today)
  return [...found.filter(({ date }) => date <= today), ...planned.toReversed()]
}

/** Returns a function for dates of instants that caches the last date. */
function datesIn(zone: ZoneName): (ms: EpochMs) => LocalDate {
  let known: Interval & { date: LocalDate } = { date: FIRST_DATE, start: 0, end: 0 }
  return (ms) => {
    if (ms < known.start || ms >= known.end) {
      const { date } = wallAt(ms, zone)
      known = { date, start: firstInstant(date, zone), end: firstInstant(addDays(date, 1), zone) }
    }
    return known.date
  }
}

/** A query of entries. Empty fields are no limit. */
export interface Query extends EntryFilter {
  from: LocalDate | ''
  to: LocalDate | ''
  isRunning: boolean
}

export const emptyQuery: Query = { ...noFilter, from: '', to: '', isRunning: false }

/** Returns the entries that match the filter, touch the dates of the range, and run, if the query asks for that. */
export function search(index: readonly Found[], query: Query): Found[] {
  const matches = entryMatcher(query)
  const { from, to } = datesOf(query)
  const isRunning = (record: Entry) => isTimed(record) && record.ended_at === null
  return index.filter(
    ({ record, date, lastDate, text }) =>
      lastDate >= from && date <= to && matches(record, text) && (!query.isRunning || isRunning(record)),
  )
}

function datesOf({ from, to }: Query): DateRange {
  return { from: from === '' ? FIRST_DATE : from, to: to === '' ? LAST_DATE : to }
}

/** Returns the time of the entries that a query finds, in milliseconds: the total of their report (D12). */
export function timeFound(index: readonly Found[], query: Query, timeline: Timeline<Settings>): DurationMs {
  if (query.isRunning) return 0
  const entries = index.map(({ record }) => record)
  return reportedTime(entries, timeline, query, datesOf(query))
}

/** Returns the fields of a filter in an address. */
export function filterFields({ project, tag, words, kind }: EntryFilter): Record<keyof EntryFilter, string> {
  return { project, tag, words, kind }
}

/** The fields of a filter that take any text. */
export const textFields: FieldReads = { project: () => true, tag: () => true, words: () => true }

/** Reads a filter from the fields of an address. Other kinds than these are no limit. */
export function readFilter(params: URLSearchParams, kinds: readonly EntryFilter['kind'][]): EntryFilter {
  const textOf = (name: string) => params.get(name) ?? ''
  return {
    project: textOf('project'),
    tag: textOf('tag'),
    words: textOf('words'),
    kind: kinds.find((kind) => kind === params.get('kind')) ?? '',
  }
}

/** Reads a date from a field of an address; `undefined` if there is none. */
export function readSearchDate(params: URLSearchParams, name: 'from' | 'to'): LocalDate | undefined {
  const text = params.get(name)
  return text !== null && isDate(text) ? text : undefined
}
