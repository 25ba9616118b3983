import type { ShownRecord } from '@saldo/client'
import {
  addDays,
  computeDay,
  coveredBy,
  type DateRange,
  type DurationMs,
  dayWindow,
  difference,
  type Entry,
  type EpochMs,
  entriesByDate,
  epochMs,
  FIRST_DATE,
  firstInstant,
  type Interval,
  intervalOf,
  isTimed,
  LAST_DATE,
  type LocalDate,
  type Settings,
  type Timeline,
  totalLength,
  type ZoneName,
} from '@saldo/core'
import { folded, hasWords, wordsOf } from '../../ui/find-words.ts'
import { wallAt } from '../wall-time.ts'

/** An entry in the search index. */
export interface Found {
  record: Entry
  pending: boolean
  /** The local date of its start. */
  date: LocalDate
  /** The local date of its end; that of its start while it runs. */
  lastDate: LocalDate
  /** Note, project and tags, folded. */
  text: string
}

/** Prepares entries for searches: the newest first, and what is planned after `today` at the end, the next first. */
export function indexOf(rows: readonly ShownRecord<Entry>[], zone: ZoneName, today: LocalDate): Found[] {
  const dateOf = datesIn(zone)
  const found = rows
    .map((row) => ({
      ...row,
      place: `${isTimed(row.record) ? row.record.started_at : row.record.date} ${row.record.id}`,
    }))
    .sort((a, b) => (a.place < b.place ? 1 : -1))
    .map(({ record, pending }) => {
      const date = isTimed(record) ? dateOf(epochMs(record.started_at)) : record.date
      const { start, end } = intervalOf(record) ?? { start: 0, end: 0 }
      const lastDate = end > start ? dateOf(end - 1) : date
      const texts = [record.project ?? '', record.note, ...record.tags.map((tag) => `#${tag}`)]
      return { record, pending, date, lastDate, text: folded(texts.join('\n')) }
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
export interface Query {
  words: string
  from: LocalDate | ''
  to: LocalDate | ''
  kind: Entry['kind'] | ''
  project: string
  tag: string
  isRunning: boolean
}

export const emptyQuery: Query = { words: '', from: '', to: '', kind: '', project: '', tag: '', isRunning: false }

/** Returns the entries that contain all words, touch the dates of the range, and have the other properties. */
export function search(index: readonly Found[], query: Query): Found[] {
  const wanted = wordsOf(query.words)
  const { from, to } = datesOf(query)
  return index.filter(
    ({ record, date, lastDate, text }) =>
      lastDate >= from && date <= to && hasProperties(record, query) && hasWords(text, wanted),
  )
}

function hasProperties(record: Entry, { kind, project, tag, isRunning }: Query): boolean {
  return (
    (kind === '' || record.kind === kind) &&
    (project === '' || record.project === project) &&
    (tag === '' || record.tags.includes(tag)) &&
    (!isRunning || (isTimed(record) && record.ended_at === null))
  )
}

/** True if a query asks for more than dates. */
function hasFilters({ words, kind, project, tag, isRunning }: Query): boolean {
  return wordsOf(words).length > 0 || kind !== '' || project !== '' || tag !== '' || isRunning
}

function datesOf({ from, to }: Query): DateRange {
  return { from: from === '' ? FIRST_DATE : from, to: to === '' ? LAST_DATE : to }
}

/**
 * Returns the worked time of found entries within the dates of their query, in milliseconds. For a query of dates alone
 * it is what the account counts; otherwise it is the time that the found work covers without any breaks.
 */
export function workedMs(
  found: readonly Found[],
  index: readonly Found[],
  query: Query,
  timeline: Timeline<Settings>,
): DurationMs {
  const range = datesOf(query)
  const entriesOf = (rows: readonly Found[]) => rows.map(({ record }) => record)
  if (hasFilters(query)) {
    const window = { start: dayWindow(timeline, range.from).start, end: dayWindow(timeline, range.to).end }
    const work = coveredBy('work', entriesOf(found), window)
    return totalLength(difference(work, coveredBy('break', entriesOf(index), window)))
  }
  const byDate = [...entriesByDate(entriesOf(found), timeline, range)]
  const days = byDate.map(([date, entries]) => computeDay(entries, timeline, date))
  return days.reduce((sum, day) => sum + day.worked_ms - day.deducted_break_ms, 0)
}
