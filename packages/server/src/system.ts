import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock, Random } from '@saldo/core'

/** The computer's clock. */
export const systemClock: Clock = { now: () => Date.now() }

/** Cryptographic randomness from the operating system. */
export const systemRandom: Random = {
  uuid: () => randomUUID(),
  token: (bytes) => randomBytes(bytes).toString('base64url'),
}

/** Gives a Node that has no `Temporal` yet (before 26) a kept polyfill of it. */
export async function ensureTemporal(): Promise<void> {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
}
