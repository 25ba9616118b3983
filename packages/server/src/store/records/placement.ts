import {
  type ClosedDay,
  type ClosedWeek,
  type Content,
  DAY_MS,
  type DurationMs,
  type EpochMs,
  epochMs,
  isTimed,
  type JsonObject,
  type LocalDate,
  type RecordKind,
  utcMidnight,
} from '@saldo/core'

/** Where a running entry ends on the number line: the last instant that a `Date` can hold. */
const NO_END = 8_640_000_000_000_000

/** Records longer than this have an index of their own, so that the others are found by their start alone. */
export const LONG_MS = DAY_MS

/** The columns by which a record is found in time, and its share in a sum. */
export interface Placement {
  startsMs: EpochMs
  endsMs: EpochMs
  deltaMs: DurationMs | null
}

/** Places a live record by its fields. Dates stand for their UTC day, weeks for their Monday. */
export function placementOf(kind: RecordKind, fields: JsonObject): Placement {
  switch (kind) {
    case 'entries': {
      const entry = fields as Content<'entries'>
      if (!isTimed(entry)) return onDate(entry.date, null)
      const endsMs = entry.ended_at === null ? NO_END : epochMs(entry.ended_at)
      return { startsMs: epochMs(entry.started_at), endsMs, deltaMs: null }
    }
    case 'settings_history':
      return onDate((fields as Content<'settings_history'>).effective_from, null)
    case 'balance_adjustments': {
      const { effective_date, delta_ms } = fields as Content<'balance_adjustments'>
      return onDate(effective_date, delta_ms)
    }
    case 'closed_days': {
      const { date, delta_ms } = fields as ClosedDay
      return onDate(date, delta_ms)
    }
    case 'closed_weeks': {
      const { start_date, delta_ms } = fields as ClosedWeek
      return onDate(start_date, delta_ms)
    }
  }
}

function onDate(date: LocalDate, deltaMs: DurationMs | null): Placement {
  const startsMs = utcMidnight(date)
  return { startsMs, endsMs: startsMs + DAY_MS, deltaMs }
}
