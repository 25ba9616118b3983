import type { EntryMutation } from '@saldo/client/entries'
import {
  contentOf,
  type Entry,
  entryLimits,
  type Instant,
  type JsonObject,
  jsonOf,
  type LocalDate,
  type Month,
  monthsIn,
  parseContent,
  type RecordId,
  type RequestContent,
  type Timeline,
  touchedDates,
} from '@saldo/core'
import { requestOfCorrection } from './requests.ts'

/** The new content of an entry, and the entry as it is. */
interface Edit {
  id: RecordId
  content: JsonObject | null
  before: Entry | undefined
}

/** Returns a mutation as the record that it leaves; `undefined` for one that is not valid, which fails by itself. */
function editOf(mutation: EntryMutation, newId: () => RecordId): Edit | undefined {
  switch (mutation.op) {
    case 'delete':
      return { id: mutation.record.id, content: null, before: mutation.record }
    case 'update': {
      const { record, patch } = mutation
      const parsed = parseContent('entries', contentOf({ ...record, ...patch } as Entry))
      return parsed.ok ? { id: record.id, content: jsonOf(parsed.value), before: record } : undefined
    }
    case 'create': {
      const parsed = parseContent('entries', mutation.content)
      return parsed.ok ? { id: mutation.id ?? newId(), content: jsonOf(parsed.value), before: undefined } : undefined
    }
  }
}

const NO_ID = '00000000-0000-0000-0000-000000000000' as RecordId

/** Returns the locked months that mutations touch in their old and their new content (D27.4), the earliest first. */
export function monthsOfMutations(
  mutations: readonly EntryMutation[],
  locked: readonly Month[],
  timeline: Timeline,
): Month[] {
  if (locked.length === 0) return []
  const edits = mutations.flatMap((mutation) => editOf(mutation, () => NO_ID) ?? [])
  const ranges = edits.flatMap(({ before, ...edit }) =>
    touchedDates({ ...edit, kind: 'entries' }, before && { content: { ...before } }, timeline),
  )
  return monthsIn(locked, ranges)
}

interface Moment {
  timeline: Timeline
  today: LocalDate
  now: Instant
  newId: () => RecordId
}

/** Returns the requests that hold mutations whole, as pushes of this moment would have them (D27.10). */
export function requestsOfMutations(
  mutations: readonly EntryMutation[],
  { timeline, today, now, newId }: Moment,
  note: string,
): RequestContent[] {
  const edits = mutations.flatMap((mutation) => editOf(mutation, newId) ?? [])
  const changes = edits.map(({ id, content, before }, index) => ({
    change: { kind: 'entries' as const, id, content, updatedAt: now, seq: index + 1 },
    before,
  }))
  const size = entryLimits.requestChanges
  const parts = Array.from({ length: Math.ceil(changes.length / size) }, (_, index) =>
    changes.slice(index * size, (index + 1) * size),
  )
  return parts.map((part) => requestOfCorrection(part, timeline, today, note))
}
