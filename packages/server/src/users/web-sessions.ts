import type { IncomingHttpHeaders } from 'node:http'
import { isUserNumber, type UserNumber } from '@saldo/core'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { deleteSessionCookie, setSessionCookie } from 'better-auth/cookies'
import { betterAuth } from 'better-auth/minimal'
import * as v from 'valibot'
import { UnavailableError } from '../store/sql.ts'
import { UnknownUserError } from '../store/store.ts'
import { authTables } from '../store/users/auth-tables.ts'
import type { AuthOptions } from './auth-options.ts'

/** An unused session expires after 60 days; using it extends it, once a day. */
const SESSION_SECONDS = 60 * 24 * 60 * 60

/** A session that has just begun. */
export interface NewSession {
  user: UserNumber
  id: number
  setCookies: string[]
}

/** The sessions of browsers and their cookies, by better-auth. */
export class WebSessions {
  readonly #auth: ReturnType<typeof createBetterAuth>

  constructor(options: Pick<AuthOptions, 'driver' | 'secret' | 'publicUrl'>) {
    this.#auth = createBetterAuth(options)
  }

  /** Begins a session of a user who proved their identity; `undefined` if the user was deleted meanwhile. */
  async begin(user: UserNumber, headers: IncomingHttpHeaders): Promise<NewSession | undefined> {
    const begun = this.#auth.api.beginSession({ body: { user }, headers: webHeaders(headers), returnHeaders: true })
    const result = await unlessRefused(begun)
    return result && { user, id: result.response.id, setCookies: result.headers.getSetCookie() }
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
      user: numberOf(user),
      id: Number(session.id),
      createdMs: session.createdAt.getTime(),
      setCookies: result.headers.getSetCookie(),
    }
  }

  /** Returns the cookies that remove the session of a request from the browser. */
  async forget(): Promise<string[]> {
    return (await this.#auth.api.forgetSession({ returnHeaders: true })).headers.getSetCookie()
  }
}

function createBetterAuth({ driver, secret, publicUrl }: Pick<AuthOptions, 'driver' | 'secret' | 'publicUrl'>) {
  return betterAuth({
    secret,
    baseURL: publicUrl ?? 'http://localhost',
    database: authTables(driver),
    session: {
      expiresIn: SESSION_SECONDS,
      modelName: 'sessions',
      fields: columns('userId', 'expiresAt', 'ipAddress', 'userAgent', 'createdAt', 'updatedAt'),
    },
    user: { modelName: 'users', fields: columns('emailVerified', 'createdAt', 'updatedAt') },
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
    plugins: [sessionCookies],
  })
}

/** Returns the column of each field: `user_id` for `userId`. */
function columns(...fields: string[]): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [field, field.replaceAll(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)]))
}

/** Begins and ends sessions independently of how users prove their identity. The endpoints are not on the network. */
const sessionCookies = {
  id: 'session_cookies',
  endpoints: {
    beginSession: createAuthEndpoint(
      { method: 'POST', body: v.object({ user: v.number() }) },
      async ({ body, ...rest }) => {
        const context = rest as SessionContext
        const { internalAdapter } = context.context
        const user = await internalAdapter.findUserById(String(body.user))
        if (!user) throw new APIError('UNAUTHORIZED')
        const session = await internalAdapter.createSession(user.id)
        await setSessionCookie(context, { session, user })
        return { id: Number(session.id) }
      },
    ),
    forgetSession: createAuthEndpoint({ method: 'POST' }, async (context) =>
      deleteSessionCookie(context as SessionContext),
    ),
  },
}

type SessionContext = Parameters<typeof setSessionCookie>[0]

/** Returns the number of a user; better-auth has it as text. */
function numberOf({ id }: { id: string }): UserNumber {
  const user = Number(id)
  if (!isUserNumber(user)) throw new Error(`not the number of a user: ${id}`)
  return user
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
    // The user was deleted meanwhile.
    if (error instanceof UnknownUserError) return undefined
    if (!(error instanceof APIError)) throw error
    if (error.cause instanceof UnavailableError || error.cause instanceof UnknownUserError) throw error.cause
    if (error.statusCode >= 500) throw error
    return undefined
  }
}
