import {
  type DateRange,
  type DayEntryContent,
  datesIn,
  daysBetween,
  type LocalDate,
  type Settings,
  type Timeline,
  targetOn,
} from '@saldo/core'
import type { Change } from './changes.ts'
import type { AbsenceRecord } from './parts.ts'

export interface AbsenceDraft {
  kind: DayEntryContent['kind']
  from: LocalDate
  to: LocalDate
  /** Above 0, at most 1. */
  share: number
  /** True to leave out days without a target. */
  isSkippingFree: boolean
  note: string
}

/** The days that a draft enters, and those of its range that it leaves out. */
export interface AbsencePlan {
  days: { date: LocalDate; share: number }[]
  /** Days without a target. */
  free: LocalDate[]
  /** Days that have a whole day of absences already. */
  full: LocalDate[]
}

export type AbsenceProblem = 'order' | 'tooLong' | 'share'

/** Returns the draft of an absence, or of new ones in a range. Whoever chooses a single free day wants that day. */
export function draftOfAbsence(record: AbsenceRecord | undefined, range: DateRange): AbsenceDraft {
  const { kind = 'vacation', day_share: share = 1, note = '' } = record ?? {}
  return { kind, ...range, share, isSkippingFree: range.from !== range.to, note }
}

const MAX_DAYS = 400
const BILLION = 1_000_000_000

export function problemOf({ from, to, share }: AbsenceDraft): AbsenceProblem | undefined {
  if (to < from) return 'order'
  if (daysBetween(from, to) >= MAX_DAYS) return 'tooLong'
  return share > 0 && share <= 1 ? undefined : 'share'
}

/** Returns the range of a draft; its first date alone if the range is wrong. */
export function checkedRange({ from, to }: AbsenceDraft): DateRange {
  return { from, to: to < from || daysBetween(from, to) >= MAX_DAYS ? from : to }
}

/** Plans the days of a draft. A date with absences gets at most the share that is left. */
export function planAbsence(
  draft: AbsenceDraft,
  timeline: Timeline<Settings>,
  absences: readonly AbsenceRecord[],
): AbsencePlan {
  const plan: AbsencePlan = { days: [], free: [], full: [] }
  const taken = new Map<LocalDate, number>()
  for (const { date, day_share } of absences) taken.set(date, (taken.get(date) ?? 0) + day_share)
  for (const date of datesIn(checkedRange(draft))) {
    const left = Math.round((1 - (taken.get(date) ?? 0)) * BILLION) / BILLION
    if (draft.isSkippingFree && targetOn(timeline, date) === 0) plan.free.push(date)
    else if (left <= 0) plan.full.push(date)
    else plan.days.push({ date, share: Math.min(draft.share, left) })
  }
  return plan
}

export function absenceContent(
  { kind, note }: Pick<AbsenceDraft, 'kind' | 'note'>,
  { date, share }: AbsencePlan['days'][number],
): DayEntryContent {
  const plain = { time_zone: null, tags: [], project: null, source: null, import_ref: null }
  return { ...plain, kind, date, day_share: share, note }
}

/** Returns the changes of a draft: of the edited record, or new absences on the days of the plan. */
export function absenceChanges(
  draft: AbsenceDraft,
  record: AbsenceRecord | undefined,
  plan: AbsencePlan | undefined,
): Change[] {
  if (!record) return (plan?.days ?? []).map((day) => ({ op: 'create', content: absenceContent(draft, day) }))
  const { kind, from: date, share, note } = draft
  return [{ op: 'update', record, patch: { kind, date, day_share: share, note } }]
}
