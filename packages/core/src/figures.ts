import type { DurationMs } from './values.ts'

/** Returns the sum of the deltas of days, weeks or adjustments; of closed weeks and adjustments, it is the balance. */
export function sumOfDeltas(rows: Iterable<{ delta_ms: DurationMs }>): DurationMs {
  let sumMs = 0
  for (const { delta_ms } of rows) sumMs += delta_ms
  return sumMs
}

/** Returns the net work of a day or week: the worked time without the deducted break. */
export function netWorkMs({
  worked_ms,
  deducted_break_ms,
}: Readonly<Record<'worked_ms' | 'deducted_break_ms', DurationMs>>): DurationMs {
  return worked_ms - deducted_break_ms
}
