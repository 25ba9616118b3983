import type { ShownRecord } from '@saldo/client'
import { type EntryMutation, type GrantRecord, newEntry } from '@saldo/client/entries'
import {
  type Entry,
  type GrantContent,
  isGrant,
  type Settings,
  settingsOn,
  type Timeline,
  type VacationYear,
} from '@saldo/core'

const signs = { carried: 1, entitled: 1, granted: 1, taken: -1, planned: -1, expired: -1 } as const

type VacationPart = keyof typeof signs

/** Returns the parts of a vacation account that are not 0, with their signs: they add up to the days left. */
export function vacationParts(account: Pick<VacationYear, VacationPart>): { part: VacationPart; days: number }[] {
  const parts = Object.keys(signs) as VacationPart[]
  return parts.flatMap((part) => (account[part] === 0 ? [] : [{ part, days: signs[part] * account[part] }]))
}

type GrantForm = Pick<GrantContent, 'date' | 'days' | 'note'>

/** A stored grant, or a new one; `form` is input that could not be saved. */
export interface EditedGrant {
  record?: GrantRecord
  form?: GrantForm
}

/** Returns the first form of a grant: what is edited, or a new one on the first day of a year. */
export function grantFormOf({ record, form }: EditedGrant, year: number): GrantForm {
  const { date, days, note } = form ?? record ?? { date: `${year}-01-01`, days: 0, note: '' }
  return { date, days, note }
}

/** Returns the change that saves a form. */
export function changeOfGrant({ record }: EditedGrant, form: GrantForm): EntryMutation {
  return record ? { op: 'update', record, patch: form } : { op: 'create', content: grantContent(form) }
}

/** Returns the grant of a line of a vacation account, if it is one. */
export function grantOfLine(
  { entry_ids }: Pick<VacationYear['lines'][number], 'entry_ids'>,
  rows: readonly ShownRecord<Entry>[],
): GrantRecord | undefined {
  const record = rows.find(({ record: { id } }) => id === entry_ids[0])?.record
  return record && isGrant(record) ? record : undefined
}

/** Returns how the days of a line come from the days of a year: `30 × 3/12`. `undefined` for lines of other kinds. */
export function twelfthsOf(
  { kind, date, days }: Pick<VacationYear['lines'][number], 'kind' | 'date' | 'days'>,
  timeline: Timeline<Settings>,
): { daysPerYear: number; months: number } | undefined {
  const daysPerYear = settingsOn(timeline, date)?.vacation?.days_per_year ?? 0
  if (kind !== 'entitled' || daysPerYear === 0) return undefined
  return { daysPerYear, months: Math.round((days * 12) / daysPerYear) }
}

/** Returns the content of a grant. */
export function grantContent(fields: GrantForm): GrantContent {
  return newEntry({ kind: 'vacation_grant', ...fields })
}
