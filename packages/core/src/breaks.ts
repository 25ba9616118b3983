import { type DisjointIntervals, gapsBetween, type Interval, totalLength } from './interval.ts'
import type { Settings } from './settings.ts'
import { type DurationMs, HOUR_MS } from './values.ts'

/** Work that follows within this time belongs to the same shift, for which the laws have no number. */
export const SHIFT_GAP_MS: DurationMs = 4 * HOUR_MS

/** The break policy of a settings row. */
export type BreakPolicy = NonNullable<Settings['break_policy']>

/** Returns the break that a policy requires for `workedMs` of work: the longest of all rules that apply. */
export function requiredBreak(policy: BreakPolicy, workedMs: DurationMs): DurationMs {
  return policy.rules.reduce(
    (longestMs, rule) => (workedMs > rule.worked_above_ms ? Math.max(longestMs, rule.required_ms) : longestMs),
    0,
  )
}

/**
 * Returns the break taken: the gaps in a day's work, recorded as breaks or not, that are long enough to count (D3.9),
 * and recorded breaks without a gap from the start of the day to its first work or from its last work to its end
 * (D3.54). `breaks` are the recorded ones within `window`, the day.
 */
export function takenBreak(
  policy: BreakPolicy,
  worked: DisjointIntervals,
  breaks: DisjointIntervals,
  window: Interval,
): DurationMs {
  const gaps = gapsBetween(worked).filter(({ start, end }) => end - start >= policy.min_piece_ms)
  const [firstStart, lastEnd] = [worked[0]?.start, worked.at(-1)?.end]
  const overMidnight = breaks.filter(
    ({ start, end }) => (start === window.start && end === firstStart) || (start === lastEnd && end === window.end),
  )
  return totalLength([...gaps, ...overMidnight])
}

/** Returns the breaks between the pieces of a day's work, recorded or not: gaps that are no rest (D13.8). */
export function breaksBetween(worked: DisjointIntervals): DurationMs {
  return totalLength(gapsBetween(worked).filter(({ start, end }) => end - start <= SHIFT_GAP_MS))
}

/**
 * Returns the break to deduct from a day by its policy (D3.7). `worked` and `breaks` are its work and its breaks
 * within `window`, the day.
 */
export function deductedBreakOf(
  policy: BreakPolicy | null,
  worked: DisjointIntervals,
  breaks: DisjointIntervals,
  window: Interval,
): DurationMs {
  return policy ? deductedBreak(policy, totalLength(worked), takenBreak(policy, worked, breaks, window)) : 0
}

/**
 * Returns the break to deduct where `takenMs` was taken: min{ d ≥ 0 : taken + d ≥ required(worked − d) } (D3.7). A
 * deduction may bring the work below the threshold of a rule, which then requires nothing: there is no cliff.
 */
export function deductedBreak(policy: BreakPolicy, workedMs: DurationMs, takenMs: DurationMs): DurationMs {
  // `required` is a step function of the remaining work, so the smallest d either completes the break of one rule or
  // brings the work down to a threshold.
  const thresholds = policy.rules.map((rule) => rule.worked_above_ms).filter((aboveMs) => aboveMs < workedMs)
  const missing = policy.rules.map((rule) => rule.required_ms - takenMs)
  const candidates = [0, ...missing, ...thresholds.map((aboveMs) => workedMs - aboveMs)]
  return Math.min(...candidates.filter((d) => d >= 0 && takenMs + d >= requiredBreak(policy, workedMs - d)))
}
