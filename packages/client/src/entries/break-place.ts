import { type DurationMs, type EpochMs, type Interval, MINUTE_MS } from '@saldo/core'

const STEP_MS = 5 * MINUTE_MS

/** Returns where a break lies inside work: at noon, else in the middle; `undefined` if it does not fit. */
export function breakPlace({ start, end }: Interval, lengthMs: DurationMs, noon: EpochMs): Interval | undefined {
  const freeMs = end - start - lengthMs
  const isNoonInside = noon > start && noon + lengthMs < end
  const from = isNoonInside ? noon : start + Math.max(MINUTE_MS, Math.floor(freeMs / 2 / STEP_MS) * STEP_MS)
  return from + lengthMs < end ? { start: from, end: from + lengthMs } : undefined
}
