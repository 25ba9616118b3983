import type { EpochMs, Interval, IsoDate } from '@saldo/core'
import type { Day } from '../../ui/entries/useDay.ts'
import { instantAt } from '../../ui/wall-time.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const STEP_MS = 5 * MINUTE_MS
const MORNING_MINUTES = 9 * 60

type PlaceIn = Pick<Day, 'date' | 'today' | 'zone' | 'window' | 'timed'>

/** Where work of a length without times lies: today it ends now; else after the day's last entry, or from nine. */
export function placeIn(day: PlaceIn, date: IsoDate, lengthMs: number, nowMs: EpochMs): Interval {
  if (date === day.today) {
    const end = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS
    return { start: end - lengthMs, end }
  }
  const ends = date === day.date ? day.timed.map(({ part }) => part.inside.end) : []
  const start = Math.max(...ends, ends.length > 0 ? 0 : instantAt(date, MORNING_MINUTES, day.zone))
  return { start, end: start + lengthMs }
}

/** An hour that is still free: after the day's last entry, or from nine; today not beyond now where that leaves room. */
export function freeSpan(day: PlaceIn, nowMs: EpochMs): Interval {
  const { start } = placeIn({ ...day, today: '' }, day.date, 0, nowMs)
  const from = Math.min(Math.ceil(start / STEP_MS) * STEP_MS, day.window.end - HOUR_MS)
  const now = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS
  const isUntilNow = day.date === day.today && now > from && now < from + HOUR_MS
  return { start: from, end: isUntilNow ? now : from + HOUR_MS }
}
