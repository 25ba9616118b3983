import {
  type Adjustment,
  addDays,
  type ClosedWeek,
  type IsoWeek,
  type LocalDate,
  mondayOf,
  type RecordId,
} from '@saldo/core'

const AT = '2026-01-01T00:00:00.000Z'

let made = 0
function nextId(): RecordId {
  made += 1
  return `00000000-0000-4000-9000-${String(made).padStart(12, '0')}`
}

export function anAdjustment(
  effective_date: LocalDate,
  delta_ms: number,
  kind: Adjustment['kind'] = 'correction',
): Adjustment {
  return { id: nextId(), version: 1, created_at: AT, updated_at: AT, effective_date, delta_ms, kind, reason: 'because' }
}

export function aClosedWeek(week: IsoWeek, delta_ms: number): ClosedWeek {
  const none = { target_ms: 0, worked_ms: 0, break_ms: 0, deducted_break_ms: 0, credited_ms: 0 }
  const start_date = mondayOf(week)
  return {
    ...none,
    id: nextId(),
    version: 1,
    updated_at: AT,
    week,
    start_date,
    end_date: addDays(start_date, 6),
    delta_ms,
    closed_at: AT,
    closed_by: 'user',
    revision: 1,
    previous_delta_ms: null,
    revisions: [],
  }
}
