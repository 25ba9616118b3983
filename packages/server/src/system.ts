import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock, Random } from '@saldo/core'

/** The computer's clock. */
export const systemClock: Clock = { now: () => Date.now() }

/** Cryptographic randomness from the operating system. */
export const systemRandom: Random = {
  uuid: () => randomUUID(),
  token: (bytes) => randomBytes(bytes).toString('base64url'),
}
