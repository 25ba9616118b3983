import type { Row } from '@saldo/client'
import {
  addDays,
  type Entry,
  type EpochMs,
  epochMs,
  FIRST_DATE,
  firstInstant,
  type Interval,
  isTimed,
  type LocalDate,
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
  /** Note, project and tags, folded. */
  text: string
}

/** Prepares entries for searches, newest first. */
export function indexOf(rows: readonly Row<Entry>[], zone: ZoneName): Found[] {
  const dateOf = datesIn(zone)
  return rows
    .map((row) => ({
      ...row,
      place: `${isTimed(row.record) ? row.record.started_at : row.record.date} ${row.record.id}`,
    }))
    .sort((a, b) => (a.place < b.place ? 1 : -1))
    .map(({ record, pending }) => {
      const date = isTimed(record) ? dateOf(epochMs(record.started_at)) : record.date
      const texts = [record.project ?? '', record.note, ...record.tags.map((tag) => `#${tag}`)]
      return { record, pending, date, text: folded(texts.join('\n')) }
    })
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

/** A query of entries. Empty dates are no limit. */
export interface Query {
  words: string
  from: LocalDate | ''
  to: LocalDate | ''
}

export const emptyQuery: Query = { words: '', from: '', to: '' }

/** Returns the entries that contain all words and begin in the range. */
export function search(index: readonly Found[], { words, from, to }: Query): Found[] {
  const wanted = wordsOf(words)
  return index.filter(({ date, text }) => date >= from && (to === '' || date <= to) && hasWords(text, wanted))
}

/** Returns the duration of all finished work in milliseconds. */
export function workedMs(found: readonly Found[]): number {
  return found.reduce((sum, { record }) => {
    if (!isTimed(record) || record.kind !== 'work' || record.ended_at === null) return sum
    return sum + epochMs(record.ended_at) - epochMs(record.started_at)
  }, 0)
}
