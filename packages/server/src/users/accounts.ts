import type { LinkTarget, UserNumber } from '@saldo/core'
import { type AccountLink, type AccountRow, DAY_MS, folded, hasWords, instantOf, wordsOf } from '@saldo/core'
import { AccountStore } from '../store/users/accounts.ts'
import type { AddUserOutcome } from '../store/users/users.ts'
import type { AuthOptions } from './auth-options.ts'
import { type PasswordHashing, scryptHashing } from './password-hashing.ts'
import { hashSecret } from './secret.ts'
import { sessionLimits } from './web-sessions.ts'

/** An invitation waits in a mailbox over a holiday; a reset is asked for by somebody who waits for it (D19.8). */
const LINK_MS = { invitation: 14 * DAY_MS, reset: DAY_MS }
const SECRET_BYTES = 32
/** An erased account can be kept for this time (D19.11). */
const GRACE_MS = 14 * DAY_MS

/** The page of the app that a link leads to. The secret stands behind `#`, so that no server logs it. */
const LINK_PATH = '/link'

export interface AccountPage {
  items: AccountRow[]
  /** All accounts that the words find. */
  count: number
}

/** Accounts of a company: invitations, resets, deactivation, and erasure after a time of grace. */
export class Accounts {
  readonly store: AccountStore
  readonly #options: AuthOptions
  readonly #hashing: PasswordHashing

  constructor(options: AuthOptions) {
    this.#options = options
    this.#hashing = options.hashing ?? scryptHashing
    this.store = new AccountStore(options.driver)
  }

  /** Returns a page of the accounts whose name or address has all words, in the order of addresses. */
  async find(words: string, { offset, limit }: { offset: number; limit: number }): Promise<AccountPage> {
    const names = await this.store.names()
    const found = names.filter(({ email, name }) => hasWords(folded(`${name} ${email}`), wordsOf(words)))
    const ids = found.slice(offset, offset + limit).map(({ id }) => id)
    return { items: await this.store.rows(ids, this.#limits()), count: found.length }
  }

  /** Returns all accounts, in the order of addresses. */
  async all(): Promise<AccountRow[]> {
    return (await this.find('', { offset: 0, limit: Number.MAX_SAFE_INTEGER })).items
  }

  async byId(user: UserNumber): Promise<AccountRow | undefined> {
    return (await this.store.rows([user], this.#limits()))[0]
  }

  /** Adds a user who sets a password by a link. Throws nothing for an address that is taken, and adds nobody. */
  invite(email: string, name: string): Promise<AddUserOutcome> {
    return this.#options.users.add({ email: email.toLowerCase(), name, passwordHash: null, at: this.#now() })
  }

  /** Creates a link with which a user sets a password, in place of an earlier one; `undefined` if they cannot. */
  async createLink(user: UserNumber): Promise<AccountLink | undefined> {
    const hasPassword = (await this.#options.users.passwordHash(user)) !== undefined
    const secret = this.#options.random.token(SECRET_BYTES)
    const lifeMs = LINK_MS[hasPassword ? 'reset' : 'invitation']
    const expires_at = instantOf(this.#options.clock.now() + lifeMs)
    if (!(await this.store.putLink(user, hashSecret(secret), expires_at))) return undefined
    return { path: `${LINK_PATH}#${secret}`, expires_at }
  }

  /** Returns the account that a link opens; `undefined` if it has expired or is used already. */
  async openLink(secret: string): Promise<LinkTarget | undefined> {
    const found = await this.store.linkByHash(hashSecret(secret))
    if (!found || found.expiresAt <= this.#now()) return undefined
    const { email, name, hasPassword } = found
    return { purpose: hasPassword ? 'reset' : 'invitation', email, name }
  }

  /** Sets a password by a link, which is used up. The second factor stays in force. False if the link is not valid. */
  async useLink(secret: string, password: string): Promise<boolean> {
    return this.store.useLink(hashSecret(secret), await this.#hashing.hash(password), this.#now())
  }

  deactivate(user: UserNumber): ReturnType<AccountStore['deactivate']> {
    return this.store.deactivate(user, this.#now(), null)
  }

  /** Deactivates a user, who is erased after the time of grace. */
  scheduleErasure(user: UserNumber): ReturnType<AccountStore['deactivate']> {
    return this.store.deactivate(user, this.#now(), instantOf(this.#options.clock.now() + GRACE_MS))
  }

  /** Erases the users whose time of grace has ended, and returns their number. */
  async eraseDue(): Promise<number> {
    const now = this.#now()
    let erased = 0
    for (const user of await this.store.due(now)) erased += Number(await this.store.erase(user, now))
    return erased
  }

  #now() {
    return instantOf(this.#options.clock.now())
  }

  #limits() {
    return sessionLimits(this.#options.clock.now())
  }
}
