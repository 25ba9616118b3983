import { difference, type EpochMs, HOUR_MS, type Interval, MINUTE_MS, union } from '@saldo/core'
import type { Day } from '../../domain/entries/useDay.ts'
import { instantAt } from '../../domain/wall-time.ts'

const STEP_MS = 5 * MINUTE_MS
const MORNING_MINUTES = 9 * 60

type PlaceIn = Pick<Day, 'date' | 'today' | 'zone' | 'window' | 'timed'>

/**
 * Where work of a length without times lies: today it ends now or, where that is taken, in the last gap before; on
 * another day after the last entry or, where the day is over by then, in its last gap; on an empty day from nine.
 */
export function placeIn({ date, today, zone, window, timed }: PlaceIn, lengthMs: number, nowMs: EpochMs): Interval {
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
 * An hour that is still free: after the day's last entry, or from nine; today not beyond now where that leaves
 * room.
 */
export function freeSpan(day: PlaceIn, nowMs: EpochMs): Interval {
  const { start } = placeIn({ ...day, today: '' }, 0, nowMs)
  const from = Math.min(Math.ceil(start / STEP_MS) * STEP_MS, day.window.end - HOUR_MS)
  const now = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS
  const isUntilNow = day.date === day.today && now > from && now < from + HOUR_MS
  return { start: from, end: isUntilNow ? now : from + HOUR_MS }
}
