import { createHash } from 'node:crypto'
import { type Instant, instantOf, type JsonObject, type RecordId, type RecordKind, utcMidnight } from '@saldo/core'
import type { RecordToStore } from '../../src/store/store.ts'

const AT: Instant = '2026-11-21T12:00:00.000Z'

/** A UUID that looks random and is the same in every run. */
export function uuidOf(name: string | number): RecordId {
  const hex = createHash('sha256').update(String(name)).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** An id that a test can read: a name, padded to the 36 characters of every id. */
export function idOf(name: string): RecordId {
  return (name + '.'.repeat(36 - [...name].length)) as RecordId
}

/** The name in an id of `idOf`; of a UUID, itself. */
export function nameOf(id: string): string {
  return id.replace(/\.+$/, '')
}

/** A work entry that counts; `endsMs` null while it runs. */
export function entry(id: string, startsMs: number, endsMs: number | null, more: JsonObject = {}): RecordToStore {
  const started_at = instantOf(startsMs)
  const ended_at = endsMs === null ? null : instantOf(endsMs)
  return live('entries', id, { kind: 'work', started_at, ended_at, counts: true, ...more })
}

/** An hour of work on some day that the number stands for. */
export function hourOf(number: number, id: string = uuidOf(number), more: JsonObject = {}): RecordToStore {
  const startsMs = utcMidnight('2020-01-01') + number * 86_400_000
  return entry(id, startsMs, startsMs + 3_600_000, more)
}

export function adjustment(id: string, effective_date: string, delta_ms: number): RecordToStore {
  return live('balance_adjustments', id, { effective_date, delta_ms, kind: 'correction', reason: 'a reason' })
}

export function settings(id: string, effective_from: string): RecordToStore {
  return live('settings_history', id, { effective_from, time_zone: 'Europe/Berlin', target_ms: Array(7).fill(0) })
}

export function closedDay(id: string, date: string, delta_ms: number): RecordToStore {
  return live('closed_days', id, { date, delta_ms })
}

export function closedWeek(id: string, week: string, start_date: string, delta_ms: number): RecordToStore {
  return live('closed_weeks', id, { week, start_date, delta_ms })
}

/** One live record of each kind under the same id. */
export function oneOfEachKind(id: string): RecordToStore[] {
  return [
    hourOf(1, id),
    closedDay(id, '2026-11-20', 1),
    closedWeek(id, '2026-W47', '2026-11-16', 2),
    adjustment(id, '2026-11-20', 3),
    settings(id, '2026-11-01'),
  ]
}

export function tombstone(kind: RecordKind, name: string, updatedAt: Instant = AT): RecordToStore {
  const id = idOf(name)
  const fields = { id, created_at: AT, updated_at: updatedAt }
  return { kind, id, updatedAt, deleted: true, fields, claims: {} }
}

export function live(kind: RecordKind, name: string, content: JsonObject, updatedAt: Instant = AT): RecordToStore {
  const id = idOf(name)
  const fields = { id, ...content, created_at: AT, updated_at: updatedAt }
  return { kind, id, updatedAt, deleted: false, fields, claims: {} }
}
