import { type DisjointIntervals, holes, totalLength } from './interval.ts'
import type { Settings } from './record.ts'
import type { DurationMs } from './values.ts'

export type BreakPolicy = NonNullable<Settings['break_policy']>

/** The break that a policy wants for `workedMs` of work: the most that any rule below it asks. Milliseconds. */
export function requiredBreak(policy: BreakPolicy, workedMs: DurationMs): DurationMs {
  return policy.rules.reduce(
    (most, rule) => (workedMs > rule.worked_above_ms ? Math.max(most, rule.required_ms) : most),
    0,
  )
}

/** The break taken: the holes in a day's work, be they recorded breaks or gaps, that are long enough to count. */
export function takenBreak(policy: BreakPolicy, worked: DisjointIntervals): DurationMs {
  return totalLength(holes(worked).filter(({ start, end }) => end - start >= policy.min_piece_ms))
}

/**
 * The break to deduct from `workedMs`, where `takenMs` was taken: min{ d ≥ 0 : taken + d ≥ required(worked − d) } (D3).
 * Deducting may bring the work below a rule's threshold, where that rule asks no more: there is no cliff.
 */
export function deductedBreak(policy: BreakPolicy, workedMs: DurationMs, takenMs: DurationMs): DurationMs {
  // `required` is a step function of what is left, so the least d is either what one of its steps lacks,
  // or just what brings the work down to a threshold.
  const thresholds = policy.rules.map((rule) => rule.worked_above_ms).filter((above) => above < workedMs)
  const lacking = policy.rules.map((rule) => rule.required_ms - takenMs)
  const candidates = [0, ...lacking, ...thresholds.map((above) => workedMs - above)]
  return Math.min(...candidates.filter((d) => d >= 0 && takenMs + d >= requiredBreak(policy, workedMs - d)))
}
