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
import type { Held } from '../engine/base-record.ts'

/**
 * When a live entry is: a running one without end, a date as its UTC day, what has no length at its moment. `undefined`
 * where it does not tell.
 */
export function spanOf({ kind, record }: Pick<Held, 'kind' | 'record'>): Interval | undefined {
  if (kind !== 'entries' || record === null) return undefined
  const { date, started_at, ended_at = null } = record
  if (date !== undefined && !isTimed(record as EntryContent)) {
    return typeof date === 'string' && isDate(date) ? daysOf({ from: date, to: date }) : undefined
  }
  const start = msOf(started_at)
  const end = ended_at === null ? Number.POSITIVE_INFINITY : msOf(ended_at)
  return start === undefined || end === undefined ? undefined : { start, end: Math.max(end, start + 1) }
}

/** From the begin of the first of UTC dates to the end of the last. */
export function daysOf({ from, to }: DateRange): Interval {
  return { start: utcMidnight(from), end: utcMidnight(to) + DAY_MS }
}

/** Whether a live entry has some part in an interval. */
export function liesIn(row: Pick<Held, 'kind' | 'record'>, interval: Interval): boolean {
  const span = spanOf(row)
  if (!span) return false
  const { start, end } = clip(span, interval)
  return start < end
}

function msOf(instant: unknown): number | undefined {
  const normal = typeof instant === 'string' ? normalizeInstant(instant) : undefined
  return normal === undefined ? undefined : epochMs(normal)
}
