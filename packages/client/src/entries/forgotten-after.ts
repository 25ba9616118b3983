import { type DurationMs, HOUR_MS } from '@saldo/core'

/** The time after which a timer counts as forgotten unless the user prefers another one. */
export const FORGOTTEN_AFTER_MS: DurationMs = 12 * HOUR_MS
