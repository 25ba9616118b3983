import { newEntry } from '@saldo/client/entries'
import {
  type AbsenceSize,
  type AdjustmentContent,
  type DurationMs,
  dateInZone,
  type EntryContent,
  epochMs,
  type Instant,
  instantOf,
  isTimed,
  type LocalDate,
  type MemberRecords,
  type Month,
  monthOf,
  type RecordId,
  sizeOfAmount,
  sizeOfShare,
  utcMidnight,
  type WritableKind,
  type ZoneName,
} from '@saldo/core'
import {
  contentOfForm,
  type EditableContent,
  type EntryFormProblem,
  type EntryValues,
  entryValuesOf,
} from '../../../domain/entries/editor/entry-form.ts'

/** The kinds of record that are no work, break or absence. */
const otherSubjects = ['vacation_grant', 'balance_adjustments', 'settings_history'] as const
/** A kind of work, break or absence, or another record that HR changes. */
export type Subject = EntryValues['kind'] | (typeof otherSubjects)[number]

/** A record of a member as the service shows it to HR: times and figures, without texts. */
export type MemberRecord =
  | { kind: 'entries'; date: LocalDate; record: MemberRecords['entries'][number] }
  | { kind: 'balance_adjustments'; date: LocalDate; record: MemberRecords['balance_adjustments'][number] }

/** The fields of the form. */
export interface HrForm {
  subject: Subject
  entry: EntryValues
  /** The date of what has no times; the first one of working hours. */
  date: LocalDate
  days: number
  adjustment: { kind: AdjustmentContent['kind']; isDeduction: boolean; amountMs: DurationMs }
  targetMs: DurationMs[]
  reason: string
}

export type HrProblem = EntryFormProblem | 'amount' | 'noHours'

/** Returns the records of a month by the date that their person sees. */
export function recordsByDate(records: MemberRecords, zone: ZoneName): MemberRecord[] {
  const dateOf = (record: MemberRecords['entries'][number]) =>
    'date' in record ? record.date : dateInZone(epochMs(record.started_at), zone)
  const listed: MemberRecord[] = [
    ...records.entries.map((record) => ({ kind: 'entries' as const, date: dateOf(record), record })),
    ...records.balance_adjustments.map((record) => {
      return { kind: 'balance_adjustments' as const, date: record.effective_date, record }
    }),
  ]
  return listed.toSorted((a, b) => (a.date === b.date ? 0 : a.date < b.date ? -1 : 1))
}

/** The hours of a new entry, before HR enters others. */
const USUAL = { start: '09:00', end: '17:00' }

/** Returns the form of a record, or of a new one on a date. */
export function hrFormOf(edited: MemberRecord | undefined, settings: MemberSettings, date: LocalDate): HrForm {
  const empty: HrForm = {
    ...{ subject: 'work', date, days: 1, reason: '' },
    entry: { ...entryValuesOf(emptyWork(date), settings.zone), ...USUAL, date, endDate: date },
    adjustment: { kind: 'correction', isDeduction: false, amountMs: 0 },
    targetMs: settings.rowOn(date)?.target_ms ?? [],
  }
  if (!edited) return empty
  if (edited.kind === 'balance_adjustments') {
    const { kind, delta_ms } = edited.record
    const adjustment = { kind, isDeduction: delta_ms < 0, amountMs: Math.abs(delta_ms) }
    return { ...empty, subject: edited.kind, adjustment, date: edited.date }
  }
  const { record } = edited
  if (record.kind === 'vacation_grant') {
    return { ...empty, subject: record.kind, days: record.days, date: record.date }
  }
  return { ...empty, subject: record.kind, entry: entryValuesOf(editableOf(record), settings.zone) }
}

type EditableRecord = Exclude<MemberRecords['entries'][number], { kind: 'vacation_grant' }>

function emptyWork(date: LocalDate): EditableContent {
  const at = instantOf(utcMidnight(date))
  return newEntry({ kind: 'work', started_at: at, ended_at: at, counts: true })
}

/** Returns an entry as the editor takes it: what HR does not see has the values of a new one, and is not sent. */
function editableOf({ id: _id, ...record }: EditableRecord): EditableContent {
  switch (record.kind) {
    case 'work':
      return newEntry({ ...record, kind: record.kind, counts: true })
    case 'break':
      return newEntry({ ...record, kind: record.kind })
    default:
      return newEntry({ ...record, ...givenSizeOf(record) })
  }
}

function givenSizeOf({
  day_share,
  amount_ms,
}: {
  day_share: number | null
  amount_ms: DurationMs | null
}): AbsenceSize {
  return amount_ms === null ? sizeOfShare(day_share ?? 1) : sizeOfAmount(amount_ms)
}

/** The working hours of a member over time, and the zone of their account. */
export interface MemberSettings {
  zone: ZoneName
  rowOn(date: LocalDate): MemberRecords['settings'][number] | undefined
}

export function memberSettingsOf({ settings }: Pick<MemberRecords, 'settings'>): MemberSettings {
  return {
    zone: settings.at(-1)?.time_zone ?? 'UTC',
    rowOn: (date) => settings.findLast(({ effective_from }) => effective_from <= date),
  }
}

/** A change as a push has it. What it leaves out stays as it is (D28.2). */
export interface HrChange {
  kind: WritableKind
  op: 'upsert' | 'delete'
  /** The record of an upsert. */
  record?: object
}

interface Context {
  edited: MemberRecord | undefined
  settings: MemberSettings
  /** The id of a new record. */
  id: RecordId
  at: Instant
}

/** Returns the change that a form asks for, or what is wrong with it. */
export function changeOfForm(
  form: HrForm,
  { edited, settings, id, at }: Context,
): { ok: true; change: HrChange } | { ok: false; problem: HrProblem } {
  const stamp = { id: edited?.record.id ?? id, updated_at: at }
  const upsert = (kind: WritableKind, content: object) => {
    return { ok: true as const, change: { kind, op: 'upsert' as const, record: { ...stamp, ...content } } }
  }
  switch (form.subject) {
    case 'vacation_grant':
      return upsert('entries', { kind: form.subject, date: form.date, days: form.days })
    case 'balance_adjustments': {
      const { kind, isDeduction, amountMs } = form.adjustment
      if (amountMs === 0) return { ok: false, problem: 'amount' }
      const delta_ms = isDeduction ? -amountMs : amountMs
      return upsert(form.subject, { kind, effective_date: form.date, delta_ms, reason: form.reason.trim() })
    }
    case 'settings_history': {
      const row = settings.rowOn(form.date)
      if (!row) return { ok: false, problem: 'noHours' }
      return upsert(form.subject, { ...row, effective_from: form.date, target_ms: form.targetMs })
    }
    default: {
      const stored = edited?.kind === 'entries' && edited.record.kind !== 'vacation_grant' ? edited.record : undefined
      const before = stored ? editableOf(stored) : emptyWork(form.entry.date)
      const wanted = contentOfForm({ ...form.entry, kind: form.subject }, before, settings.zone)
      return wanted.ok ? upsert('entries', figuresOf(wanted.content)) : wanted
    }
  }
}

function figuresOf(content: EditableContent): object {
  if (!isTimed(content)) {
    const { kind, date, day_share, amount_ms } = content
    return { kind, date, day_share, amount_ms }
  }
  const { kind, started_at, ended_at } = content
  return { kind, started_at, ended_at }
}

/** Returns the change that deletes a record. */
export function deletionOf({ kind, record: { id } }: MemberRecord, at: Instant): HrChange & object {
  return { kind, op: 'delete', ...{ id, updated_at: at } }
}

/** True if a subject has the fields of a work, break or absence. */
export function isEntrySubject(subject: Subject): subject is EntryValues['kind'] {
  return !otherSubjects.some((other) => other === subject)
}

/** Returns a record as lists of entries show it; undefined for an adjustment. */
export function shownEntryOf({ kind, record }: MemberRecord): EntryContent | undefined {
  if (kind === 'balance_adjustments') return undefined
  return record.kind === 'vacation_grant' ? newEntry(record) : editableOf(record)
}

/** Returns the date of a new record of a month: today, or the first of the month if that is another one. */
export function firstDateIn(month: Month, today: LocalDate): LocalDate {
  return monthOf(today) === month ? today : `${month}-01`
}
