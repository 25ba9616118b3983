import type * as v from 'valibot'
import { Adjustment, AdjustmentContent } from './adjustment.ts'
import { ClosedDay, ClosedWeek } from './closing.ts'
import { type AbsenceContent, type AbsenceEntry, Entry, EntryContent, type EntryInput } from './entry.ts'
import { findUnstorable, isJsonObject, type JsonObject, utf8Length } from './json.ts'
import type { RecordKind, WritableKind } from './record-kinds.ts'
import { Settings, SettingsContent } from './settings.ts'
import { type Checked, check, invalid } from './validation.ts'

/** The largest size of a record as JSON in UTF-8 (D1.3). */
export const MAX_RECORD_BYTES = 64 * 1024

/** The schema of a whole record, by kind. */
export const recordSchemas = {
  entries: Entry,
  closed_days: ClosedDay,
  closed_weeks: ClosedWeek,
  balance_adjustments: Adjustment,
  settings_history: Settings,
} as const satisfies Record<RecordKind, v.GenericSchema>

/** The schema of the content of a record, by kind. */
export const contentSchemas = {
  entries: EntryContent,
  settings_history: SettingsContent,
  balance_adjustments: AdjustmentContent,
} as const satisfies Record<WritableKind, v.GenericSchema>

interface RecordsByKind {
  entries: Entry
  closed_days: ClosedDay
  closed_weeks: ClosedWeek
  balance_adjustments: Adjustment
  settings_history: Settings
}

/** A whole record of a kind. */
export type RecordOf<K extends RecordKind = RecordKind> = RecordsByKind[K]

/** A client-writable record without the fields that the service sets (id, created_at, updated_at, version). */
export type Content<K extends WritableKind = WritableKind> = v.InferOutput<(typeof contentSchemas)[K]>

/** The content as a program may write it: fields with a default may be left out. */
export type ContentInput<K extends WritableKind = WritableKind> = ContentInputs[K]

interface ContentInputs {
  entries: EntryInput
  settings_history: SettingsInput
  balance_adjustments: AdjustmentInput
}
interface SettingsInput extends v.InferInput<typeof contentSchemas.settings_history> {}
interface AdjustmentInput extends v.InferInput<typeof contentSchemas.balance_adjustments> {}

/** Returns the content of a record: its fields without those that the service sets. Unknown fields stay. */
export function contentOf(record: AbsenceEntry): AbsenceContent
export function contentOf(record: Entry): EntryContent
export function contentOf(record: Settings): SettingsContent
export function contentOf(record: Adjustment): AdjustmentContent
export function contentOf(record: JsonObject): JsonObject
export function contentOf(record: Fields): Fields
export function contentOf({
  id: _id,
  created_at: _created,
  updated_at: _updated,
  version: _version,
  ...content
}: Fields): Fields {
  return content
}

/** The fields of any record, as a schema that keeps unknown ones types them. */
type Fields = Record<string, unknown>

/**
 * Reads the content of a record from input: in canonical form, with defaults, with unknown fields, without the fields
 * that the service sets. `pointer` points to the record in the input.
 */
export function parseContent<K extends WritableKind>(kind: K, input: unknown, pointer = ''): Checked<Content<K>> {
  if (!isJsonObject(input)) return invalid(pointer, 'must be an object')
  const content = contentOf(input)
  const unstorable = findUnstorable(content)
  if (unstorable) return invalid(pointer + unstorable.pointer, unstorable.detail)
  const tooLarge = invalid(pointer, `must be at most ${MAX_RECORD_BYTES} bytes as JSON`)
  // A check of all fields would take long. The canonical form is smaller only where tags are repeated or padded.
  if (JSON.stringify(content).length > 2 * MAX_RECORD_BYTES) return tooLarge
  const checked = check(contentSchemas[kind], content, pointer)
  if (checked.ok && utf8Length(JSON.stringify(checked.value)) > MAX_RECORD_BYTES) return tooLarge
  return checked
}
