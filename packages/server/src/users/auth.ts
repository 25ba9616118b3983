import { hash } from 'node:crypto'
import { type Clock, instantOf, type Random } from '@saldo/core'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { betterAuth } from 'better-auth/minimal'
import * as v from 'valibot'
import type { RequestHeaders } from '../http/request-headers.ts'
import { type SqlDriver, UnavailableError } from '../store/sql.ts'
import { UnknownUserError, type UserId } from '../store/store.ts'
import { authTables } from '../store/users/auth-tables.ts'
import type { AddUserOutcome, UserStore } from '../store/users/users.ts'
import { PASSWORD_LENGTH } from './credentials.ts'
import { type CheckOutcome, createPasskeys, type RelyingParty, type SignedChallenge } from './passkeys.ts'
import { createSecondFactor } from './second-factor.ts'

/** How long a session lasts without use, in seconds; use prolongs it, once a day. */
const SESSION_SECONDS = 60 * 24 * 60 * 60
/** How long a session lasts however much it is used, in milliseconds. */
const SESSION_MOST_MS = 366 * 24 * 60 * 60 * 1_000
/** Marks a bearer token, so that it is recognised where it should not be, such as in a public repository. */
const TOKEN_PREFIX = 'saldo_'
const TOKEN_BYTES = 32

/** Who makes a request, and by what. A program's token cannot manage the account. */
export interface Identity {
  user: UserId
  by: { kind: 'session'; id: number } | { kind: 'token'; id: string }
  /** Cookies that the answer has to carry. */
  setCookies: string[]
}

export type SignInOutcome =
  | { outcome: 'signed_in'; user: UserId; setCookies: string[] }
  /** Wrong address or password; or, where these were right, no code of the second factor or a wrong one. */
  | { outcome: 'refused' | 'code_needed' | 'wrong_code' }

export type PasskeySignInOutcome =
  | Extract<SignInOutcome, { outcome: 'signed_in' }>
  | Exclude<CheckOutcome, { outcome: 'right' }>

export interface AuthOptions {
  driver: SqlDriver
  users: UserStore
  clock: Clock
  random: Random
  /** Signs session cookies: at least 32 random characters. */
  secret: string
  /** Where the service is reached, when that is known. Behind TLS, cookies are `Secure`. */
  publicUrl: string | undefined
}

/** Passwords and sessions by better-auth, bearer tokens by hash. */
export type Auth = ReturnType<typeof createAuth>

export function createAuth({ driver, users, clock, random, secret, publicUrl }: AuthOptions) {
  const auth = betterAuth({
    secret,
    baseURL: publicUrl ?? 'http://localhost',
    database: authTables(driver),
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
    },
    session: {
      expiresIn: SESSION_SECONDS,
      modelName: 'sessions',
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    user: {
      modelName: 'users',
      fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    account: {
      modelName: 'credentials',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        createdAt: 'created_at',
        updatedAt: 'updated_at',
      },
    },
    verification: {
      modelName: 'verifications',
      fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    },
    advanced: {
      database: { generateId: 'serial' },
      cookiePrefix: 'saldo',
      // Browsers let no other host, and nothing without TLS, set a cookie of that name.
      ...(publicUrl?.startsWith('https:') && {
        cookies: { session_token: { name: '__Host-saldo.session_token' } },
        defaultCookieAttributes: { secure: true },
      }),
      useSecureCookies: false,
      ipAddress: { disableIpTracking: true },
    },
    telemetry: { enabled: false },
    // What goes wrong reaches the request's own error handling and log.
    logger: { disabled: true },
    plugins: [sessionsWithoutPassword],
  })

  const secondFactor = createSecondFactor({ driver, clock, random, secret })
  const passkeys = createPasskeys({ driver, clock, random, publicUrl })

  return {
    secondFactor,
    passkeys,

    /** Adds a user; see `UserStore.add`. */
    async signUp(email: string, password: string, setupCode?: string): Promise<AddUserOutcome> {
      const passwordHash = await (await auth.$context).password.hash(password)
      return users.add({ email: email.toLowerCase(), passwordHash, at: instantOf(clock.now()), setupCode })
    },

    /**
     * Signs in with a password, and a code where the user has a second factor, and begins a session, which takes the
     * place of the one that the request came with. What was right is looked at again once there is the session: who changes
     * it ends those that there are then.
     */
    async signIn(
      { email, password, code }: { email: string; password: string; code?: string | undefined },
      headers: RequestHeaders,
    ): Promise<SignInOutcome> {
      const passwordHash = await users.passwordHash(email)
      const result = await refusable(
        auth.api.signInEmail({ body: { email, password }, headers: webHeaders(headers), returnHeaders: true }),
      )
      if (!result) return { outcome: 'refused' }
      const user = Number(result.response.user.id)
      const checked = await secondFactor.check(user, code)
      const isStillRight = (await users.passwordHash(email)) === passwordHash
      if (checked !== 'enough' || !isStillRight) {
        await endSession(result.response.token)
        return { outcome: checked === 'enough' ? 'refused' : checked }
      }
      await endOldSessions(user, headers)
      return { outcome: 'signed_in', user, setCookies: result.headers.getSetCookie() }
    },

    /**
     * Signs in with a passkey, and begins a session likewise. No code is asked for: who has the authenticator, and was
     * verified by it, has shown two factors.
     */
    async signInByPasskey(
      party: RelyingParty,
      signed: v.InferOutput<typeof SignedChallenge>,
      headers: RequestHeaders,
    ): Promise<PasskeySignInOutcome> {
      const checked = await passkeys.check(party, signed)
      if (checked.outcome !== 'right') return checked
      const { user } = checked
      const begun = await refusable(
        auth.api.beginSession({ body: { user }, headers: webHeaders(headers), returnHeaders: true }),
      )
      if (!begun) return { outcome: 'wrong_passkey' }
      if (!(await passkeys.isKnown(signed))) {
        await endSession(begun.response.token)
        return { outcome: 'wrong_passkey' }
      }
      await endOldSessions(user, headers)
      return { outcome: 'signed_in', user, setCookies: begun.headers.getSetCookie() }
    },

    /** Ends the session of a request. */
    async signOut(headers: RequestHeaders): Promise<string[]> {
      const result = await refusable(auth.api.signOut({ headers: webHeaders(headers), returnHeaders: true }))
      return result?.headers.getSetCookie() ?? []
    },

    /** Sets a new password and ends all other sessions. False where the current one is wrong. */
    async changePassword(current: string, next: string, headers: RequestHeaders): Promise<string[] | undefined> {
      const body = { currentPassword: current, newPassword: next, revokeOtherSessions: true }
      const result = await refusable(
        auth.api.changePassword({ body, headers: webHeaders(headers), returnHeaders: true }),
      )
      if (!result) return undefined
      // Of who signed in while this was at work, with the password that was right until now.
      const { user, token } = result.response
      const own = token === null ? null : await (await auth.$context).internalAdapter.findSession(token)
      await users.endOtherSessions(Number(user.id), own ? Number(own.session.id) : undefined)
      return result.headers.getSetCookie()
    },

    /** Sets a password in place of one that was forgotten, and ends all sessions. */
    async setPassword(user: UserId, password: string): Promise<void> {
      const { password: passwords, internalAdapter } = await auth.$context
      await internalAdapter.updatePassword(String(user), await passwords.hash(password))
      await users.endOtherSessions(user)
    },

    /** Whether `password` is that of the session's user. */
    async isPassword(password: string, headers: RequestHeaders): Promise<boolean> {
      return (
        (await refusable(auth.api.verifyPassword({ body: { password }, headers: webHeaders(headers) }))) !== undefined
      )
    },

    /** Makes a bearer token; its secret is told once and kept nowhere. */
    async createToken(user: UserId, name: string): Promise<{ id: string; secret: string }> {
      const id = random.uuid()
      const tokenSecret = TOKEN_PREFIX + random.token(TOKEN_BYTES)
      await users.addToken(user, { id, name, hash: hashOf(tokenSecret), at: instantOf(clock.now()) })
      return { id, secret: tokenSecret }
    },

    /** Who makes a request, by its bearer token or its session cookie; `undefined` for nobody. Writes nothing. */
    async identify({ authorization, cookie }: RequestHeaders): Promise<Identity | undefined> {
      if (authorization !== undefined) return identifyByToken(authorization)
      return cookie === undefined ? undefined : identifyByCookie(cookie)
    },

    /** Which of these identities `identify` would still find. Writes nothing. */
    async standing(identities: readonly Identity[]): Promise<Identity[]> {
      const sessions = identities.flatMap(({ by }) => (by.kind === 'session' ? [by.id] : []))
      const tokens = identities.flatMap(({ user, by }) => (by.kind === 'token' ? [{ user, id: by.id }] : []))
      const standing = new Set<number | string>([
        ...(sessions.length > 0 ? await users.standingSessions(sessions, instantOf(clock.now())) : []),
        ...(tokens.length > 0 ? await users.standingTokens(tokens) : []),
      ])
      return identities.filter(({ by }) => standing.has(by.id))
    },
  }

  /** The session of a request, prolonged where that is due; a full disk must not stop a request that only reads. */
  async function sessionOf(headers: Headers) {
    const ask = (query: { disableRefresh: boolean }) =>
      refusable(auth.api.getSession({ headers, query, returnHeaders: true }))
    return ask({ disableRefresh: false }).catch((error: unknown) => {
      if (error instanceof UnavailableError) return ask({ disableRefresh: true })
      throw error
    })
  }

  /** Ends a session that has just begun. */
  async function endSession(token: string): Promise<void> {
    await (await auth.$context).internalAdapter.deleteSession(token)
  }

  /**
   * Ends the session that a request came with, whose place another of the user has taken, and removes what is left of
   * those of browsers that never came back.
   */
  async function endOldSessions(user: UserId, { cookie }: RequestHeaders): Promise<void> {
    const held = cookie === undefined ? undefined : await identifyByCookie(cookie)
    if (held) await users.endSession(held.user, held.by.id)
    await users.removeExpiredSessions(user, instantOf(clock.now()))
  }

  async function identifyByCookie(cookie: string) {
    const session = await sessionOf(webHeaders({ cookie }))
    if (!session?.response) return undefined
    const { createdAt } = session.response.session
    if (clock.now() - createdAt.getTime() > SESSION_MOST_MS) return undefined
    return {
      user: Number(session.response.user.id),
      by: { kind: 'session' as const, id: Number(session.response.session.id) },
      setCookies: session.headers.getSetCookie(),
    }
  }

  async function identifyByToken(authorization: string): Promise<Identity | undefined> {
    const hash = tokenHashIn(authorization)
    if (hash === undefined) return undefined
    const token = await users.tokenByHash(hash)
    if (!token) return undefined
    const { user, id, lastUsedOn } = token
    const today = instantOf(clock.now()).slice(0, 10)
    if (lastUsedOn !== today) {
      await users.noteUse(user, id, today).catch((error: unknown) => {
        // A request that only reads succeeds even if the disk is full.
        if (!(error instanceof UnavailableError)) throw error
      })
    }
    return { user, by: { kind: 'token', id }, setCookies: [] }
  }
}

/** Begins sessions of users who have shown otherwise than by a password who they are. Nothing of it is on the network. */
const sessionsWithoutPassword = {
  id: 'sessions_without_password',
  endpoints: {
    beginSession: createAuthEndpoint(
      { method: 'POST', body: v.object({ user: v.number() }) },
      async ({ body, ...rest }) => {
        const context = rest as Parameters<typeof setSessionCookie>[0]
        const { internalAdapter } = context.context
        const user = await internalAdapter.findUserById(String(body.user))
        if (!user) throw new APIError('UNAUTHORIZED')
        const session = await internalAdapter.createSession(user.id)
        await setSessionCookie(context, { session, user })
        return { token: session.token }
      },
    ),
  },
}

/** What better-auth reads of a request: who it claims to be, and by which program. */
function webHeaders({ cookie, 'user-agent': userAgent }: RequestHeaders): Headers {
  return new Headers({
    ...(cookie !== undefined && { cookie }),
    ...(userAgent !== undefined && { 'user-agent': userAgent }),
  })
}

/** The hash of the bearer token in an `Authorization` header. */
function tokenHashIn(authorization: string | undefined): string | undefined {
  const tokenSecret = /^Bearer ([\w-]+)$/i.exec(authorization ?? '')?.[1]
  return tokenSecret === undefined ? undefined : hashOf(tokenSecret)
}

/** A random secret of 256 bits needs no slow hash. */
function hashOf(tokenSecret: string): string {
  return hash('sha256', tokenSecret, 'base64url')
}

/** What better-auth answers, or `undefined` where it refuses; its failures and the store's pass through. */
async function refusable<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    // Deleted while the password was looked at.
    if (error instanceof UnknownUserError) return undefined
    if (!(error instanceof APIError)) throw error
    if (error.cause instanceof UnavailableError) throw error.cause
    if (error.statusCode >= 500) throw error
    return undefined
  }
}
