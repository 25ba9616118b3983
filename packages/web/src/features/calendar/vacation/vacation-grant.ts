import type { ShownRecord } from '@saldo/client'
import { type GrantRecord, isGrantRecord } from '@saldo/client/entries'
import type { Entry, GrantContent, VacationYear } from '@saldo/core'

export type GrantDraft = Pick<GrantContent, 'date' | 'days' | 'note'>

/** Returns the first draft of a grant: what is edited, or a new one on the first day of a year. */
export function draftOfGrant(edited: GrantRecord | undefined, year: number): GrantDraft {
  if (!edited) return { date: `${year}-01-01`, days: 0, note: '' }
  const { date, days, note } = edited
  return { date, days, note }
}

/** Returns the grant of a line of a vacation account, if it is one. */
export function grantOfLine(
  { entry_ids }: Pick<VacationYear['lines'][number], 'entry_ids'>,
  rows: readonly ShownRecord<Entry>[],
): GrantRecord | undefined {
  const record = rows.find(({ record: { id } }) => id === entry_ids[0])?.record
  return record && isGrantRecord(record) ? record : undefined
}

/** Returns the content of a grant. */
export function grantContent(fields: GrantDraft): GrantContent {
  return { kind: 'vacation_grant', time_zone: null, tags: [], project: null, source: null, import_ref: null, ...fields }
}
