import type { IncomingHttpHeaders } from 'node:http'
import type { Clock, UserNumber, UserRole } from '@saldo/core'
import type * as v from 'valibot'
import type { ProviderSettings } from '../env.ts'
import type { UserStore } from '../store/users/users.ts'
import type { AuthOptions } from './auth-options.ts'
import type { AuthorizationResponse, CompanyRefused, CompanySignIn } from './company-sign-in.ts'
import type { Identity } from './identification.ts'
import type { CheckOutcome, Passkeys, RelyingParty } from './passkeys.ts'
import type { Passwords } from './passwords.ts'
import type { SecondFactor } from './second-factor.ts'
import type { UserAccountAct } from './user-account-acts.ts'
import type { UserAccounts } from './user-accounts.ts'
import { sessionLimits, type WebSession, type WebSessions } from './web-sessions.ts'
import type { SignedChallenge } from './webauthn-schemas.ts'

export type SignInOutcome =
  | { outcome: 'signed_in'; user: UserNumber; setCookies: string[] }
  /** Wrong address or password; or, if these are right, no second-factor code or a wrong one. */
  | { outcome: 'refused' | 'code_needed' | 'wrong_code' | 'deactivated' }
  | Exclude<CheckOutcome, { outcome: 'right' }>

/**
 * `acts` changed the role, where the provider names admins. `setCookies` of a refusal end the attempt, and no session.
 */
export type CompanyOutcome = { returnTo: string; setCookies: string[] } & (
  | { outcome: 'signed_in'; user: UserNumber; by: 'enter' | 'link' | 'create'; acts: UserAccountAct[] }
  | CompanyRefused
)

interface SignInParts {
  sessions: WebSessions
  passwords: Passwords
  secondFactor: SecondFactor
  passkeys: Passkeys
  company: CompanySignIn
  userAccounts: UserAccounts
}

/** The ways into a session of a browser, and out of it. */
export class SignInMethods {
  readonly #users: UserStore
  readonly #clock: Clock
  readonly #parts: SignInParts

  constructor({ users, clock }: Pick<AuthOptions, 'users' | 'clock'>, parts: SignInParts) {
    this.#users = users
    this.#clock = clock
    this.#parts = parts
  }

  /**
   * Signs in with a password, and with a code if the user has a second factor. The new session replaces that of the
   * request. Password and second factor are compared again once the session exists, because a concurrent change of them
   * ends only the sessions that it finds. It does not exist earlier: whoever has only the password would seem to be
   * the user in the list of accounts (D19.5), and could end the user's own sessions by many of theirs.
   */
  async byPassword(
    { email, password, code }: { email: string; password: string; code?: string | undefined },
    headers: IncomingHttpHeaders,
  ): Promise<SignInOutcome> {
    const user = await this.#users.byEmail(email)
    const passwordHash = await this.#parts.passwords.prove(user?.id, password)
    if (user === undefined || passwordHash === undefined) return { outcome: 'refused' }
    if (user.deactivated_at !== null) return { outcome: 'deactivated' }
    const { secondFactor } = this.#parts
    const key = await secondFactor.keyInForce(user.id)
    const checked = await secondFactor.check(user.id, key, code)
    if (checked !== 'enough') return { outcome: checked }
    const session = await this.#parts.sessions.begin(user.id, headers)
    const isPasswordInForce = await this.#users.isPasswordInForce(user.id, passwordHash)
    if (isPasswordInForce && (await secondFactor.keyInForce(user.id)) === key) return this.#signedIn(session, headers)
    await this.#users.endSession(session.user, session.id)
    return { outcome: 'refused' }
  }

  /**
   * Signs in with a passkey. It needs no code: holding the authenticator and being verified by it are two factors.
   * The passkey is looked up again once the session exists, because removing it ends only the sessions that exist then.
   */
  async byPasskey(
    party: RelyingParty,
    signed: v.InferOutput<typeof SignedChallenge>,
    headers: IncomingHttpHeaders,
  ): Promise<SignInOutcome> {
    const checked = await this.#parts.passkeys.check(party, signed)
    if (checked.outcome !== 'right') return checked
    if ((await this.#users.byId(checked.user))?.deactivated_at !== null) return { outcome: 'deactivated' }
    const session = await this.#parts.sessions.begin(checked.user, headers)
    if (await this.#parts.passkeys.store.byCredential(signed.id)) return this.#signedIn(session, headers)
    await this.#users.endSession(session.user, session.id)
    return { outcome: 'wrong_passkey' }
  }

  /**
   * Signs in whom a provider has sent back. The provider is the only factor. Where it names admins, the role is set;
   * the last admin stays one (D19.2). The identity is looked up again once the session exists, because removing it ends
   * only the sessions that exist then.
   */
  async atCompany(
    provider: ProviderSettings,
    response: AuthorizationResponse,
    headers: IncomingHttpHeaders,
  ): Promise<CompanyOutcome> {
    const done = await this.#parts.company.finish(provider, response, headers.cookie)
    const { returnTo } = done
    const ended = this.#parts.company.forget()
    if (done.outcome !== 'admitted') return { ...done, setCookies: ended }
    const { user, by, identity, isAdmin, signOutUrl } = done
    const session = await this.#parts.sessions.begin(user, headers, signOutUrl)
    if (!(await this.#parts.company.identities.isOf(user, identity))) {
      await this.#users.endSession(session.user, session.id)
      return { outcome: 'refused', reason: 'expired', returnTo, setCookies: ended }
    }
    const acts = isAdmin === undefined ? [] : await this.#setRole(user, isAdmin ? 'admin' : 'user')
    const { setCookies } = await this.#signedIn(session, headers)
    return { outcome: 'signed_in', user, by, acts, returnTo, setCookies: [...ended, ...setCookies] }
  }

  /** Sets the role that a provider names, and returns the acts that this was: none if it is the role already. */
  async #setRole(user: UserNumber, role: UserRole): Promise<UserAccountAct[]> {
    const changed = await this.#parts.userAccounts.change(user, { role }, 'en')
    return changed.outcome === 'changed' ? changed.acts : []
  }

  /** Ends the session of a request. Returns the cookies to set, and where the session of a provider is ended. */
  async end({ user, by }: Identity): Promise<{ setCookies: string[]; providerSignOutUrl: string | undefined }> {
    const isSession = by.kind === 'session'
    const providerSignOutUrl = isSession ? await this.#users.providerSignOutUrl(user, by.id) : undefined
    if (isSession) await this.#users.endSession(user, by.id)
    return { setCookies: this.forget(), providerSignOutUrl }
  }

  /** Returns the cookies that remove a session which has ended from the browser. */
  forget(): string[] {
    return this.#parts.sessions.forget()
  }

  /** Replaces the password and begins a new session. Returns the cookies to set; `undefined` for a wrong password. */
  async changePassword(
    user: UserNumber,
    { current, next, keepTokens }: { current: string; next: string; keepTokens: boolean },
    headers: IncomingHttpHeaders,
  ): Promise<string[] | undefined> {
    const { passwords, sessions } = this.#parts
    const replaced = await passwords.prove(user, current)
    if (replaced === undefined) return undefined
    // Begun first, so that whatever ends access meanwhile finds it.
    const { id, setCookies } = await sessions.begin(user, headers)
    if (await passwords.set(user, next, { replaced, keepTokens, keptSession: id })) return setCookies
    await this.#users.endSession(user, id)
    return undefined
  }

  /** Ends the session that a new one replaces, and removes the user's expired sessions. */
  async #signedIn({ user, setCookies }: WebSession, { cookie }: IncomingHttpHeaders) {
    const replaced = cookie === undefined ? undefined : await this.#parts.sessions.current(cookie)
    if (replaced) await this.#users.endSession(replaced.user, replaced.id)
    await this.#users.removeEndedSessions(user, sessionLimits(this.#clock.now()))
    return { outcome: 'signed_in' as const, user, setCookies }
  }
}
