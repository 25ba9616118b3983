import type { AbsenceRecord, EntryMutation, TimedRecord } from '@saldo/client/entries'
import {
  type AbsenceSize,
  type DayWarning,
  type DurationMs,
  dayWarnings,
  type Entry,
  type EpochMs,
  epochMs,
  identifiedEntriesOf,
  instantOf,
  isAbsence,
  isTimed,
  type LocalDate,
  plannedOn,
  shareOfDay,
  sizeLeft,
  sizeOf,
  type Timeline,
} from '@saldo/core'

/** A warning about entries of a day. Without `fix`, the user has to edit an entry. */
export interface EntryWarning {
  kind: 'overlap' | 'within' | 'long' | 'severalRunning' | 'beyondDay'
  entryIds: string[]
  /** The affected duration in milliseconds, share of a day, or number of timers. */
  amount: number
  fix?: EntryMutation[]
}

export function warningsOf(entries: readonly Entry[], timeline: Timeline, date: LocalDate): EntryWarning[] {
  return dayWarnings(identifiedEntriesOf(entries), timeline, date).flatMap(({ code, entry_ids }) => {
    const those = entries.filter(({ id }) => entry_ids.includes(id))
    const timed = those.filter(isTimed).toSorted((a, b) => epochMs(a.started_at) - epochMs(b.started_at))
    return readings[code](timed, those.filter(isAbsence), plannedOn(timeline, date))
  })
}

/** Returns the entry to edit because of a warning, and when the timed entries of it start, in order. */
export function subjectOfWarning(
  { entryIds }: Pick<EntryWarning, 'entryIds'>,
  entries: readonly Entry[],
): { first: TimedRecord | AbsenceRecord | undefined; startsMs: EpochMs[] } {
  const those = entries.filter((entry) => isTimed(entry) || isAbsence(entry)).filter(({ id }) => entryIds.includes(id))
  const starts = those.filter(isTimed).map(({ started_at }) => epochMs(started_at))
  return { first: those[0], startsMs: starts.sort((a, b) => a - b) }
}

type Reading = (timed: TimedRecord[], absences: AbsenceRecord[], plannedMs: DurationMs) => EntryWarning[]

const readings: Record<DayWarning['code'], Reading> = {
  overlapping_work: overlaps,
  long_entry: (timed) => timed.map((entry) => ({ kind: 'long', entryIds: [entry.id], amount: lengthOf(entry) })),
  several_running: (timed) => [severalRunning(timed)],
  absence_beyond_day: (_timed, absences, plannedMs) => [beyondDay(absences, plannedMs)],
  // A timer that runs is what timers do; one that was forgotten is asked about elsewhere.
  still_running: () => [],
}

const endOf = (entry: TimedRecord) => (entry.ended_at === null ? Number.POSITIVE_INFINITY : epochMs(entry.ended_at))
const lengthOf = (entry: TimedRecord) => endOf(entry) - epochMs(entry.started_at)

/** Each entry against the one before it that reaches farthest. */
function overlaps(sorted: TimedRecord[]): EntryWarning[] {
  const found: EntryWarning[] = []
  let widest: TimedRecord | undefined
  for (const entry of sorted) {
    if (widest && epochMs(entry.started_at) < endOf(widest)) found.push(overlap(widest, entry))
    if (!widest || endOf(entry) > endOf(widest)) widest = entry
  }
  return found
}

function overlap(earlier: TimedRecord, later: TimedRecord): EntryWarning {
  const entryIds = [earlier.id, later.id]
  if (endOf(later) <= endOf(earlier)) {
    return { kind: 'within', entryIds, amount: lengthOf(later), fix: [{ op: 'delete', record: later }] }
  }
  const amount = endOf(earlier) - epochMs(later.started_at)
  if (earlier.started_at === later.started_at) {
    return { kind: 'within', entryIds, amount, fix: [{ op: 'delete', record: earlier }] }
  }
  return { kind: 'overlap', entryIds, amount, fix: [update(earlier, { ended_at: later.started_at })] }
}

/** All but the newest timer end at the start of the next. */
function severalRunning(sorted: TimedRecord[]): EntryWarning {
  const fix = sorted.slice(0, -1).map((entry, index) => {
    const next = sorted[index + 1] as TimedRecord
    return update(entry, { ended_at: instantOf(epochMs(next.started_at)) })
  })
  return { kind: 'severalRunning', entryIds: sorted.map(({ id }) => id), amount: sorted.length, fix }
}

/** The last absences lose what is more than the day has. */
function beyondDay(absences: AbsenceRecord[], plannedMs: DurationMs): EntryWarning {
  const fix: EntryMutation[] = []
  const kept: AbsenceSize[] = []
  for (const absence of absences) {
    const size = sizeLeft(absence, kept, plannedMs)
    if (size) kept.push(size)
    if (!size) fix.push({ op: 'delete', record: absence })
    else if (!isSameSize(size, absence)) fix.push(update(absence, sizeOf(size)))
  }
  const amount = absences.reduce((sum, size) => sum + shareOfDay(size, plannedMs), 0)
  return { kind: 'beyondDay', entryIds: absences.map(({ id }) => id), amount, fix }
}

function isSameSize(a: AbsenceSize, b: AbsenceSize): boolean {
  return a.day_share === b.day_share && a.amount_ms === b.amount_ms
}

function update(record: Entry, patch: Partial<Entry>): EntryMutation {
  return { op: 'update', record, patch }
}
