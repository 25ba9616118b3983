import { randomBytes, randomUUID } from 'node:crypto'
import type { Random } from '@saldo/core'

/** Bytes are asked for many at a time: asking takes 10 µs, and each write needs eight. */
const POOL_BYTES = 4_096
let pool = Buffer.alloc(0)

/** Random bytes that nobody else has had. */
function take(count: number): Buffer {
  if (pool.byteLength < count) pool = randomBytes(Math.max(count, POOL_BYTES))
  const taken = pool.subarray(0, count)
  pool = pool.subarray(count)
  return taken
}

/** The computer's cryptographic chance. */
export const systemRandom: Random = {
  uuid: () => randomUUID(),
  token(bytes) {
    const taken = take(bytes)
    const text = taken.toString('base64url')
    taken.fill(0)
    return text
  },
}
