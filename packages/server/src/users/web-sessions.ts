import type { IncomingHttpHeaders } from 'node:http'
import type { UserNumber } from '@saldo/core'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { betterAuth } from 'better-auth/minimal'
import * as v from 'valibot'
import { UnavailableError } from '../store/sql.ts'
import { UnknownUserError } from '../store/store.ts'
import { authTables } from '../store/users/auth-tables.ts'
import type { AuthOptions } from './auth-options.ts'
import { PASSWORD_LENGTH } from './credentials.ts'

/** An unused session expires after 60 days; using it extends it, once a day. */
const SESSION_SECONDS = 60 * 24 * 60 * 60

type Options = Pick<AuthOptions, 'driver' | 'secret' | 'publicUrl'>

/** A session that has just begun. */
export interface NewSession {
  user: UserNumber
  /** The secret by which the session can be ended. */
  token: string
  setCookies: string[]
}

/** Passwords and the sessions of browsers, by better-auth. Methods return `undefined` if better-auth refuses. */
export class WebSessions {
  readonly #auth: ReturnType<typeof createBetterAuth>

  constructor(options: Options) {
    this.#auth = createBetterAuth(options)
  }

  async hashPassword(password: string): Promise<string> {
    return (await this.#auth.$context).password.hash(password)
  }

  async setPassword(user: UserNumber, password: string): Promise<void> {
    const { internalAdapter } = await this.#auth.$context
    await internalAdapter.updatePassword(String(user), await this.hashPassword(password))
  }

  /** True if `password` is the password of the session's user. */
  async isPassword(password: string, headers: IncomingHttpHeaders): Promise<boolean> {
    const verified = this.#auth.api.verifyPassword({ body: { password }, headers: webHeaders(headers) })
    return (await unlessRefused(verified)) !== undefined
  }

  /** Begins a session with a password. */
  async signIn(email: string, password: string, headers: IncomingHttpHeaders): Promise<NewSession | undefined> {
    const result = await unlessRefused(
      this.#auth.api.signInEmail({
        body: { email, password },
        headers: webHeaders(headers),
        returnHeaders: true,
      }),
    )
    if (!result) return undefined
    const { user, token } = result.response
    return { user: Number(user.id), token, setCookies: result.headers.getSetCookie() }
  }

  /** Begins a session of a user who proved their identity without a password. */
  async begin(user: UserNumber, headers: IncomingHttpHeaders): Promise<NewSession | undefined> {
    const result = await unlessRefused(
      this.#auth.api.beginSession({ body: { user }, headers: webHeaders(headers), returnHeaders: true }),
    )
    return result && { user, token: result.response.token, setCookies: result.headers.getSetCookie() }
  }

  /** Returns the session of a request, extended if that is due. A full disk must not stop a request that only reads. */
  async current(cookie: string) {
    const headers = webHeaders({ cookie })
    const getSession = (disableRefresh: boolean) =>
      unlessRefused(this.#auth.api.getSession({ headers, query: { disableRefresh }, returnHeaders: true }))
    const result = await getSession(false).catch((error: unknown) => {
      if (error instanceof UnavailableError) return getSession(true)
      throw error
    })
    if (!result?.response) return undefined
    const { user, session } = result.response
    return {
      user: Number(user.id),
      id: Number(session.id),
      createdMs: session.createdAt.getTime(),
      setCookies: result.headers.getSetCookie(),
    }
  }

  /** Changes the password of the session's user. Returns the new session, which replaces the current one. */
  async changePassword(currentPassword: string, newPassword: string, headers: IncomingHttpHeaders) {
    const result = await unlessRefused(
      this.#auth.api.changePassword({
        body: { currentPassword, newPassword, revokeOtherSessions: true },
        headers: webHeaders(headers),
        returnHeaders: true,
      }),
    )
    if (!result) return undefined
    const { user, token } = result.response
    const found = token === null ? null : await (await this.#auth.$context).internalAdapter.findSession(token)
    const id = found ? Number(found.session.id) : undefined
    return { user: Number(user.id), id, setCookies: result.headers.getSetCookie() }
  }

  /** Ends a session that has just begun. */
  async end({ token }: NewSession): Promise<void> {
    await (await this.#auth.$context).internalAdapter.deleteSession(token)
  }

  /** Ends the session of a request. Returns the cookies that remove it from the browser. */
  async signOut(headers: IncomingHttpHeaders): Promise<string[]> {
    const result = await unlessRefused(this.#auth.api.signOut({ headers: webHeaders(headers), returnHeaders: true }))
    return result?.headers.getSetCookie() ?? []
  }
}

function createBetterAuth({ driver, secret, publicUrl }: Options) {
  return betterAuth({
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
      fields: columns('userId', 'expiresAt', 'ipAddress', 'userAgent', 'createdAt', 'updatedAt'),
    },
    user: { modelName: 'users', fields: columns('emailVerified', 'createdAt', 'updatedAt') },
    account: {
      modelName: 'credentials',
      fields: columns(
        ...['userId', 'accountId', 'providerId', 'accessToken', 'refreshToken', 'idToken'],
        ...['accessTokenExpiresAt', 'refreshTokenExpiresAt', 'createdAt', 'updatedAt'],
      ),
    },
    verification: { modelName: 'verifications', fields: columns('expiresAt', 'createdAt', 'updatedAt') },
    advanced: {
      database: { generateId: 'serial' },
      cookiePrefix: 'saldo',
      // Browsers accept a cookie with this prefix only over TLS and from this very host.
      ...(publicUrl?.startsWith('https:') && {
        cookies: { session_token: { name: '__Host-saldo.session_token' } },
        defaultCookieAttributes: { secure: true },
      }),
      useSecureCookies: false,
      ipAddress: { disableIpTracking: true },
    },
    telemetry: { enabled: false },
    // Errors reach the log of the service.
    logger: { disabled: true },
    plugins: [sessionsWithoutPassword],
  })
}

/** Returns the column of each field: `user_id` for `userId`. */
function columns(...fields: string[]): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [field, field.replaceAll(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)]))
}

/** Begins sessions for users who proved their identity without a password. The endpoint is not on the network. */
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

/** Returns the headers that better-auth needs. */
function webHeaders({ cookie, 'user-agent': userAgent }: IncomingHttpHeaders): Headers {
  return new Headers({
    ...(cookie !== undefined && { cookie }),
    ...(userAgent !== undefined && { 'user-agent': userAgent }),
  })
}

/** Returns the result of better-auth, or `undefined` if it refuses. Failures of it and of the store are thrown. */
async function unlessRefused<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result
  } catch (error) {
    // The user was deleted while the password was checked.
    if (error instanceof UnknownUserError) return undefined
    if (!(error instanceof APIError)) throw error
    if (error.cause instanceof UnavailableError || error.cause instanceof UnknownUserError) throw error.cause
    if (error.statusCode >= 500) throw error
    return undefined
  }
}
