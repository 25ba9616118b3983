import { contentOf, type Entry, type Interval, instantOf, type ZoneName } from '@saldo/core'
import type { AbsenceRecord, TimedRecord } from '../parts.ts'
import type { EditableContent } from './draft.ts'

/** The subject of the editor: a stored entry or a new one. */
export interface EditedEntry {
  record?: Entry
  content: EditableContent
}

export function editedEntryOf(record: TimedRecord | AbsenceRecord): EditedEntry {
  return { record, content: contentOf(record) as EditableContent }
}

export function newWork({ start, end }: Interval, zone: ZoneName): EditedEntry {
  return {
    content: {
      kind: 'work',
      started_at: instantOf(start),
      ended_at: instantOf(end),
      time_zone: zone,
      project: null,
      tags: [],
      note: '',
      source: null,
      import_ref: null,
    },
  }
}
