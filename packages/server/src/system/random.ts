import { randomBytes, randomUUID } from 'node:crypto'
import type { Random } from '@saldo/core'

/** The computer's cryptographic chance. */
export const systemRandom: Random = {
  uuid: () => randomUUID(),
  token: (bytes) => randomBytes(bytes).toString('base64url'),
}
