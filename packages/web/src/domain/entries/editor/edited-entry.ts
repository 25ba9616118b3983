import { contentOf, type Entry, type EntryContent, type Interval, instantOf, type ZoneName } from '@saldo/core'

/** The subject of the editor: a stored entry or a new one. */
export interface EditedEntry {
  record?: Entry
  content: EntryContent
}

export function editedEntryOf(record: Entry): EditedEntry {
  return { record, content: contentOf(record) }
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
