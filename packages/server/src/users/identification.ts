import type { IncomingHttpHeaders } from 'node:http'
import type { Clock, TokenScope, UserNumber } from '@saldo/core'
import type { UserStore } from '../store/users/users.ts'
import type { AuthOptions } from './auth-options.ts'
import type { Tokens } from './tokens.ts'
import { sessionLimits, type WebSessions } from './web-sessions.ts'

/** The user of a request, and the session or token that identifies them. A token cannot manage the account. */
export interface Identity {
  user: UserNumber
  by: { kind: 'session'; id: number } | { kind: 'token'; id: string; scope: TokenScope }
  setCookies: string[]
}

/** Names the session or the token of a request. */
export function nameOfKey({ kind, id }: Identity['by']): string {
  return `${kind} ${id}`
}

/** Tells who makes a request, by its bearer token or its session cookie. */
export class Identification {
  readonly #users: UserStore
  readonly #clock: Clock
  readonly #sessions: WebSessions
  readonly #tokens: Tokens

  constructor({ users, clock }: Pick<AuthOptions, 'users' | 'clock'>, sessions: WebSessions, tokens: Tokens) {
    this.#users = users
    this.#clock = clock
    this.#sessions = sessions
    this.#tokens = tokens
  }

  /** Returns who makes a request; `undefined` for nobody. A token counts before a cookie. */
  async identify({ authorization, cookie }: IncomingHttpHeaders): Promise<Identity | undefined> {
    if (authorization !== undefined) {
      const token = await this.#tokens.current(authorization)
      return token && { user: token.user, by: { kind: 'token', id: token.id, scope: token.scope }, setCookies: [] }
    }
    const session = cookie === undefined ? undefined : await this.#sessions.current(cookie)
    return session && { user: session.user, by: { kind: 'session', id: session.id }, setCookies: session.setCookies }
  }

  /** Returns those of these identities whose session or token is still valid. */
  async stillValid(identities: readonly Identity[]): Promise<Identity[]> {
    const keys = identities.map(({ user, by }) => ({ user, id: by.id }))
    const validIds = new Set(await this.#users.validIds(keys, sessionLimits(this.#clock.now())))
    return identities.filter(({ by }) => validIds.has(by.id))
  }
}
