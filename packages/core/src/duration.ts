/** A length of time or a delta in whole milliseconds, |x| ≤ 2^53 − 1 (D1). */
export type DurationMs = number

export const SECOND_MS: DurationMs = 1_000
export const MINUTE_MS: DurationMs = 60 * SECOND_MS
export const HOUR_MS: DurationMs = 60 * MINUTE_MS
export const DAY_MS: DurationMs = 24 * HOUR_MS
