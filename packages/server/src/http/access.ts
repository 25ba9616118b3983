import type { IncomingHttpHeaders } from 'node:http'
import { type Clock, includesScope, type TokenScope } from '@saldo/core'
import type { Config } from '../env.ts'
import type { UserStore } from '../store/users/users.ts'
import { type Identification, type Identity, nameOfKey } from '../users/identification.ts'
import { ProblemError } from './problem.ts'
import type { Access, RouteSpec } from './route.ts'
import { Allowance, Throttle } from './throttle.ts'

export type AccessConfig = Pick<Config, 'publicUrl' | 'demo' | 'writesPerMinute' | 'writtenBytesPerMinute'>

export interface AccessOptions {
  identification: Pick<Identification, 'identify'>
  users: Pick<UserStore, 'byId'>
  config: AccessConfig
  clock: Clock
}

/** A session or token can end access this often in a minute, whatever else its user writes (D1.38). */
const ENDINGS_PER_MINUTE = 60
const MINUTE_SECONDS = 60

/** Decides who may call a route, and how often. */
export class AccessControl {
  readonly #identification: Pick<Identification, 'identify'>
  readonly #users: Pick<UserStore, 'byId'>
  readonly #publicUrl: string | undefined
  readonly #isDemo: boolean
  readonly #writes: Allowance
  readonly #writtenBytes: Allowance
  readonly #endings = new Throttle(ENDINGS_PER_MINUTE, MINUTE_SECONDS)

  constructor({ identification, users, config, clock }: AccessOptions) {
    this.#identification = identification
    this.#users = users
    this.#publicUrl = config.publicUrl
    this.#isDemo = config.demo
    this.#writes = new Allowance(config.writesPerMinute, clock)
    this.#writtenBytes = new Allowance(config.writtenBytesPerMinute, clock)
  }

  /** Returns who makes a request. Throws 401 or 403 if they may not call the route. */
  async identify(spec: RouteSpec, headers: IncomingHttpHeaders): Promise<Identity> {
    const { access } = spec
    const identity = await this.#identification.identify(headers)
    if (!identity) {
      const hasToken = headers.authorization !== undefined
      throw unauthenticated(hasToken ? 'The token is not valid or has expired.' : 'Sign in, or send a token.')
    }
    const expectedUser = headers['saldo-user']
    if (expectedUser !== undefined && expectedUser !== String(identity.user)) {
      throw unauthenticated('`Saldo-User` does not match the signed-in user.')
    }
    if (identity.by.kind === 'token') requireScope(identity.by.scope, access)
    if (this.#isDemo && !isOpenInDemo(spec)) {
      throw new ProblemError('forbidden', 'This is a demo: its account cannot be changed.')
    }
    if (access === 'admin' && (await this.#users.byId(identity.user))?.role !== 'admin') {
      throw new ProblemError('forbidden', 'Only admins manage accounts.')
    }
    return identity
  }

  /** Throws 403 if a request may come from another origin's page, and 429 if the user writes too often. */
  async admitUnsafe(
    { isRead, endsAccess }: RouteSpec,
    { user, by }: Identity,
    headers: IncomingHttpHeaders,
  ): Promise<void> {
    if (by.kind === 'session') requireSameOrigin(headers, this.#publicUrl)
    if (endsAccess) await this.#endings.take(nameOfKey(by))
    else if (!isRead) this.#writes.take(shareOf({ user, by }))
  }

  /** Throws 429 if the user writes more bytes than they may. */
  admitBytes({ isRead, endsAccess }: RouteSpec, identity: Identity, bytes: number): void {
    if (!isRead && !endsAccess) this.#writtenBytes.take(shareOf(identity), bytes)
  }
}

/** Names whose allowance a write uses: the sessions of a user have one, and the tokens another (D1.25). */
function shareOf({ user, by }: Pick<Identity, 'user' | 'by'>): string {
  return `${by.kind} ${user}`
}

/**
 * True if the visitors of a demo, who share an account, may call a route: records are theirs to change, and the account
 * is nobody's (D23.3).
 */
function isOpenInDemo({ access, path }: RouteSpec): boolean {
  return (access !== 'session' && access !== 'admin') || path === '/api/auth/sign-out'
}

/** Throws 403 if a token with a scope may not call a route (RFC 6750, section 3.1). */
function requireScope(scope: TokenScope, access: Access): void {
  if (access === 'public') return
  if (access === 'session' || access === 'admin') {
    throw new ProblemError('forbidden', 'A token is not enough for this. Sign in with your password.')
  }
  if (includesScope(scope, access)) return
  const headers = { 'www-authenticate': `Bearer error="insufficient_scope", scope="${access}"` }
  const detail = `This token has the scope \`${scope}\`. Use a token with the scope \`${access}\`.`
  throw new ProblemError('forbidden', detail, { headers })
}

function unauthenticated(detail: string): ProblemError {
  return new ProblemError('unauthenticated', detail, { headers: { 'www-authenticate': 'Bearer' } })
}

/**
 * Throws 403 unless a request with a cookie comes from our own pages. Browsers say where a request comes from in
 * headers that no page can forge: `Sec-Fetch-Site`, and `Origin` on everything but plain reads. Our pages are those at
 * the public URL; without one, those of the host that the request is for.
 */
export function requireSameOrigin(headers: IncomingHttpHeaders, publicUrl: string | undefined): void {
  const { origin, host, 'sec-fetch-site': site } = headers
  const own = publicUrl === undefined ? undefined : new URL(publicUrl).origin
  const page = URL.parse(origin ?? '')
  const isOwnPage = page !== null && (own === undefined ? page.host === host : page.origin === own)
  const isSameOrigin = site === undefined || site === 'same-origin'
  if (isSameOrigin && (origin === undefined ? site !== undefined : isOwnPage)) return
  const from = own === undefined ? 'the same origin' : `the app at ${own}`
  throw new ProblemError('forbidden', `Requests with a session cookie must come from ${from}.`)
}

/** Reads below this path are noted as looks at data of others (D29.5). */
const LOOKS = '/api/team/members/'

/**
 * Throws 403 for a read with a cookie to which a page of another site has led the browser. Whoever enters the address
 * was led by nobody; but a mail program that opens a link says the same, and nobody shall note a look by one.
 */
export function refuseOtherSites(
  { path }: Pick<RouteSpec, 'path'>,
  { by }: Pick<Identity, 'by'>,
  { 'sec-fetch-site': site }: IncomingHttpHeaders,
): void {
  if (by.kind !== 'session' || site === undefined || site === 'same-origin') return
  if (site === 'none' && !path.startsWith(LOOKS)) return
  throw new ProblemError('forbidden', 'Other pages cannot read this. Open the app.')
}
