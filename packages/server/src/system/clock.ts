import type { Clock } from '@saldo/core'

/** The computer's clock. */
export const systemClock: Clock = { now: () => Date.now() }
