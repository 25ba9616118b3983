import {
  clip,
  DAY_MS,
  type DateRange,
  type EntryContent,
  epochMs,
  type Interval,
  isDate,
  isTimed,
  normalizeInstant,
  utcMidnight,
} from '@saldo/core'
import { type BaseRecord, readingOf } from './rows.ts'

/**
 * Returns the interval of a live entry: a running one has no end, an absence is its UTC day, a request has the UTC days
 * of its dates, an entry without length is one millisecond. Returns `undefined` if the entry has no readable time.
 */
export function storedSpanOf(row: BaseRecord): Interval | undefined {
  const entry = row.kind === 'entries' && readingOf(row)
  if (!entry) return undefined
  const { date, last_date, started_at, ended_at = null } = entry
  if (date !== undefined && !isTimed(entry as EntryContent)) {
    if (typeof date !== 'string' || !isDate(date)) return undefined
    const to = typeof last_date === 'string' && isDate(last_date) && last_date > date ? last_date : date
    return intervalOfDates({ from: date, to })
  }
  const start = msOf(started_at)
  const end = ended_at === null ? Number.POSITIVE_INFINITY : msOf(ended_at)
  return start === undefined || end === undefined ? undefined : { start, end: Math.max(end, start + 1) }
}

export function intervalOfDates({ from, to }: DateRange): Interval {
  return { start: utcMidnight(from), end: utcMidnight(to) + DAY_MS }
}

/** True if a live entry overlaps an interval. */
export function overlapsInterval(row: BaseRecord, interval: Interval): boolean {
  const span = storedSpanOf(row)
  if (!span) return false
  const { start, end } = clip(span, interval)
  return start < end
}

function msOf(instant: unknown): number | undefined {
  const normal = typeof instant === 'string' ? normalizeInstant(instant) : undefined
  return normal === undefined ? undefined : epochMs(normal)
}
