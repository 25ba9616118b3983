import {
  type AbsenceContent,
  clip,
  type Entry,
  type EpochMs,
  epochMs,
  type Interval,
  instantOf,
  isTimed,
  type TimedEntryContent,
} from '@saldo/core'

/** Work or a break. */
export type TimedRecord = Extract<Entry, { started_at: string }>
export type WorkRecord = Extract<Entry, { kind: 'work' }>
/** An absence of a day. */
export type AbsenceRecord = Extract<Entry, AbsenceContent>
/** Vacation days that were granted. */
export type GrantRecord = Extract<Entry, { kind: 'vacation_grant' }>

/** Returns an entry's time; a running one ends at `nowMs`, which may be the full minute before it started. */
function workedInterval(entry: TimedEntryContent, nowMs: EpochMs): Interval {
  const start = epochMs(entry.started_at)
  return { start, end: entry.ended_at === null ? Math.max(start, nowMs) : epochMs(entry.ended_at) }
}

/** Returns the entries with running ones ended at `nowMs`: the account counts only finished entries (D3). */
export function stoppedAt<E extends Entry>(entries: readonly E[], nowMs: EpochMs): E[] {
  return entries.map((entry) =>
    isTimed(entry) && entry.ended_at === null
      ? { ...entry, ended_at: instantOf(workedInterval(entry, nowMs).end) }
      : entry,
  )
}

/** The part of an entry that lies in a day. */
export interface PartInDay {
  inside: Interval
  whole: Interval
  beginsBefore: boolean
  endsAfter: boolean
}

/** Returns the part of an entry in a day, or `undefined` if there is none. An empty entry lies at its start. */
export function partIn(entry: TimedEntryContent, window: Interval, nowMs: EpochMs): PartInDay | undefined {
  const whole = workedInterval(entry, nowMs)
  const inside = clip(whole, window)
  const isPoint = whole.start === whole.end && whole.start >= window.start && whole.start < window.end
  if (inside.start >= inside.end && !isPoint) return undefined
  return { inside, whole, beginsBefore: whole.start < window.start, endsAfter: whole.end > window.end }
}
