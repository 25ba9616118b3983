import { type AbsenceRecord, type EntryMutation, newEntry, type TimedRecord } from '@saldo/client/entries'
import { contentOf, type Entry, type Interval, instantOf, type ZoneName } from '@saldo/core'
import {
  breakInside,
  contentOfForm,
  type EditableContent,
  type EntryFormProblem,
  type EntryValues,
} from './entry-form.ts'

/** The subject of the editor: a stored entry or a new one. */
export interface EditedEntry {
  record?: Entry | undefined
  content: EditableContent
  /** True if its times are known, so that the project is next. */
  hasTimes?: boolean
}

export function editedEntryOf(record: TimedRecord | AbsenceRecord): EditedEntry {
  return { record, content: contentOf(record) as EditableContent }
}

export function newWork({ start, end }: Interval, zone: ZoneName): EditedEntry {
  const times = { started_at: instantOf(start), ended_at: instantOf(end), time_zone: zone }
  return { content: newEntry({ kind: 'work', ...times, counts: true }) }
}

/** The changes that save a form, and what to edit again if they cannot be saved; or what is wrong with the form. */
type Saving = { ok: true; changes: EntryMutation[]; again: EditedEntry } | { ok: false; problem: EntryFormProblem }

/** Returns the changes that save a form, with its break. */
export function changesOfForm(form: EntryValues, { record, content: before }: EditedEntry, zone: ZoneName): Saving {
  const wanted = contentOfForm(form, before, zone)
  if (!wanted.ok) return wanted
  const { content } = wanted
  const again = { ...(record && { record }), content }
  const change: EntryMutation = record ? { op: 'update', record, patch: content } : { op: 'create', content }
  if (form.breakMs === 0) return { ok: true, changes: [change], again }
  const pause = breakInside(content, form.breakMs, zone)
  if (!pause) return { ok: false, problem: 'break' }
  return { ok: true, changes: [change, { op: 'create', content: pause }], again }
}
