import {
  type ClosedDay,
  type Content,
  DAY_MS,
  type DateRange,
  datesOfEntry,
  type EpochMs,
  FIRST_DATE,
  isTimed,
  type Json,
  type JsonObject,
  jsonEqual,
  LAST_DATE,
  type Random,
  rangeGoverned,
  type Settings,
  type Timeline,
  timelineOf,
  type WritableKind,
} from '@saldo/core'
import type { UserId, UserWriter } from '../store/store.ts'
import { scheduleAutoClose } from './auto-close-job.ts'
import { MAX_DAYS_AT_ONCE, recompute, type Touch } from './recompute.ts'
import { allDates, dateSpan, mergeRanges, readClosedDays, readTimeline, shifted } from './records.ts'

/** A record that a transaction changed: what it was and what it is; null where it was not, or is no more. */
export interface AppliedChange {
  kind: WritableKind
  id: string
  /** The whole record. */
  old: JsonObject | null
  /** Its content. */
  next: JsonObject | null
}

/** Whether changes touch the account, or may; `closed` is where the first and the last closed day are. */
export function touchesAccount(
  changes: readonly AppliedChange[],
  closed: { firstMs: number; lastMs: number } | undefined,
): boolean {
  const entries = changes.filter(({ kind }) => kind === 'entries')
  return changes.some(({ kind }) => kind === 'settings_history') || meetClosedDays(entries, closed)
}

/**
 * Settles what a transaction's changes touch in the account (D3): the closed days of the old and of the new interval
 * of an entry, or of the old and the new range of a settings row, are recomputed now, or by a job where they are many.
 */
export async function settle(
  writer: UserWriter,
  changes: readonly AppliedChange[],
  context: { user: UserId; nowMs: EpochMs; random: Random },
): Promise<void> {
  const settings = changes.filter(({ kind }) => kind === 'settings_history')
  const entries = changes.filter(({ kind }) => kind === 'entries')
  const timeline = await readTimeline(writer)
  if (settings.length > 0) await scheduleAutoClose(writer, timeline, effectiveDates(settings), context.nowMs)
  const touches = [...entryTouches(entries, timeline), ...settingsTouches(settings, timeline)]
  let closedDays = 0
  for (const range of mergeRanges(touches)) closedDays += await writer.count('closed_days', dateSpan(range))
  if (closedDays > MAX_DAYS_AT_ONCE) {
    const [first] = (await readClosedDays(writer, allDates, 1)) as [ClosedDay]
    const ranges = touches
      .filter(({ to }) => to >= first.date)
      .map((touch) => (touch.from < first.date ? { ...touch, from: first.date } : touch))
    const task = { kind: 'recompute' as const, ranges }
    await writer.putJob({ id: context.random.uuid(), dueMs: context.nowMs, task })
  } else if (closedDays > 0) {
    await recompute(writer, timeline, touches, context)
  }
}

/** Whether what the changed entries cover comes near the time in which days are closed. */
function meetClosedDays(
  entries: readonly AppliedChange[],
  closed: { firstMs: number; lastMs: number } | undefined,
): boolean {
  if (!closed) return false
  let first = LAST_DATE
  let last = ''
  // Dates and instants stand in time order as texts.
  for (const { old, next } of entries) {
    for (const entry of [old, next] as (Content<'entries'> | null)[]) {
      if (!entry) continue
      const [from, to] = isTimed(entry) ? [entry.started_at, entry.ended_at] : [entry.date, entry.date]
      if (to === null) continue
      if (from < first) first = from
      if (to > last) last = to
    }
  }
  if (last === '') return false
  // A day window can lie this far from its date in UTC.
  return Date.parse(first) - 3 * DAY_MS <= closed.lastMs && Date.parse(last) + 3 * DAY_MS > closed.firstMs
}

function entryTouches(entries: readonly AppliedChange[], timeline: Timeline): Touch[] {
  return entries.flatMap((change) => {
    const ranges = [change.old, change.next].flatMap((entry) => {
      const range = entry && datesOfEntry(entry as Content<'entries'>, timeline)
      return range ? [range] : []
    })
    return touchesOf(change, ranges)
  })
}

function settingsTouches(settings: readonly AppliedChange[], timeline: Timeline<Settings>): Touch[] {
  const ids = new Set(settings.map(({ id }) => id))
  const oldRows = settings.flatMap(({ old }) => (old ? [old as Settings] : []))
  const oldTimeline = timelineOf([...timeline.filter(({ id }) => !ids.has(id)), ...oldRows])
  return settings.flatMap((change) => {
    if (governsAlike(change.old, change.next)) return []
    const ranges = [
      { rows: oldTimeline, row: change.old },
      { rows: timeline, row: change.next },
    ].flatMap(({ rows, row }) => {
      if (!row) return []
      const { from, to } = rangeGoverned(rows, (row as Content<'settings_history'>).effective_from)
      // The first row's zone is also that of all days before, and closed ones among them say so.
      const isFirst = rows[0]?.effective_from === from
      // Its zone also moves the border to the day before, and may move the one behind it.
      return [{ from: isFirst ? FIRST_DATE : shifted(from, -1), to: to ? shifted(to, 1) : LAST_DATE }]
    })
    return touchesOf(change, ranges)
  })
}

/** What of a settings row decides figures. */
const decisive = ['effective_from', 'time_zone', 'target_ms', 'break_policy'] as const

function governsAlike(old: JsonObject | null, next: JsonObject | null): boolean {
  return old !== null && next !== null && decisive.every((field) => jsonEqual(old[field] as Json, next[field] as Json))
}

function effectiveDates(settings: readonly AppliedChange[]): string[] {
  return settings
    .flatMap(({ old, next }) => [old, next])
    .flatMap((row) => (row ? [(row as Content<'settings_history'>).effective_from] : []))
}

function touchesOf({ kind, id, next }: AppliedChange, ranges: readonly DateRange[]): Touch[] {
  const cause = { kind, id, op: next === null ? ('delete' as const) : ('upsert' as const) }
  return mergeRanges(ranges).map((range) => ({ ...range, cause }))
}
