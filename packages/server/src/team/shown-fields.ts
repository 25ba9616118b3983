import { isJsonObject, type RequestEntry, SettingsContent, sizeOf, type WritableKind, writableKinds } from '@saldo/core'
import { knownFieldsOf } from '../http/unknown-fields.ts'

const timedFigures = ['kind', 'started_at', 'ended_at', 'time_zone']
const absenceFigures = ['kind', 'date', 'day_share', 'amount_ms', 'time_zone']
const requestFigures = ['asks', 'absence', 'last_date', 'planned', 'substitute']

/** Returns the names of the fields that others see of a record: times and figures, no text, and none of programs. */
function shownNames(kind: WritableKind, record: object): readonly string[] {
  switch (kind) {
    case 'entries':
      return shownNamesOfEntry(record)
    case 'balance_adjustments':
      return ['kind', 'effective_date', 'delta_ms']
    case 'settings_history':
      return Object.keys(SettingsContent.entries).filter((name) => name !== 'note')
  }
}

/** Does the same of an entry, by its kind: in a field of another kind, a program can store anything. */
function shownNamesOfEntry({ kind }: { kind?: unknown }): readonly string[] {
  switch (kind) {
    case 'work':
      return [...timedFigures, 'counts']
    case 'break':
      return timedFigures
    case 'vacation_grant':
      return ['kind', 'date', 'days', 'time_zone']
    case 'request':
      return [...absenceFigures, ...requestFigures]
    default:
      return absenceFigures
  }
}

/** The texts of records, as empty ones have them: records without any could not be read. */
const noTexts = {
  entries: { note: '', tags: [], project: null },
  balance_adjustments: { reason: '' },
  settings_history: { note: '' },
} as const satisfies Record<WritableKind, object>

/** Returns a record as others see it (D25.7): without its texts. */
export function shownRecord(kind: WritableKind, record: object): Record<string, unknown> {
  return { ...noTexts[kind], ...figuresOf(kind, record) }
}

/** Returns the fields of a record that others see. */
export function figuresOf(kind: WritableKind, record: object): Record<string, unknown> {
  const names = shownNames(kind, record)
  const shown = Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)))
  // The rules of a settings row have fields of their own.
  return kind === 'settings_history' ? (knownFieldsOf(SettingsContent, shown) as Record<string, unknown>) : shown
}

/**
 * Returns the part of a request that those who decide it see: what it asks for, with its message (D25.11). It is a
 * record without a position, since a version counts changes of other dates too (D25.13).
 */
export function shownRequest(request: RequestEntry): RequestEntry {
  const { id, created_at, updated_at, note, changes, kind, asks, absence, date, last_date, ...rest } = request
  const { planned, substitute } = rest
  return {
    ...{ id, created_at, updated_at, version: 0, kind, asks, absence, date, last_date, ...sizeOf(rest) },
    ...{ planned, substitute, note, tags: [], project: null, time_zone: null, import_ref: null, source: null },
    changes: changes?.map(shownChange) ?? null,
  }
}

/** Returns a change as a push has it, with the part of its record that others see. */
function shownChange(change: Record<string, unknown>): Record<string, unknown> {
  const { kind, op, id, updated_at, record } = change
  const known = writableKinds.find((each) => each === kind)
  if (known === undefined || !isJsonObject(record)) return { kind, op, id, updated_at }
  const shown = { ...shownRecord(known, record), id: record.id, updated_at: record.updated_at }
  // Why a balance shall be adjusted is what is asked, as the message is.
  return { kind, op, id, record: known === 'balance_adjustments' ? { ...shown, reason: record.reason } : shown }
}
