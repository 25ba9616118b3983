import type { Clock, Random } from '@saldo/core'
import type { ProviderSettings } from '../env.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { SqlDriver } from '../store/sql.ts'
import type { UserStore } from '../store/users/users.ts'
import type { PasswordHashing } from './password-hashing.ts'

export interface AuthOptions {
  driver: SqlDriver
  users: UserStore
  clock: Clock
  random: Random
  /** Seals the keys of authenticator apps and the secrets of webhooks: at least 32 random characters. */
  secret: string
  /** The origin where browsers reach the service, if known. With `https:`, cookies are `Secure`. */
  publicUrl: string | undefined
  /** OpenID providers at which people sign in; none by default. */
  providers?: readonly ProviderSettings[]
  /** True if people sign in at their company alone, so that nobody needs a password. */
  oidcOnly?: boolean
  /** Sends links and notices; without one, admins pass links on by themselves. */
  mailer?: Mailer | undefined
  /** scrypt by default. */
  hashing?: PasswordHashing | undefined
}
