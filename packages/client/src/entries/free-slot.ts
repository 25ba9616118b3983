import {
  clip,
  type DurationMs,
  difference,
  type EpochMs,
  HOUR_MS,
  type Interval,
  type LocalDate,
  MINUTE_MS,
  union,
  type ZoneName,
} from '@saldo/core'
import type { PartInDay } from './parts.ts'
import { instantAt } from './wall-time.ts'

const STEP_MS = 5 * MINUTE_MS
const MORNING_MINUTES = 9 * 60

/** A day with the parts of its timed entries. */
export interface FreeSlot {
  date: LocalDate
  today: LocalDate | undefined
  zone: ZoneName
  window: Interval
  timed: readonly { part: PartInDay }[]
}

/**
 * Returns the time of work that has a duration only: today it ends now or, if that overlaps, in the last gap before;
 * on another day it follows the last entry or, if that does not fit, is in the last gap; an empty day begins at 9.
 */
export function freeSlotIn({ date, today, zone, window, timed }: FreeSlot, lengthMs: number, nowMs: EpochMs): Interval {
  const isToday = date === today
  const now = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS
  const taken = timed.map(({ part }) => part.inside)
  const lastEnd = taken.length > 0 ? Math.max(...taken.map(({ end }) => end)) : instantAt(date, MORNING_MINUTES, zone)
  const wanted = isToday ? { start: now - lengthMs, end: now } : { start: lastEnd, end: lastEnd + lengthMs }
  if (isToday ? !taken.some(({ start, end }) => start < now && end > wanted.start) : wanted.end <= window.end)
    return wanted
  return lastFree({ start: window.start, end: isToday ? now : window.end }, taken, lengthMs) ?? wanted
}

/** Returns the first free time of a day from nine on, else the latest one; `undefined` if none is long enough. */
export function freeTimeFromNine(
  { date, zone, window }: Pick<FreeSlot, 'date' | 'zone' | 'window'>,
  taken: readonly Interval[],
  lengthMs: DurationMs,
): Interval | undefined {
  const fromNine = clip({ start: instantAt(date, MORNING_MINUTES, zone), end: window.end }, window)
  const first = gapsIn(fromNine, taken, lengthMs)[0]
  return first ? { start: first.start, end: first.start + lengthMs } : lastFree(window, taken, lengthMs)
}

/** Returns the end of the last gap that is long enough. */
function lastFree(within: Interval, taken: readonly Interval[], lengthMs: DurationMs): Interval | undefined {
  const gap = gapsIn(within, taken, lengthMs).at(-1)
  return gap && { start: gap.end - lengthMs, end: gap.end }
}

function gapsIn(within: Interval, taken: readonly Interval[], lengthMs: DurationMs): Interval[] {
  return difference([within], union(taken)).filter(({ start, end }) => end - start >= lengthMs)
}

/**
 * Returns a free hour: after the day's last entry, or from nine; today it ends now if that leaves room.
 */
export function freeSpan(day: FreeSlot, nowMs: EpochMs): Interval {
  const { start } = freeSlotIn({ ...day, today: undefined }, 0, nowMs)
  const from = Math.min(Math.ceil(start / STEP_MS) * STEP_MS, day.window.end - HOUR_MS)
  const now = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS
  const isUntilNow = day.date === day.today && now > from && now < from + HOUR_MS
  return { start: from, end: isUntilNow ? now : from + HOUR_MS }
}
