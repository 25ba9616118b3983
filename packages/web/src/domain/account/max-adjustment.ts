import { HOUR_MS } from '@saldo/core'

/** The largest adjustment of the balance that can be typed, in either direction. */
export const MAX_ADJUSTMENT_MS = 100_000 * HOUR_MS
