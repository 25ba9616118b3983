import {
  addDays,
  DAY_MS,
  dateAt,
  dayStart,
  type Entry,
  epochMs,
  FIRST_DATE,
  isDate,
  isTimed,
  LAST_DATE,
  type Timeline,
  utcMidnight,
} from '@saldo/core'
import type * as v from 'valibot'
import type { Route } from '../http/route.ts'
import { fieldsOf } from '../records/fields.ts'
import { readTimeline } from '../records/reading.ts'
import type { StoredRecord } from '../store/store.ts'
import { EntryQuery, emptyPage, listAnswer } from './collection.ts'
import { recordRoutes } from './records.ts'
import type { Services } from './services.ts'

/** What a query asks for: timed entries that meet an interval, and day entries on the dates of the same time. */
interface Wanted {
  startMs: number
  endMs: number
  fromDate: string
  toDate: string
}

export function entryRoutes(services: Services): Route[] {
  return recordRoutes(services, {
    kind: 'entries',
    path: '/api/entries',
    noun: 'entries',
    query: EntryQuery,
    async list(reader, query) {
      const wanted = wantedBy(await readTimeline(reader), query)
      if (wanted.startMs > wanted.endMs || wanted.fromDate > wanted.toDate) return emptyPage
      const span = {
        from: Math.min(wanted.startMs, utcMidnight(wanted.fromDate)),
        to: Math.max(wanted.endMs, utcMidnight(wanted.toDate) + DAY_MS),
      }
      return listAnswer(reader, 'entries', span, query, (record) => isWanted(record, wanted))
    },
  })
}

function wantedBy(timeline: Timeline, { from = FIRST_DATE, to = LAST_DATE }: v.InferOutput<typeof EntryQuery>): Wanted {
  const startMs = isDate(from) ? dayStart(timeline, from) : epochMs(from)
  const endMs = isDate(to) ? dayStart(timeline, addDays(to, 1)) : epochMs(to)
  return {
    startMs,
    endMs,
    fromDate: isDate(from) ? from : dateAt(timeline, startMs),
    toDate: isDate(to) ? to : dateAt(timeline, endMs - 1),
  }
}

function isWanted(record: StoredRecord, { startMs, endMs, fromDate, toDate }: Wanted): boolean {
  const entry = fieldsOf(record) as Entry
  if (!isTimed(entry)) return fromDate <= entry.date && entry.date <= toDate
  const start = epochMs(entry.started_at)
  const end = entry.ended_at === null ? Number.POSITIVE_INFINITY : epochMs(entry.ended_at)
  return start < endMs && (end > startMs || start >= startMs)
}
