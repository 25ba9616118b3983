import {
  addDays,
  DAY_MS,
  DateText,
  dateAt,
  dayStart,
  type Entry,
  type EpochMs,
  epochMs,
  FIRST_DATE,
  type Instant,
  InstantText,
  isDate,
  isTimed,
  LAST_DATE,
  type LocalDate,
  type Timeline,
  untimedDatesOf,
  utcMidnight,
} from '@saldo/core'
import * as v from 'valibot'
import { readTimeline } from '../account/account-reads.ts'
import { json, type Route, route } from '../http/route.ts'
import { described, listing, listResponse, paging } from './collection.ts'
import { recordRoutes } from './records.ts'
import type { RouteContext } from './route-context.ts'

const PATH = '/api/entries'

const EntryQuery = v.object({
  from: described(v.union([DateText, InstantText]), 'A date, inclusive, or an instant.'),
  to: described(v.union([DateText, InstantText]), 'A date, inclusive, or an instant, exclusive.'),
  ...paging,
})

export function entryRoutes(services: RouteContext): Route[] {
  const list = route({
    ...listing('entries', PATH, 'entries'),
    query: EntryQuery,
    handle: ({ identity, query }) =>
      services.records.read(identity.user, async (reader) => {
        const range = rangeOf(await readTimeline(reader), query)
        if (range.startMs > range.endMs || range.fromDate > range.toDate) {
          return json(200, { items: [], next_cursor: null })
        }
        const span = {
          from: Math.min(range.startMs, utcMidnight(range.fromDate)),
          to: Math.max(range.endMs, utcMidnight(range.toDate) + DAY_MS),
        }
        return listResponse(reader, 'entries', span, query, (record) => {
          return record.kind === 'entries' && overlaps(record.fields, range)
        })
      }),
  })
  return [list, ...recordRoutes(services, 'entries', PATH, 'entries')]
}

/** The range of a query: an interval for timed entries, and its dates for all others. */
interface EntryRange {
  startMs: EpochMs
  endMs: EpochMs
  fromDate: LocalDate
  toDate: LocalDate
}

const isLocalDate = (bound: LocalDate | Instant): bound is LocalDate => isDate(bound)

function rangeOf(
  timeline: Timeline,
  { from = FIRST_DATE, to = LAST_DATE }: v.InferOutput<typeof EntryQuery>,
): EntryRange {
  const startMs = isLocalDate(from) ? dayStart(timeline, from) : epochMs(from)
  const endMs = isLocalDate(to) ? dayStart(timeline, addDays(to, 1)) : epochMs(to)
  return {
    startMs,
    endMs,
    fromDate: isLocalDate(from) ? from : dateAt(timeline, startMs),
    toDate: isLocalDate(to) ? to : dateAt(timeline, endMs - 1),
  }
}

function overlaps(entry: Entry, { startMs, endMs, fromDate, toDate }: EntryRange): boolean {
  if (!isTimed(entry)) {
    const dates = untimedDatesOf(entry)
    return dates.from <= toDate && fromDate <= dates.to
  }
  const start = epochMs(entry.started_at)
  const end = entry.ended_at === null ? Number.POSITIVE_INFINITY : epochMs(entry.ended_at)
  return start < endMs && (end > startMs || start >= startMs)
}
