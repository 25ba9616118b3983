import type { PartInDay } from '@saldo/client/entries'
import { type EpochMs, HOUR_MS, type Interval, MINUTE_MS } from '@saldo/core'
import type { Day } from '../../../domain/entries/useDay.ts'

/** To what entries snap on the time line; none is made shorter. */
export const STEP_MS = 5 * MINUTE_MS
/** The duration of an entry that is created by a tap. */
const TAPPED_MS = 30 * MINUTE_MS

/** The usual hours of work: the time line shows at least these, from the start of the day. */
const USUAL = { fromMs: 7 * HOUR_MS, toMs: 19 * HOUR_MS }

/** The mapping between time and pixels. */
export interface Scale {
  shown: Interval
  msPerPx(): number
  place(span: Interval): { top: string; height: string }
}

/** Returns the place of a span from top to bottom, in percent of what is shown. */
export function positionIn(shown: Interval, { start, end }: Interval): { top: string; height: string } {
  const percent = (ms: number) => `${(ms / (shown.end - shown.start)) * 100}%`
  return { top: percent(start - shown.start), height: percent(end - start) }
}

/** Returns the shown part of a day: full hours around all entries and the usual hours. */
export function shownHours(window: Interval, parts: readonly Interval[]): Interval {
  const first = Math.min(window.start + USUAL.fromMs, ...parts.map(({ start }) => start))
  const last = Math.max(window.start + USUAL.toMs, ...parts.map(({ end }) => end))
  const hours = (ms: number) => (ms - window.start) / HOUR_MS
  return {
    start: Math.max(window.start, window.start + Math.floor(hours(first)) * HOUR_MS),
    end: Math.min(window.end, window.start + Math.ceil(hours(last)) * HOUR_MS),
  }
}

/** True if the shown part of a day has the current time. */
export function showsNow({ date, today }: Pick<Day, 'date' | 'today'>, shown: Interval, nowMs: EpochMs): boolean {
  return date === today && nowMs >= shown.start && nowMs <= shown.end
}

/** The full hours of what is shown, the first and the last included. */
export function hourMarks({ start, end }: Interval): EpochMs[] {
  return Array.from({ length: Math.floor((end - start) / HOUR_MS) + 1 }, (_, index) => start + index * HOUR_MS)
}

export function snap(ms: EpochMs): EpochMs {
  return Math.round(ms / STEP_MS) * STEP_MS
}

/** The dragged part of an entry: the whole, or one of its ends. */
export type Grip = 'move' | 'start' | 'end'

/**
 * Returns the grip by which an entry can be dragged where `wanted` is asked for. A running entry has no end, and like
 * one that lies partly on another day, it is not moved as a whole.
 */
export function gripFor(wanted: Grip, part: PartInDay, isRunning: boolean): Grip | undefined {
  if (wanted === 'start') return wanted
  const isCut = wanted === 'move' && (part.beginsBefore || part.endsAfter)
  return isRunning || isCut ? undefined : wanted
}

/** Returns an entry's time after a drag by `deltaMs`: snapped, at least one step long, within `bounds`. */
export function dragged(span: Interval, grip: Grip, deltaMs: number, bounds: Interval): Interval {
  const { start, end } = span
  switch (grip) {
    case 'start':
      return { start: within(snap(start + deltaMs), bounds.start, end - STEP_MS), end }
    case 'end':
      return { start, end: within(snap(end + deltaMs), start + STEP_MS, bounds.end) }
    case 'move': {
      const length = end - start
      const moved = within(snap(start + deltaMs), bounds.start, Math.max(bounds.start, bounds.end - length))
      return { start: moved, end: moved + length }
    }
  }
}

/** The span between where a drag began and where it is; by a tap, half an hour. */
export function drawn(fromMs: EpochMs, toMs: EpochMs, bounds: Interval): Interval {
  const [start, end] = [snap(Math.min(fromMs, toMs)), snap(Math.max(fromMs, toMs))]
  const length = end - start < STEP_MS ? TAPPED_MS : end - start
  const first = within(start, bounds.start, bounds.end - length)
  return { start: first, end: first + length }
}

function within(ms: number, least: number, most: number): number {
  return Math.max(least, Math.min(ms, most))
}

/** Where a block lies across the time line. */
export interface Lane {
  index: number
  count: number
}

/** Returns the place of a block from left to right, with a gap on its right. */
export function placeAcross({ index, count }: Lane): { left: string; width: string } {
  return { left: `${(index / count) * 100}%`, width: `calc(${100 / count}% - 2px)` }
}

/** Returns how much text a block has room for. */
export function blockSize({ start, end }: Interval): 'tiny' | 'small' | 'full' {
  const minutes = (end - start) / MINUTE_MS
  return minutes < 25 ? 'tiny' : minutes < 50 ? 'small' : 'full'
}

/** Returns the times in a block: those of the move, or of the whole entry if it goes beyond the day. */
export function shownTimes({ beginsBefore, endsAfter, whole }: PartInDay, moved: Interval): Interval {
  return beginsBefore || endsAfter ? whole : moved
}

/** Side by side what overlaps: a lane for each span, as few as there is room for. */
export function lanesOf(spans: readonly Interval[]): Lane[] {
  const order = spans.map((_, index) => index).sort((a, b) => spanAt(spans, a).start - spanAt(spans, b).start)
  const lanes: Lane[] = spans.map(() => ({ index: 0, count: 1 }))
  let group: number[] = []
  let ends: EpochMs[] = []
  const finish = () => {
    for (const member of group) (lanes[member] as Lane).count = ends.length
    group = []
    ends = []
  }
  for (const at of order) {
    const { start, end } = spanAt(spans, at)
    if (ends.every((laneEnd) => laneEnd <= start)) finish()
    const free = ends.findIndex((laneEnd) => laneEnd <= start)
    const lane = free < 0 ? ends.length : free
    ends[lane] = Math.max(end, start + STEP_MS)
    ;(lanes[at] as Lane).index = lane
    group.push(at)
  }
  finish()
  return lanes
}

const spanAt = (spans: readonly Interval[], index: number) => spans[index] as Interval
