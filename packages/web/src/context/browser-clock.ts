import type { Clock } from '@saldo/core'

/** The browser's clock: the only one that the app reads. */
export const browserClock: Clock = { now: () => Date.now() }
