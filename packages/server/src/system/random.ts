import { randomBytes, randomUUID } from 'node:crypto'
import type { Random } from '@saldo/core'

/** Cryptographic randomness from the operating system. */
export const systemRandom: Random = {
  uuid: () => randomUUID(),
  token: (bytes) => randomBytes(bytes).toString('base64url'),
}
