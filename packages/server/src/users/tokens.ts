import {
  epochMs,
  type Instant,
  instantOf,
  MINUTE_MS,
  type TokenRow,
  type TokenScope,
  type UserNumber,
} from '@saldo/core'
import type { AuthOptions } from './auth-options.ts'
import { ignoreUnavailable, newSecret, secretKeyOf } from './secret.ts'

/** Makes a bearer token recognisable where it should not be, such as in a public repository. */
const TOKEN_PREFIX = 'saldo_'
/** The use of a token is noted once in this time, because a request must cost no write. */
const USE_STEP_MS = 15 * MINUTE_MS

type Options = Pick<AuthOptions, 'users' | 'clock' | 'random'>

/** Bearer tokens of programs. The database holds their hashes. */
export class Tokens {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Creates a bearer token; without an instant, it never expires. Only its hash is stored, so its secret cannot be
   * shown again.
   */
  async create(
    user: UserNumber,
    name: string,
    { scope = 'full', expires_at = null }: { scope?: TokenScope; expires_at?: Instant | null } = {},
  ): Promise<{ token: TokenRow; secret: string }> {
    const { users, random } = this.#options
    const id = random.uuid()
    const { secret, key } = newSecret(random, TOKEN_PREFIX, user)
    const token = { id, name, created_at: this.#now(), last_used_at: null, scope, expires_at }
    await users.addToken(key, token)
    return { token, secret }
  }

  /** Returns the token of an `Authorization` header, and notes its use; `undefined` if there is none. */
  async current(authorization: string): Promise<{ user: UserNumber; id: string; scope: TokenScope } | undefined> {
    const { users, clock } = this.#options
    const secret = /^Bearer ([\w-]+)$/i.exec(authorization)?.[1]
    const key = secret === undefined ? undefined : secretKeyOf(TOKEN_PREFIX, secret)
    const token = key && (await users.findToken(key, this.#now()))
    if (!token) return undefined
    const { user, id, scope, lastUsedAt } = token
    const unnotedMs = lastUsedAt === null ? Infinity : Math.abs(clock.now() - epochMs(lastUsedAt))
    if (unnotedMs >= USE_STEP_MS) await users.noteUse(user, id, this.#now()).catch(ignoreUnavailable)
    return { user, id, scope }
  }

  #now() {
    return instantOf(this.#options.clock.now())
  }
}
