import type { IncomingHttpHeaders } from 'node:http'
import {
  type Clock,
  epochMs,
  type Instant,
  instantOf,
  MINUTE_MS,
  type Random,
  type TokenRow,
  type TokenScope,
  type UserNumber,
  type UserRole,
} from '@saldo/core'
import type * as v from 'valibot'
import type { ProviderSettings } from '../env.ts'
import type { AddUserOutcome, PasswordChange, UserStore } from '../store/users/users.ts'
import type { AuthOptions } from './auth-options.ts'
import { CalendarFeeds } from './calendar-feeds.ts'
import { type AuthorizationResponse, type CompanyRefused, CompanySignIn } from './company-sign-in.ts'
import { type CheckOutcome, Passkeys, type RelyingParty } from './passkeys.ts'
import { type PasswordHashing, scryptHashing } from './password-hashing.ts'
import { SecondFactor } from './second-factor.ts'
import { hashSecret, ignoreUnavailable } from './secret.ts'
import type { UserAccountAct } from './user-account-acts.ts'
import { UserAccounts } from './user-accounts.ts'
import { sessionLimits, type WebSession, WebSessions } from './web-sessions.ts'
import type { SignedChallenge } from './webauthn-schemas.ts'

/** Makes a bearer token recognisable where it should not be, such as in a public repository. */
const TOKEN_PREFIX = 'saldo_'
const TOKEN_BYTES = 32
/** The use of a token is noted once in this time, because a request must cost no write. */
const USE_STEP_MS = 15 * MINUTE_MS
const NOBODY = 0 as UserNumber

/** The user of a request, and the session or token that identifies them. A token cannot manage the account. */
export interface Identity {
  user: UserNumber
  by: { kind: 'session'; id: number } | { kind: 'token'; id: string; scope: TokenScope }
  setCookies: string[]
}

export type SignInOutcome =
  | { outcome: 'signed_in'; user: UserNumber; setCookies: string[] }
  /** Wrong address or password; or, if these are right, no second-factor code or a wrong one. */
  | { outcome: 'refused' | 'code_needed' | 'wrong_code' | 'deactivated' }
  | Exclude<CheckOutcome, { outcome: 'right' }>

/** `setCookies` of a refusal end the attempt, and no session. */
export type CompanyOutcome = {
  returnTo: string
  setCookies: string[]
} /** `acts` changed the role, as the provider names admins. */ & (
  | { outcome: 'signed_in'; user: UserNumber; by: 'enter' | 'link' | 'create'; acts: UserAccountAct[] }
  | CompanyRefused
)

/**
 * Users' ways to sign in: passwords, second factors, passkeys, OpenID providers and sessions; tokens of programs, and
 * calendar feeds.
 */
export class Auth {
  readonly userAccounts: UserAccounts
  readonly secondFactor: SecondFactor
  readonly passkeys: Passkeys
  readonly company: CompanySignIn
  readonly feeds: CalendarFeeds
  readonly #users: UserStore
  readonly #clock: Clock
  readonly #random: Random
  readonly #hashing: PasswordHashing
  readonly #sessions: WebSessions

  constructor(options: AuthOptions) {
    this.#users = options.users
    this.#clock = options.clock
    this.#random = options.random
    this.#hashing = options.hashing ?? scryptHashing
    this.#sessions = new WebSessions(options)
    this.userAccounts = new UserAccounts(options)
    this.secondFactor = new SecondFactor(options)
    this.passkeys = new Passkeys(options)
    this.company = new CompanySignIn(options, options.providers ?? [])
    this.feeds = new CalendarFeeds(options)
  }

  /** Adds a user; see `UserStore.add`. */
  async signUp(
    { email, name, password }: { email: string; name?: string | undefined; password: string },
    setupCode?: string,
  ): Promise<AddUserOutcome> {
    const passwordHash = await this.#hashing.hash(password)
    return this.#users.add({ email: email.toLowerCase(), name, passwordHash, at: this.#now(), setupCode })
  }

  /** True if a user manages the accounts of others. */
  async isAdmin(user: UserNumber): Promise<boolean> {
    return (await this.#users.byId(user))?.role === 'admin'
  }

  /**
   * Signs in with a password, and with a code if the user has a second factor. The new session replaces that of the
   * request. The password is compared again once the session exists, because a concurrent change of the password ends
   * only the sessions that it finds.
   */
  async signIn(
    { email, password, code }: { email: string; password: string; code?: string | undefined },
    headers: IncomingHttpHeaders,
  ): Promise<SignInOutcome> {
    const user = await this.#users.byEmail(email)
    const passwordHash = await this.provePassword(user?.id, password)
    if (user === undefined || passwordHash === undefined) return { outcome: 'refused' }
    if (user.deactivated_at !== null) return { outcome: 'deactivated' }
    const session = await this.#sessions.begin(user.id, headers)
    const checked = await this.secondFactor.check(session.user, code)
    const isUnchanged = await this.#users.isPasswordInForce(session.user, passwordHash)
    if (checked === 'enough' && isUnchanged) return this.#signedIn(session, headers)
    await this.#users.endSession(session.user, session.id)
    return { outcome: checked === 'enough' ? 'refused' : checked }
  }

  /**
   * Signs in with a passkey. It needs no code: holding the authenticator and being verified by it are two factors.
   * The passkey is looked up again once the session exists, because removing it ends only the sessions that exist then.
   */
  async signInByPasskey(
    party: RelyingParty,
    signed: v.InferOutput<typeof SignedChallenge>,
    headers: IncomingHttpHeaders,
  ): Promise<SignInOutcome> {
    const checked = await this.passkeys.check(party, signed)
    if (checked.outcome !== 'right') return checked
    if ((await this.#users.byId(checked.user))?.deactivated_at !== null) return { outcome: 'deactivated' }
    const session = await this.#sessions.begin(checked.user, headers)
    if (await this.passkeys.store.byCredential(signed.id)) return this.#signedIn(session, headers)
    await this.#users.endSession(session.user, session.id)
    return { outcome: 'wrong_passkey' }
  }

  /**
   * Signs in whom a provider has sent back. The provider is the only factor. Where it names admins, the role is set;
   * the last admin stays one (D19.2).
   */
  async signInByCompany(
    provider: ProviderSettings,
    response: AuthorizationResponse,
    headers: IncomingHttpHeaders,
  ): Promise<CompanyOutcome> {
    const done = await this.company.finish(provider, response, headers.cookie)
    const { returnTo } = done
    const ended = this.company.forget()
    if (done.outcome !== 'admitted') return { ...done, setCookies: ended }
    const { user, by, isAdmin, signOutUrl } = done
    const acts = isAdmin === undefined ? [] : await this.#setRole(user, isAdmin ? 'admin' : 'user')
    const session = await this.#sessions.begin(user, headers, signOutUrl)
    const { setCookies } = await this.#signedIn(session, headers)
    return { outcome: 'signed_in', user, by, acts, returnTo, setCookies: [...ended, ...setCookies] }
  }

  /** Sets the role that a provider names, and returns the acts that this was: none if it is the role already. */
  async #setRole(user: UserNumber, role: UserRole): Promise<UserAccountAct[]> {
    const changed = await this.userAccounts.change(user, { role }, 'en')
    return changed.outcome === 'changed' ? changed.acts : []
  }

  /** Ends the session of a request. Returns the cookies to set, and where the session of a provider is ended. */
  async signOut({ user, by }: Identity): Promise<{ setCookies: string[]; providerSignOutUrl: string | undefined }> {
    const isSession = by.kind === 'session'
    const providerSignOutUrl = isSession ? await this.#users.providerSignOutUrl(user, by.id) : undefined
    if (isSession) await this.#users.endSession(user, by.id)
    return { setCookies: this.#sessions.forget(), providerSignOutUrl }
  }

  /** Replaces the password and begins a new session. Returns the cookies to set; `undefined` for a wrong password. */
  async changePassword(
    user: UserNumber,
    { current, next, keepTokens }: { current: string; next: string; keepTokens: boolean },
    headers: IncomingHttpHeaders,
  ): Promise<string[] | undefined> {
    const replaced = await this.provePassword(user, current)
    if (replaced === undefined || !(await this.setPassword(user, next, { replaced, keepTokens }))) return undefined
    return (await this.#sessions.begin(user, headers)).setCookies
  }

  /** Sets a new password, which ends all sessions and revokes all keys unless `keepTokens` is set. */
  async setPassword(user: UserNumber, password: string, change: PasswordChange): Promise<boolean> {
    return this.#users.setPassword(user, { ...change, hash: await this.#hashing.hash(password) })
  }

  /** Returns the hash in force if the password is right. It costs the same for a user who does not exist. */
  async provePassword(user: UserNumber | undefined, password: string): Promise<string | undefined> {
    const hash = await this.#users.passwordHash(user ?? NOBODY)
    if (hash !== undefined) return (await this.#hashing.isRight(password, hash)) ? hash : undefined
    await this.#hashing.hash(password)
    return undefined
  }

  /**
   * Creates a bearer token; without an instant, it never expires. Only its hash is stored, so its secret cannot be
   * shown again.
   */
  async createToken(
    user: UserNumber,
    name: string,
    { scope = 'full', expires_at = null }: { scope?: TokenScope; expires_at?: Instant | null } = {},
  ): Promise<{ token: TokenRow; secret: string }> {
    const id = this.#random.uuid()
    const secret = TOKEN_PREFIX + this.#random.token(TOKEN_BYTES)
    const token = { id, name, created_at: this.#now(), last_used_at: null, scope, expires_at }
    await this.#users.addToken(user, hashSecret(secret), token)
    return { token, secret }
  }

  /** Returns who makes a request, by its bearer token or its session cookie; `undefined` for nobody. */
  async identify({ authorization, cookie }: IncomingHttpHeaders): Promise<Identity | undefined> {
    if (authorization !== undefined) return this.#identifyByToken(authorization)
    return cookie === undefined ? undefined : this.#identifyBySession(cookie)
  }

  /** Returns those of these identities whose session or token is still valid. */
  async stillValid(identities: readonly Identity[]): Promise<Identity[]> {
    const users = [...new Set(identities.map(({ user }) => user))]
    const validIds = new Set(await this.#users.validIds(users, sessionLimits(this.#clock.now())))
    return identities.filter(({ by }) => validIds.has(by.id))
  }

  #now() {
    return instantOf(this.#clock.now())
  }

  /** Ends the session that a new one replaces, and removes the user's expired sessions. */
  async #signedIn({ user, setCookies }: WebSession, { cookie }: IncomingHttpHeaders) {
    const replaced = cookie === undefined ? undefined : await this.#identifyBySession(cookie)
    if (replaced) await this.#users.endSession(replaced.user, replaced.by.id)
    await this.#users.removeEndedSessions(user, sessionLimits(this.#clock.now()))
    return { outcome: 'signed_in' as const, user, setCookies }
  }

  async #identifyBySession(cookie: string) {
    const session = await this.#sessions.current(cookie)
    return (
      session && {
        user: session.user,
        by: { kind: 'session' as const, id: session.id },
        setCookies: session.setCookies,
      }
    )
  }

  async #identifyByToken(authorization: string): Promise<Identity | undefined> {
    const secret = /^Bearer ([\w-]+)$/i.exec(authorization)?.[1]
    const token = secret === undefined ? undefined : await this.#users.tokenByHash(hashSecret(secret), this.#now())
    if (!token) return undefined
    const { user, id, scope, lastUsedAt } = token
    const unnotedMs = lastUsedAt === null ? Infinity : Math.abs(this.#clock.now() - epochMs(lastUsedAt))
    if (unnotedMs >= USE_STEP_MS) {
      await this.#users.noteUse(user, id, this.#now()).catch(ignoreUnavailable)
    }
    return { user, by: { kind: 'token', id, scope }, setCookies: [] }
  }
}
