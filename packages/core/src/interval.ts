import { itemAt } from './list.ts'
import type { DurationMs, EpochMs } from './values.ts'

/** A half-open interval of time, from `start` up to but without `end`; empty if `end ≤ start`. */
export interface Interval {
  start: EpochMs
  end: EpochMs
}

/** Intervals in time order that are not empty and neither overlap nor touch. */
export type DisjointIntervals = readonly Interval[]

/** Returns the time that any of the intervals covers. */
export function union(intervals: readonly Interval[]): DisjointIntervals {
  const sorted = intervals.filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start)
  const merged: Interval[] = []
  for (const { start, end } of sorted) {
    const last = merged.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else merged.push({ start, end })
  }
  return merged
}

/** Returns the time that `intervals` cover and `removed` do not. */
export function difference(intervals: DisjointIntervals, removed: DisjointIntervals): DisjointIntervals {
  const left: Interval[] = []
  for (const interval of intervals) {
    let at = interval.start
    for (const cut of within(removed, interval)) {
      if (cut.start > at) left.push({ start: at, end: cut.start })
      at = cut.end
    }
    if (at < interval.end) left.push({ start: at, end: interval.end })
  }
  return left
}

/** Returns the parts of intervals inside another interval. */
export function within(intervals: DisjointIntervals, bounds: Interval): DisjointIntervals {
  const inside: Interval[] = []
  for (let index = firstEndingAfter(intervals, bounds.start); index < intervals.length; index += 1) {
    const clipped = clip(itemAt(intervals, index), bounds)
    if (clipped.start >= clipped.end) break
    inside.push(clipped)
  }
  return inside
}

/**
 * Returns a function that returns the length of the parts of intervals inside a window. It takes the same time for any
 * window, also for one with all of them inside.
 */
export function lengthWithin(intervals: DisjointIntervals): (window: Interval) => DurationMs {
  let lengthMs = 0
  const lengthsBefore = intervals.map(({ start, end }) => {
    lengthMs += end - start
    return lengthMs - (end - start)
  })
  const lengthUpTo = (at: EpochMs) => {
    const index = firstEndingAfter(intervals, at)
    const last = intervals[index]
    return last ? (lengthsBefore[index] ?? 0) + Math.max(0, at - last.start) : lengthMs
  }
  return ({ start, end }) => (end > start ? lengthUpTo(end) - lengthUpTo(start) : 0)
}

/** Returns the index of the first interval that ends after an instant, by halves: years of work are cut day by day. */
function firstEndingAfter(intervals: DisjointIntervals, at: EpochMs): number {
  let [low, high] = [0, intervals.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (itemAt(intervals, middle).end > at) high = middle
    else low = middle + 1
  }
  return low
}

/** Returns the part of `interval` inside `bounds`; empty if they do not overlap. */
export function clip(interval: Interval, bounds: Interval): Interval {
  return { start: Math.max(interval.start, bounds.start), end: Math.min(interval.end, bounds.end) }
}

/** Returns the gaps between disjoint intervals: the uncovered time after the first and before the last. */
export function gapsBetween(intervals: DisjointIntervals): DisjointIntervals {
  return intervals.slice(1).map(({ start }, index) => ({ start: itemAt(intervals, index).end, end: start }))
}

/** Returns the sum of the lengths of disjoint intervals. */
export function totalLength(intervals: DisjointIntervals): DurationMs {
  return intervals.reduce((sum, { start, end }) => sum + (end - start), 0)
}
