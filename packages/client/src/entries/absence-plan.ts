import {
  type AbsenceContent,
  type AbsencePlan,
  type AbsenceSize,
  type DateRange,
  type DurationMs,
  daysBetween,
  daysOfAbsence,
  isSize,
  type LocalDate,
  type Settings,
  sizeOf,
  type Timeline,
  WHOLE_DAY,
} from '@saldo/core'
import { newEntry } from './new-entry.ts'
import type { AbsenceRecord } from './parts.ts'
import type { EntryMutation } from './undoable.ts'

/** An absence as it is entered: of one day, or of a range of days. */
export interface AbsenceForm {
  kind: AbsenceContent['kind']
  from: LocalDate
  to: LocalDate
  size: AbsenceSize
  /** True to leave out days without a target. */
  isSkippingFree: boolean
  note: string
}

/** The reason why a form cannot be stored: dates in the wrong order, more than 400 days, or no size. */
export type AbsenceProblem = 'order' | 'tooLong' | 'share'

/** Returns the form of an absence, or of new ones in a range. Whoever chooses a single free day wants that day. */
export function absenceFormOf(record: AbsenceRecord | undefined, range: DateRange): AbsenceForm {
  const { kind = 'vacation', note = '' } = record ?? {}
  const size = record ? sizeOf(record) : WHOLE_DAY
  return { kind, ...range, size, isSkippingFree: range.from !== range.to, note }
}

/** Returns the change of a form's first day. The last day moves too if both are the same, or if it would be before. */
export function withFirstDay({ from, to }: AbsenceForm, date: LocalDate): Partial<AbsenceForm> {
  return { from: date, ...((to === from || to < date) && { to: date }) }
}

/** Returns the change of a form's last day. A single day that becomes a range leaves out days without a target. */
export function withLastDay({ from, to }: AbsenceForm, date: LocalDate): Partial<AbsenceForm> {
  return { to: date, ...(to === from && { isSkippingFree: true }) }
}

/** Returns the sums of the shares and of the amounts of planned days. */
export function plannedTotals(days: AbsencePlan['days']): { shares: number; amountMs: DurationMs } {
  return {
    shares: days.reduce((total, { size }) => total + (size.day_share ?? 0), 0),
    amountMs: days.reduce((total, { size }) => total + (size.amount_ms ?? 0), 0),
  }
}

const MAX_DAYS = 400

/** Returns the reason why a form cannot be stored, if there is one. */
export function absenceProblemOf({ from, to, size }: AbsenceForm): AbsenceProblem | undefined {
  if (to < from) return 'order'
  if (daysBetween(from, to) >= MAX_DAYS) return 'tooLong'
  return isSize(size) ? undefined : 'share'
}

/** Returns the range of a form; its first date alone if the range is wrong. */
export function checkedRange({ from, to }: AbsenceForm): DateRange {
  return { from, to: to < from || daysBetween(from, to) >= MAX_DAYS ? from : to }
}

/** Plans the days of a form; see `daysOfAbsence`. */
export function planAbsence(
  form: AbsenceForm,
  timeline: Timeline<Settings>,
  absences: readonly AbsenceRecord[],
): AbsencePlan {
  return daysOfAbsence({ ...form, ...checkedRange(form) }, timeline, absences)
}

export function absenceContent(
  { kind, note }: Pick<AbsenceForm, 'kind' | 'note'>,
  { date, size }: AbsencePlan['days'][number],
): AbsenceContent {
  return newEntry({ kind, date, ...size, note })
}

/**
 * Returns the changes of a form: of the edited record, or new absences on the days of the plan. There are none while
 * the form has a problem.
 */
export function absenceChanges(
  form: AbsenceForm,
  record: AbsenceRecord | undefined,
  plan: AbsencePlan | undefined,
): EntryMutation[] {
  if (absenceProblemOf(form)) return []
  if (!record) return (plan?.days ?? []).map((day) => ({ op: 'create', content: absenceContent(form, day) }))
  const { kind, from: date, size, note } = form
  return [{ op: 'update', record, patch: { kind, date, ...size, note } }]
}
