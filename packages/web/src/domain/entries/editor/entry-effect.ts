import { type EntryMutation, entriesAfter, wallAt } from '@saldo/client/entries'
import {
  type AbsenceContent,
  type ClosedWeek,
  computeDay,
  type DurationMs,
  datesOfWeek,
  type Entry,
  type IsoWeek,
  intervalOf,
  isAbsence,
  type LocalDate,
  MINUTE_MS,
  netWorkMs,
  type Timeline,
  utcMidnight,
  weekOf,
  type ZoneName,
} from '@saldo/core'

/** A delta without and with a change. */
export interface DeltaChange {
  beforeMs: DurationMs
  afterMs: DurationMs
}

/** The effects of an entry on its day, before it is saved. */
export interface EntryEffect {
  /** The time that is worked, without its break; of work alone. */
  workedMs: DurationMs | undefined
  /** The difference between the time that passes and what the clock on the wall shows. */
  clockChangeMs: DurationMs
  day: DeltaChange
  /** The time by which less break is deducted, because a gap counts as break. */
  lessDeductedMs: DurationMs
  /** Present if the week of the day is closed. */
  week: (DeltaChange & { week: IsoWeek }) | undefined
  /** The kinds of other absences of the day. */
  absences: AbsenceContent['kind'][]
  /** The work of the day besides the entry. */
  otherWorkMs: DurationMs
}

/**
 * Returns the effects of changes on a date. `entries` are those of its week and of the days around that; `changes` are
 * of one entry, perhaps with its break.
 */
export function effectOfEntry(
  changes: readonly EntryMutation[],
  entries: readonly Entry[],
  { timeline, date, zone }: { timeline: Timeline; date: LocalDate; zone: ZoneName },
  closedWeeks: readonly Pick<ClosedWeek, 'week' | 'delta_ms'>[],
): EntryEffect {
  const after = entriesAfter(entries, changes)
  const others = entries.filter(
    ({ id }) => !changes.some((change) => change.op !== 'create' && change.record.id === id),
  )
  const made = after.filter((entry) => !others.includes(entry))
  const [before, then] = [entries, after].map((some) => computeDay(some, timeline, date)) as [
    ReturnType<typeof computeDay>,
    ReturnType<typeof computeDay>,
  ]
  const deltaIn = (week: IsoWeek, some: readonly Entry[]) =>
    datesOfWeek(week).reduce((sum, each) => sum + computeDay(some, timeline, each).delta_ms, 0)
  const closed = closedWeeks.find(({ week }) => week === weekOf(date))
  const whole = made.map(intervalOf).find((interval) => interval !== undefined)
  return {
    workedMs: made.some(({ kind }) => kind === 'work') ? lengthOf(made) : undefined,
    clockChangeMs: whole ? whole.end - whole.start - (wallMs(whole.end, zone) - wallMs(whole.start, zone)) : 0,
    day: { beforeMs: before.delta_ms, afterMs: then.delta_ms },
    lessDeductedMs: Math.max(0, before.deducted_break_ms - then.deducted_break_ms),
    week: closed && {
      week: closed.week,
      beforeMs: closed.delta_ms,
      afterMs: closed.delta_ms + deltaIn(closed.week, after) - deltaIn(closed.week, entries),
    },
    absences: [...new Set(others.filter(isAbsence).flatMap((other) => (other.date === date ? [other.kind] : [])))],
    otherWorkMs: netWorkMs(computeDay(others, timeline, date)),
  }
}

/** Returns the time of work without the breaks among the entries. */
function lengthOf(entries: readonly Entry[]): DurationMs {
  return entries.reduce((sum, entry) => {
    const { start, end } = intervalOf(entry) ?? { start: 0, end: 0 }
    return entry.kind === 'work' ? sum + end - start : sum - (end - start)
  }, 0)
}

/** Returns an instant as the clock on the wall shows it, as if that were UTC. */
function wallMs(ms: number, zone: ZoneName): number {
  const { date, minutes } = wallAt(ms, zone)
  return utcMidnight(date) + minutes * MINUTE_MS
}

/** True for an absence that credits hours; others lower the target, but for time off in lieu, which does neither. */
export function isCrediting(kind: AbsenceContent['kind']): boolean {
  return kind === 'sick' || kind === 'paid_other'
}
