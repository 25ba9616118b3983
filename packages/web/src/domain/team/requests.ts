import type { QueuedChange } from '@saldo/client'
import { type AbsenceForm, newEntry } from '@saldo/client/entries'
import {
  type AbsenceSize,
  addDays,
  type ChosenAbsenceKind,
  chosenAbsenceKinds,
  type DateRange,
  daysBetween,
  type Entry,
  entryLimits,
  isAbsence,
  type LocalDate,
  namedDates,
  policyOn,
  type RequestContent,
  type TeamSummary,
  type Timeline,
  touchedDates,
  type UserNumber,
  WHOLE_DAY,
} from '@saldo/core'

/** The fields of a request that an absence does not have. */
export interface Asking {
  /** True to show the dates to colleagues before the decision (D25.5). */
  isPlanned: boolean
  substitute: UserNumber | null
}

const noRequest = { absence: null, ...WHOLE_DAY, changes: null, planned: false, substitute: null }

/** True if a member has to ask for a kind of absence by the policy in force (D26.8). */
export function isAskedFor(team: TeamSummary | undefined, kind: Entry['kind'], today: LocalDate): boolean {
  const chosen = chosenKind(kind)
  if (!team?.is_member || !chosen) return false
  const versions = [team.policy, ...(team.next_policy ? [team.next_policy] : [])]
  return policyOn(versions, today).absences[chosen] === 'ask'
}

function chosenKind(kind: unknown): ChosenAbsenceKind | undefined {
  return chosenAbsenceKinds.find((each) => each === kind)
}

/** Returns the date of an entry without times. */
function dateOf(entry: Entry | null | undefined): LocalDate | undefined {
  return entry && isAbsence(entry) ? entry.date : undefined
}

/** Returns the request for a new absence. */
export function requestOfAbsence(
  { kind, from, to, size, note }: Omit<AbsenceForm, 'isSkippingFree'>,
  { isPlanned, substitute }: Asking,
): RequestContent {
  return newEntry({
    ...{ ...noRequest, kind: 'request' as const, asks: 'absence' as const, date: from, last_date: to },
    ...{ absence: chosenKind(kind) ?? null, ...size, planned: isPlanned, substitute, note },
  })
}

type Change = Pick<QueuedChange, 'kind' | 'id' | 'content' | 'updatedAt' | 'seq'>

/**
 * Returns the request that holds a change whole, as a push has it; of a new absence without a note the request for
 * that, since whoever decides reads the note of a request, and none of a change (D25.11). `before` is the record that
 * the change would change; `undefined` for a new one.
 */
export function requestOfChange(
  change: Change,
  before: Entry | undefined,
  today: LocalDate,
  note = '',
): RequestContent {
  const entry = change.content as Entry | null
  if (!before && entry && isAbsence(entry) && chosenKind(entry.kind) && entry.note === '') {
    const size = { day_share: entry.day_share, amount_ms: entry.amount_ms } as AbsenceSize
    const form = { kind: entry.kind, from: entry.date, to: entry.date, size, note }
    return requestOfAbsence(form, { isPlanned: false, substitute: null })
  }
  const dates = [before, entry].flatMap((each) => dateOf(each) ?? []).toSorted()
  return requestOfWire([change], { from: dates[0] ?? today, to: dates.at(-1) ?? today }, note)
}

/** A change, and the record that it changes: `undefined` for a new one, or if it is no entry. */
interface ChangeOf {
  change: Change
  before: Entry | undefined
}

/**
 * Returns the request for changes of locked months, or of what HR manages (D27.10), 1 to 50 of them (D26.14). It holds
 * them whole, new absences too, and is of the dates that they name; of settings, of the first one that they touch.
 */
export function requestOfCorrection(changes: readonly ChangeOf[], timeline: Timeline, today: LocalDate, note = '') {
  const ranges = changes.flatMap(({ change, before }) => rangesOf(change, before, timeline))
  const from = ranges.map((range) => range.from).toSorted()[0] ?? today
  const to =
    ranges
      .map((range) => range.to)
      .toSorted()
      .at(-1) ?? from
  const isLong = daysBetween(from, to) >= entryLimits.requestDays
  const range = { from, to: isLong ? addDays(from, entryLimits.requestDays - 1) : to }
  return requestOfWire(
    changes.map(({ change }) => change),
    range,
    note,
  )
}

function rangesOf(change: Change, before: Entry | undefined, timeline: Timeline): DateRange[] {
  const state = before && { content: { ...before } }
  if (change.kind !== 'settings_history') return namedDates(change, state, timeline)
  const [first] = touchedDates(change, state, timeline)
    .map(({ from }) => from)
    .toSorted()
  return first ? [{ from: first, to: first }] : []
}

/** Returns the request that holds changes as a push has them. */
function requestOfWire(changes: readonly Change[], { from, to }: DateRange, note: string) {
  const wires = changes.map(({ kind, id, content, updatedAt, seq }) =>
    content === null
      ? { kind, op: 'delete', seq, id, updated_at: updatedAt }
      : { kind, op: 'upsert', seq, record: { ...content, id, updated_at: updatedAt } },
  )
  return newEntry({
    ...{ ...noRequest, kind: 'request' as const, asks: 'change' as const, note, changes: wires },
    ...{ date: from, last_date: to },
  })
}
