import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'
import type { PasswordHashing } from '../src/users/password-hashing.ts'

/** scrypt at its lowest cost: tests that are not about the hash sign in a thousand times, at 100 ms each otherwise. */
export const quickHashing: PasswordHashing = {
  hash: async (password) => hashWith(randomBytes(16), password),
  async isRight(password, hash) {
    const again = hashWith(Buffer.from(hash.split(':')[0] ?? '', 'hex'), password)
    return again.length === hash.length && timingSafeEqual(Buffer.from(again), Buffer.from(hash))
  },
}

function hashWith(salt: Buffer, password: string): string {
  return `${salt.toString('hex')}:${scryptSync(password, salt, 64, { N: 2 }).toString('hex')}`
}
