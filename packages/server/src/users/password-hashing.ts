import { hashPassword, verifyPassword } from '@better-auth/utils/password'

/** Hashes passwords, and checks passwords against hashes of its own. */
export interface PasswordHashing {
  hash(password: string): Promise<string>
  isRight(password: string, hash: string): Promise<boolean>
}

/** The service's own: scrypt with N 2^14, r 16, p 1, which takes 100 ms of a processor. */
export const scryptHashing: PasswordHashing = {
  hash: hashPassword,
  isRight: (password, hash) => verifyPassword(hash, password),
}
