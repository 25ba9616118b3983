import type { UserNumber } from '@saldo/core'
import type { PasswordChange, UserStore } from '../store/users/users.ts'
import type { AuthOptions } from './auth-options.ts'
import { type PasswordHashing, scryptHashing } from './password-hashing.ts'

const NOBODY = 0 as UserNumber

/** The passwords of users. The database holds their hashes. */
export class Passwords {
  readonly #users: UserStore
  readonly #hashing: PasswordHashing

  constructor({ users, hashing }: Pick<AuthOptions, 'users' | 'hashing'>) {
    this.#users = users
    this.#hashing = hashing ?? scryptHashing
  }

  /** Returns the hash in force if the password is right. It costs the same for a user who does not exist. */
  async prove(user: UserNumber | undefined, password: string): Promise<string | undefined> {
    const hash = await this.#users.passwordHash(user ?? NOBODY)
    if (hash !== undefined) return (await this.#hashing.isRight(password, hash)) ? hash : undefined
    await this.#hashing.hash(password)
    return undefined
  }

  /** Sets a new password, which ends all sessions and revokes all keys unless `keepTokens` is set. */
  async set(user: UserNumber, password: string, change: PasswordChange): Promise<boolean> {
    return this.#users.setPassword(user, { ...change, hash: await this.#hashing.hash(password) })
  }
}
