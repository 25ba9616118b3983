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
  let first = 0
  for (const { start, end } of intervals) {
    let at = start
    first = firstEndingAfter(removed, start, first)
    for (let index = first; index < removed.length; index += 1) {
      const cut = removed[index] as Interval
      if (cut.start >= end) break
      if (cut.start > at) left.push({ start: at, end: cut.start })
      at = Math.max(at, cut.end)
    }
    if (at < end) left.push({ start: at, end })
  }
  return left
}

/**
 * Returns the index, `from` or later, of the first interval that ends after an instant. A search by halves keeps the
 * difference of many short lists and one long list quick.
 */
function firstEndingAfter(intervals: DisjointIntervals, at: EpochMs, from: number): number {
  if (from >= intervals.length || (intervals[from] as Interval).end > at) return from
  let [low, high] = [from + 1, intervals.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((intervals[middle] as Interval).end > at) high = middle
    else low = middle + 1
  }
  return low
}

/** Returns the part of `interval` inside `window`; empty if they do not overlap. */
export function clip(interval: Interval, window: Interval): Interval {
  return { start: Math.max(interval.start, window.start), end: Math.min(interval.end, window.end) }
}

/** Returns a function that clips intervals to windows, which it must be given in time order. */
export function clipper(intervals: DisjointIntervals): (window: Interval) => DisjointIntervals {
  let first = 0
  return (window) => {
    const inside: Interval[] = []
    while (first < intervals.length && (intervals[first] as Interval).end <= window.start) first += 1
    for (let index = first; index < intervals.length; index += 1) {
      const clipped = clip(intervals[index] as Interval, window)
      if (clipped.start >= clipped.end) break
      inside.push(clipped)
    }
    return inside
  }
}

/** Returns the gaps between disjoint intervals: the uncovered time after the first and before the last. */
export function gapsBetween(intervals: DisjointIntervals): DisjointIntervals {
  return intervals.slice(1).map(({ start }, index) => ({ start: (intervals[index] as Interval).end, end: start }))
}

export function totalLength(intervals: DisjointIntervals): DurationMs {
  return intervals.reduce((sum, { start, end }) => sum + (end - start), 0)
}
