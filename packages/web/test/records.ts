import { type Entry, HOUR_MS, type Instant, instantOf, type LocalDate, type RecordId, type Settings } from '@saldo/core'
import type { AbsenceRecord, TimedRecord } from '../src/domain/entries/parts.ts'

const AT: Instant = '2026-01-01T00:00:00.000Z'
const kept = { version: 1, created_at: AT, updated_at: AT }
const plain = { time_zone: null, note: '', tags: [], project: null, source: null, import_ref: null }

let made = 0
function nextId(): RecordId {
  made += 1
  return `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`
}

/** A piece of work; running where `endMs` is null. */
export function aWork(startMs: number, endMs: number | null, changed: Partial<TimedRecord> = {}): TimedRecord {
  const ended_at = endMs === null ? null : instantOf(endMs)
  return { ...kept, ...plain, id: nextId(), kind: 'work', started_at: instantOf(startMs), ended_at, ...changed }
}

export function anAbsence(kind: AbsenceRecord['kind'], date: LocalDate, day_share = 1): Entry {
  return { ...kept, ...plain, id: nextId(), kind, date, day_share }
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
    note: '',
    ...changed,
  }
}
