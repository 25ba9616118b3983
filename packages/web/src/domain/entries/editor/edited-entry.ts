import type { AbsenceRecord, Change, TimedRecord } from '@saldo/client/entries'
import { contentOf, type Entry, type Interval, instantOf, type ZoneName } from '@saldo/core'
import { breakInside, contentOfDraft, type Draft, type DraftProblem, type EditableContent } from './draft.ts'

/** The subject of the editor: a stored entry or a new one. */
export interface EditedEntry {
  record?: Entry | undefined
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
      counts: true,
    },
  }
}

/** Returns the changes that save a draft, with its break; or what is wrong with it. `content` is the checked one. */
export function changesOfDraft(
  draft: Draft,
  { record, content: before }: EditedEntry,
  zone: ZoneName,
): { ok: true; changes: Change[]; content: EditableContent } | { ok: false; problem: DraftProblem } {
  const wanted = contentOfDraft(draft, before, zone)
  if (!wanted.ok) return wanted
  const { content } = wanted
  const change: Change = record ? { op: 'update', record, patch: content } : { op: 'create', content }
  if (draft.breakMs === 0) return { ok: true, changes: [change], content }
  const pause = breakInside(content, draft.breakMs, zone)
  if (!pause) return { ok: false, problem: 'break' }
  return { ok: true, changes: [change, { op: 'create', content: pause }], content }
}
