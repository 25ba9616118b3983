import type { IncomingHttpHeaders } from 'node:http'
import { DAY_MS, type EpochMs, epochMs, instantOf, type UserNumber } from '@saldo/core'
import type { SessionLimits } from '../store/users/users.ts'
import type { AuthOptions } from './auth-options.ts'
import { Cookies } from './cookies.ts'
import { ignoreUnavailable, newSecret, secretKeyOf } from './secret.ts'

/** An unused session expires after this time. */
const IDLE_MS = 60 * DAY_MS
/** Using a session extends it once in this time, because a request must cost no write. */
const EXTEND_EVERY_MS = DAY_MS
/** A session ends after this time, however much it is used. */
const MAX_MS = 366 * DAY_MS
/** The most characters of a browser's name that a session keeps: a client can send 16 KiB at each sign-in (D8.45). */
const MAX_USER_AGENT = 300
const COOKIE = 'saldo.session_token'

/** Returns what tells a session that is valid at a time: it expires after `now` and began at `begunSince` or later. */
export function sessionLimits(nowMs: EpochMs): SessionLimits {
  return { now: instantOf(nowMs), begunSince: instantOf(nowMs - MAX_MS) }
}

/** A session, and the cookies that the response must set. */
export interface WebSession {
  user: UserNumber
  id: number
  setCookies: string[]
}

/** The sessions of browsers. A cookie holds the secret of a session, and the database its hash. */
export class WebSessions {
  readonly #options: Pick<AuthOptions, 'users' | 'clock' | 'random' | 'publicUrl'>
  readonly #cookies: Cookies

  constructor(options: Pick<AuthOptions, 'users' | 'clock' | 'random' | 'publicUrl'>) {
    this.#options = options
    this.#cookies = new Cookies(options.publicUrl)
  }

  /**
   * Begins a session of a user who proved their identity, if at a provider, with the address where its own session is
   * ended. Throws `UnknownUserError` if the user was deleted since.
   */
  async begin(user: UserNumber, headers: IncomingHttpHeaders, providerSignOutUrl?: string): Promise<WebSession> {
    const { users, clock, random } = this.#options
    const { secret, key } = newSecret(random, '', user)
    const nowMs = clock.now()
    const userAgent = headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null
    const times = { at: instantOf(nowMs), expiresAt: instantOf(nowMs + IDLE_MS) }
    const id = await users.addSession(key, { userAgent, providerSignOutUrl, ...times })
    return { user, id, setCookies: [this.#cookies.set(COOKIE, secret, IDLE_MS)] }
  }

  /** Returns the session of a `Cookie` header, extended if that is due; `undefined` if there is none. */
  async current(cookies: string): Promise<WebSession | undefined> {
    const { users, clock } = this.#options
    const secret = this.#cookies.read(cookies, COOKIE)
    const key = secret === undefined ? undefined : secretKeyOf('', secret)
    const session = key && (await users.findSession(key))
    if (secret === undefined || !session) return undefined
    const { user, id } = session
    const nowMs = clock.now()
    const { now, begunSince } = sessionLimits(nowMs)
    if (session.expiresAt <= now || session.createdAt < begunSince) return undefined
    const leftMs = epochMs(session.expiresAt) - nowMs
    if (leftMs > IDLE_MS - EXTEND_EVERY_MS) return { user, id, setCookies: [] }
    const times = { at: instantOf(nowMs), expiresAt: instantOf(nowMs + IDLE_MS) }
    await users.extendSession(user, id, times).catch(ignoreUnavailable)
    return { user, id, setCookies: [this.#cookies.set(COOKIE, secret, IDLE_MS)] }
  }

  /** Returns the cookies that remove the session of a request from the browser. */
  forget(): string[] {
    return [this.#cookies.set(COOKIE, '', 0)]
  }
}
