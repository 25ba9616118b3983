import type { Adjustment } from '../adjustment.ts'
import { addDays, addDaysWithinCalendar, LAST_DATE } from '../date.ts'
import { type DateRange, mergeRanges } from '../date-range.ts'
import { type EntryContent, isGrant, isRequest, isTimed, untimedDatesOf } from '../entry.ts'
import { epochMs } from '../instant.ts'
import type { Change, RecordState } from '../merge.ts'
import type { WritableKind } from '../record-kinds.ts'
import type { SettingsContent } from '../settings.ts'
import {
  type AccountSettings,
  buildTimeline,
  dateAt,
  dayStart,
  haveSameFigures,
  rangeInForce,
  type Timeline,
} from '../timeline.ts'
import type { LocalDate, Month } from '../values.ts'

/** The states of a user's calendar month. */
export const monthStates = ['open', 'submitted', 'locked'] as const
/** One of `monthStates`. A month of which nothing is stored is open. */
export type MonthState = (typeof monthStates)[number]

/** The months of a member that are not open, stored beside the counter. Both lists are in order. */
export interface MemberMonths {
  locked: readonly Month[]
  submitted: readonly Month[]
}

/** The most locked months that are kept beside the counter (D27.6). */
export const MAX_LOCKED_MONTHS = 240

/** Returns the month of a date. */
export function monthOf(date: LocalDate): Month {
  return date.slice(0, 7) as Month
}

/** Returns the first and the last date of a month. */
export function datesOfMonth(month: Month): DateRange {
  const from: LocalDate = `${month}-01`
  return { from, to: addDays(`${monthAfter(month, 1)}-01`, -1) }
}

/** Returns the month that is some months later, or earlier. */
export function monthAfter(month: Month, steps: number): Month {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + steps
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}` as Month
}

/** Returns those of some months in which a date of the ranges lies, in order. */
export function monthsIn(months: readonly Month[], ranges: readonly DateRange[]): Month[] {
  const touched = ranges.map(({ from, to }) => ({ first: monthOf(from), last: monthOf(to) }))
  return months.filter((month) => touched.some(({ first, last }) => first <= month && month <= last)).toSorted()
}

/** Returns the months in which a date of the ranges lies, each once, in order. */
export function monthsOf(ranges: readonly DateRange[]): Month[] {
  const months = new Set<Month>()
  for (const { from, to } of ranges) {
    for (let month = monthOf(from); month <= monthOf(to); month = monthAfter(month, 1)) months.add(month)
  }
  return [...months].toSorted()
}

/** The things that people do with a month (D27.1). */
export const monthActions = ['submit', 'withdraw', 'return', 'lock', 'reopen'] as const
export type MonthAction = (typeof monthActions)[number]

/** The relation of somebody who acts to the person whose month it is. */
export interface MonthActor {
  isOwner: boolean
  /** True for a lead of a group that the person is in, or of one above it. */
  isLead: boolean
  isHr: boolean
}

/** The outcome of an action on a month: its new state, that it has it already, or the reason why it cannot be. */
export type MonthOutcome =
  | { outcome: 'changed'; state: MonthState }
  | { outcome: 'unchanged' }
  | { outcome: 'refused'; why: 'not_allowed' | 'locked' | 'not_submitted' }

/**
 * Decides an action on a month (D27.1, D27.13): a person submits and withdraws; a lead or HR returns and locks what was
 * submitted; HR reopens, and locks without submission where the policy says so.
 */
export function decideMonth(
  state: MonthState,
  action: MonthAction,
  { isOwner, isLead, isHr }: MonthActor,
  { lock_unsubmitted }: { lock_unsubmitted: boolean },
): MonthOutcome {
  const isAllowed = {
    submit: isOwner,
    withdraw: isOwner,
    return: isLead || isHr,
    lock: isLead || isHr,
    reopen: isHr,
  }[action]
  if (!isAllowed) return { outcome: 'refused', why: 'not_allowed' }
  const target = ({ submit: 'submitted', withdraw: 'open', return: 'open', lock: 'locked', reopen: 'open' } as const)[
    action
  ]
  if (state === target) return { outcome: 'unchanged' }
  if (action === 'reopen') return state === 'locked' ? { outcome: 'changed', state: target } : { outcome: 'unchanged' }
  if (state === 'locked') return { outcome: 'refused', why: 'locked' }
  const isReady = action !== 'lock' || state === 'submitted' || (isHr && lock_unsubmitted)
  return isReady ? { outcome: 'changed', state: target } : { outcome: 'refused', why: 'not_submitted' }
}

/**
 * Returns the dates that a change touches in its old and its new content (D27.4): those of an entry, the effective date
 * of an adjustment, and those on which other settings count for figures. A request, and granted vacation, which are in
 * no day's figures, touch none. `rows` are the live settings rows before the change.
 */
export function touchedDates(
  { kind, id, content }: Pick<Change, 'kind' | 'id' | 'content'>,
  before: Pick<RecordState, 'content'> | undefined,
  rows: readonly AccountSettings[],
): DateRange[] {
  const contents = [before?.content, content].filter((each) => each != null)
  switch (kind) {
    case 'entries': {
      const timeline = buildTimeline(rows)
      const counted = (contents as EntryContent[]).filter((entry) => !isRequest(entry) && !isGrant(entry))
      return mergeRanges(counted.map((entry) => datesOfEntry(entry, timeline)))
    }
    case 'balance_adjustments':
      return contents.map((each) => {
        const { effective_date: date } = each as Pick<Adjustment, 'effective_date'>
        return { from: date, to: date }
      })
    case 'settings_history': {
      const others = rows.filter((row) => row.id !== id)
      const rowOf = (each: RecordState['content'] | undefined) => (each ? ({ ...each, id } as SettingsRow) : null)
      return datesOfSettings(others, rowOf(before?.content), rowOf(content))
    }
  }
}

/**
 * True if the dates of a record, before and after a change, are those of a membership: a company changes no others
 * (D27.18). Settings count from a date on, which can be the day after the last one, so that planned time ends (D31.5).
 * `memberDates` are the dates of the membership, merged, and `rows` the live settings rows before the change.
 */
export function isWithinMembership(
  { kind, content }: Pick<Change, 'kind' | 'content'>,
  before: Pick<RecordState, 'content'> | undefined,
  { rows, memberDates }: { rows: readonly AccountSettings[]; memberDates: readonly DateRange[] },
): boolean {
  const afterLast = kind === 'settings_history' ? 1 : 0
  return namedDates({ kind, content }, before, rows).every(({ from, to }) =>
    memberDates.some((dates) => dates.from <= from && to <= addDaysWithinCalendar(dates.to, afterLast)),
  )
}

/**
 * Returns the dates that a record names before and after a change, whether any figures are of them, as those of granted
 * vacation and requests are not. `rows` are the live settings rows before the change.
 */
export function namedDates(
  { kind, content }: Pick<Change, 'kind' | 'content'>,
  before: Pick<RecordState, 'content'> | undefined,
  rows: readonly AccountSettings[],
): DateRange[] {
  const timeline = buildTimeline(rows)
  return [before?.content, content].flatMap((each) => (each == null ? [] : datesOfRecord(kind, each, timeline)))
}

function datesOfRecord(kind: WritableKind, content: Record<string, unknown>, timeline: Timeline): DateRange {
  switch (kind) {
    case 'entries':
      return datesOfEntry(content as EntryContent, timeline)
    case 'balance_adjustments': {
      const { effective_date: date } = content as Pick<Adjustment, 'effective_date'>
      return { from: date, to: date }
    }
    case 'settings_history': {
      const { effective_from: date } = content as SettingsContent
      return { from: date, to: date }
    }
  }
}

type SettingsRow = SettingsContent & AccountSettings

/** The dates of an entry, counted or not; a running one has the date on which it began. */
function datesOfEntry(entry: EntryContent, timeline: Timeline): DateRange {
  if (!isTimed(entry)) return untimedDatesOf(entry)
  const start = epochMs(entry.started_at)
  const end = entry.ended_at === null ? start : epochMs(entry.ended_at)
  return { from: dateAt(timeline, start), to: dateAt(timeline, Math.max(start, end - 1)) }
}

function datesOfSettings(
  others: readonly AccountSettings[],
  oldRow: SettingsRow | null,
  newRow: SettingsRow | null,
): DateRange[] {
  if (oldRow && newRow && haveSameFigures(oldRow, newRow)) return []
  const timelineWith = (row: SettingsRow | null) => buildTimeline(row ? [...others, row] : others)
  const [before, after] = [timelineWith(oldRow), timelineWith(newRow)]
  // The zone of a row sets where the days beside its range end and begin, too.
  const isSameStart = (date: LocalDate) => dayStart(before, date) === dayStart(after, date)
  const ranges = [oldRow, newRow].flatMap((row) => {
    if (!row) return []
    const { from, to } = rangeInForce(row === oldRow ? before : after, row.effective_from)
    const behind = to === null ? null : addDaysWithinCalendar(to, 1)
    return {
      from: isSameStart(from) ? from : addDaysWithinCalendar(from, -1),
      to: behind === null ? LAST_DATE : isSameStart(behind) ? addDaysWithinCalendar(behind, -1) : behind,
    }
  })
  return mergeRanges(ranges)
}
