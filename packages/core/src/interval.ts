import type { DurationMs, EpochMs } from './values.ts'

/** A half-open stretch of time, from `start` up to but without `end`; empty where `end ≤ start`. */
export interface Interval {
  start: EpochMs
  end: EpochMs
}

/** Intervals that are not empty, do not touch, and stand in time order. */
export type DisjointIntervals = readonly Interval[]

/** The time that any of the intervals covers. */
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

/** The time that `from` covers and `taken` does not. */
export function difference(from: DisjointIntervals, taken: DisjointIntervals): DisjointIntervals {
  const left: Interval[] = []
  let next = 0
  for (const { start, end } of from) {
    let at = start
    while (next < taken.length && (taken[next] as Interval).end <= start) next += 1
    for (let index = next; index < taken.length; index += 1) {
      const cut = taken[index] as Interval
      if (cut.start >= end) break
      if (cut.start > at) left.push({ start: at, end: cut.start })
      at = Math.max(at, cut.end)
    }
    if (at < end) left.push({ start: at, end })
  }
  return left
}

/** The part of `interval` inside `window`; empty where they do not meet. */
export function clip(interval: Interval, window: Interval): Interval {
  return { start: Math.max(interval.start, window.start), end: Math.min(interval.end, window.end) }
}

/** The holes between disjoint intervals: what lies after the first and before the last, uncovered. */
export function holes(intervals: DisjointIntervals): DisjointIntervals {
  return intervals.slice(1).map(({ start }, index) => ({ start: (intervals[index] as Interval).end, end: start }))
}

/** Summed length in milliseconds. */
export function totalLength(intervals: DisjointIntervals): DurationMs {
  return intervals.reduce((sum, { start, end }) => sum + (end - start), 0)
}
