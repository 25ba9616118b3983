/** Records for tests. @module */
import {
  type AbsenceContent,
  type Adjustment,
  addDays,
  type ClosedWeek,
  type Entry,
  HOUR_MS,
  type Instant,
  type IsoWeek,
  instantOf,
  type LocalDate,
  mondayOf,
  type RecordId,
  type Settings,
} from '@saldo/core'
import type { PendingMutation } from './engine/mutator.ts'

type TimedRecord = Extract<Entry, { started_at: string }>
type AbsenceKind = AbsenceContent['kind']

const AT: Instant = '2026-01-01T00:00:00.000Z'
const kept = { version: 1, created_at: AT, updated_at: AT }
const plain = { time_zone: null, note: '', tags: [], project: null, source: null, import_ref: null }

let made = 0
function nextId(): RecordId {
  made += 1
  return `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`
}

/** A piece of work that counts; running where `endMs` is null. */
export function aWork(startMs: number, endMs: number | null, changed: Partial<TimedRecord> = {}): TimedRecord {
  const ended_at = endMs === null ? null : instantOf(endMs)
  const made = { ...kept, ...plain, id: nextId(), kind: 'work', started_at: instantOf(startMs), ended_at, ...changed }
  return (made.kind === 'work' ? { counts: true, ...made } : made) as TimedRecord
}

/** A day's absence, or a share of one. */
export function anAbsence(kind: AbsenceKind, date: LocalDate, day_share = 1): Entry {
  return { ...kept, ...plain, id: nextId(), kind, date, day_share, amount_ms: null }
}

/** Eight hours from Monday to Friday in Berlin, since ever. */
export function aSettingsRow(changed: Partial<Settings> = {}): Settings {
  return {
    ...kept,
    id: nextId(),
    effective_from: '2020-01-01',
    time_zone: 'Europe/Berlin',
    target_ms: [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * HOUR_MS),
    break_policy: null,
    auto_close: null,
    week_starts_on: 1,
    hints: null,
    core_time: null,
    frame: null,
    holidays: null,
    vacation: null,
    limits: null,
    note: '',
    ...changed,
  }
}

/** A balance adjustment of the user. */
export function anAdjustment(
  effective_date: LocalDate,
  delta_ms: number,
  kind: Adjustment['kind'] = 'correction',
): Adjustment {
  return { ...kept, id: nextId(), effective_date, delta_ms, kind, reason: 'because' }
}

/** A week closed by the user, with its delta as the only figure. */
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

/** A mutation that is queued and settled. */
export function pendingMutation<Result>(result: Result): PendingMutation<Result> {
  return { queued: Promise.resolve(), settled: Promise.resolve(result) }
}
