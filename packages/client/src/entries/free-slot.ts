import {
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
  const gaps = difference([{ start: window.start, end: isToday ? now : window.end }], union(taken))
  const gap = gaps.findLast(({ start, end }) => end - start >= lengthMs)
  return gap ? { start: gap.end - lengthMs, end: gap.end } : wanted
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
