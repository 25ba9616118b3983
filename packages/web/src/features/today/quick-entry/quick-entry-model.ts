import { type Plan, wallAt } from '@saldo/client/entries'
import {
  type DurationMs,
  daysBetween,
  epochMs,
  type Instant,
  isCounted,
  type LocalDate,
  type TimedEntryContent,
  type ZoneName,
} from '@saldo/core'

/** The planned entries of the dates on which they are the same, and the time that all of them count for. */
interface PlanSummary {
  groups: { dates: LocalDate[]; shown: TimedEntryContent[] }[]
  workedMs: DurationMs
}

/** Summarises planned entries. `zone` is for entries without one. */
export function planSummaryOf(
  { entries }: Pick<Extract<Plan, { kind: 'entries' }>, 'entries'>,
  zone: ZoneName,
): PlanSummary {
  const wallOf = (at: Instant, { time_zone }: TimedEntryContent) => wallAt(epochMs(at), time_zone ?? zone)
  const byDate = Map.groupBy(entries, (entry) => wallOf(entry.started_at, entry).date)
  const onTheWall = (entry: TimedEntryContent) => {
    const { started_at, ended_at, ...rest } = entry
    const [start, end] = [started_at, ended_at ?? started_at].map((at) => wallOf(at, entry).minutes)
    return { ...rest, start, end }
  }
  const groups = [...Map.groupBy(byDate, ([, shown]) => JSON.stringify(shown.map(onTheWall))).values()]
  const lengths = entries.map((entry) => {
    const { kind, started_at, ended_at } = entry
    return kind === 'work' && isCounted(entry) && ended_at !== null ? epochMs(ended_at) - epochMs(started_at) : 0
  })
  return {
    groups: groups.map((days) => ({ dates: days.map(([date]) => date), shown: days[0]?.[1] ?? [] })),
    workedMs: lengths.reduce((sum, lengthMs) => sum + lengthMs, 0),
  }
}

/** The most dates that are named one by one. */
const MOST_NAMED = 4

/** True if dates are named by the first and the last. Days off between them, which are left out, make no gap. */
export function areNamedAsRange(dates: readonly LocalDate[], freeCount: number): boolean {
  const [from, to] = [dates[0], dates.at(-1)]
  if (from === undefined || to === undefined || from === to) return false
  return dates.length > MOST_NAMED || daysBetween(from, to) < dates.length + freeCount
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
