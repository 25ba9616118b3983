import { type Plan, wallAt } from '@saldo/client/entries'
import {
  type DateRange,
  type DurationMs,
  epochMs,
  isCounted,
  type LocalDate,
  type TimedEntryContent,
  type ZoneName,
} from '@saldo/core'

/** The dates of planned entries, the entries of the first date, and the time that all of them count for. */
interface PlanSummary {
  range: DateRange
  dateCount: number
  shown: TimedEntryContent[]
  workedMs: DurationMs
}

/** Summarises planned entries, which are the same on each date. `zone` is for entries without one. */
export function planSummaryOf(
  { entries }: Pick<Extract<Plan, { kind: 'entries' }>, 'entries'>,
  zone: ZoneName,
): PlanSummary {
  const dates = [...new Set(entries.map((entry) => wallAt(epochMs(entry.started_at), entry.time_zone ?? zone).date))]
  const lengths = entries.map((entry) => {
    const { kind, started_at, ended_at } = entry
    return kind === 'work' && isCounted(entry) && ended_at !== null ? epochMs(ended_at) - epochMs(started_at) : 0
  })
  return {
    range: { from: dates[0] as LocalDate, to: dates.at(-1) as LocalDate },
    dateCount: dates.length,
    shown: entries.slice(0, entries.length / dates.length),
    workedMs: lengths.reduce((sum, lengthMs) => sum + lengthMs, 0),
  }
}

/** True if the next of the shown entries of the same kind has the project and the note of the entry at an index. */
export function isRepeatedNext(shown: readonly TimedEntryContent[], index: number): boolean {
  const entry = shown[index]
  const next = shown.slice(index + 1).find(({ kind }) => kind === entry?.kind)
  return next !== undefined && next.project === entry?.project && next.note === entry.note
}

/** Returns the style of a planned date: with the year if it is another than this one. */
export function dateStyleOf(date: LocalDate, today: LocalDate): 'short' | 'medium' {
  return date.slice(0, 4) === today.slice(0, 4) ? 'short' : 'medium'
}

/** Returns the text of the field once the local store has what a text meant: what is typed meanwhile stays. */
export function textOnceKept(typed: string, stored: string): string {
  return typed === stored ? '' : typed
}

/** Returns the text of the field if what a text meant was not stored: it comes back, unless something else is typed. */
export function textOnceFailed(typed: string, stored: string): string {
  return typed === '' ? stored : typed
}

/**
 * Returns the index of the choice to which a key moves from another one: up and down, first and last. Above the first
 * one is the field, -1. `undefined` for other keys, and below the last one.
 */
export function choiceByKey(key: string, index: number, count: number): number | undefined {
  const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: count - 1 }[key]
  return next === undefined || next >= count ? undefined : next
}
