import { hash } from 'node:crypto'
import { check, DisplayName, fieldOf, instantOf, isUserNumber, MINUTE_MS, type UserNumber } from '@saldo/core'
import type { Configuration, ServerMetadata } from 'openid-client'
import * as v from 'valibot'
import type { ProviderSettings } from '../env.ts'
import { adviceFor, errorText } from '../error-text.ts'
import { ChallengeStore } from '../store/users/challenges.ts'
import { type Admitted, type CompanyIdentity, IdentityStore } from '../store/users/identities.ts'
import { systemClock } from '../system.ts'
import { type AdmissionRefusal, decideAdmission } from './admission.ts'
import type { AuthOptions } from './auth-options.ts'
import { Cookies } from './cookies.ts'
import { Email } from './credentials.ts'
import { limitedFetch } from './limited-fetch.ts'
import { isReturnPath } from './return-path.ts'

/** A sign-in at the provider must end within this time. */
const SIGN_IN_MS = 15 * MINUTE_MS
const SECRET_BYTES = 32
const COOKIE = 'saldo.company_sign_in'
/** The clocks of provider and service may differ by this. */
const CLOCK_TOLERANCE_SECONDS = 60
const TIMEOUT_SECONDS = 10

type Library = typeof import('openid-client')
type Claims = Record<string, unknown>

/** The provider did not answer, or not as OpenID Connect says. `reason` is for the log and has no secret. */
export class ProviderError extends Error {
  readonly reason: string

  constructor(error: unknown) {
    const reason = reasonOf(error)
    super(reason, { cause: error })
    this.name = 'ProviderError'
    this.reason = reason
  }
}

/** `expired`: nobody began this sign-in in this browser, or too long ago, or it has ended already. */
export type CompanyRefusal = AdmissionRefusal | 'expired' | 'cancelled' | 'failed'

/** `detail` is for the log. */
export interface CompanyRefused {
  outcome: 'refused'
  reason: CompanyRefusal
  detail?: string
}

/** The parameters with which a provider sends a browser back. */
export interface AuthorizationResponse {
  code?: string | undefined
  state?: string | undefined
  iss?: string | undefined
  error?: string | undefined
}

export type CompanySignInOutcome = { returnTo: string } & (
  | (Admitted & { identity: CompanyIdentity; signOutUrl: string | undefined; isAdmin: boolean | undefined })
  | CompanyRefused
)

/** A sign-in that has begun, as the cookie keeps it. */
interface Begun {
  /** State, nonce and PKCE verifier are derived from it. */
  secret: string
  returnTo: string
  /** The user of the device that signs in again. */
  device: UserNumber | undefined
}

/**
 * Sign-in at OpenID providers (OpenID Connect Core 1.0 §3.1, RFC 9700): authorization code with PKCE, state and nonce.
 * A cookie binds a sign-in to the browser that began it, and the database lets it end once, at any node. No token of a
 * provider is stored.
 */
export class CompanySignIn {
  readonly identities: IdentityStore
  readonly providers: readonly ProviderSettings[]
  readonly #options: AuthOptions
  readonly #challenges: ChallengeStore
  readonly #cookies: Cookies

  constructor(options: AuthOptions, providers: readonly ProviderSettings[]) {
    this.#options = options
    this.providers = providers
    this.identities = new IdentityStore(options.driver, options.users)
    this.#challenges = new ChallengeStore(options.driver)
    this.#cookies = new Cookies(options.publicUrl)
  }

  /** Returns the address to which the browser goes, and the cookies that it needs. Throws `ProviderError`. */
  async begin(
    provider: ProviderSettings,
    { returnTo, device }: Omit<Begun, 'secret'>,
  ): Promise<{ url: string; setCookies: string[] }> {
    const library = await import('openid-client')
    const secret = this.#options.random.token(SECRET_BYTES)
    const nowMs = this.#options.clock.now()
    const parameters = {
      redirect_uri: this.#redirectUri(provider),
      scope: provider.scope,
      state: derive(secret, 'state'),
      nonce: derive(secret, 'nonce'),
      code_challenge: await library.calculatePKCECodeChallenge(derive(secret, 'verifier')),
      code_challenge_method: 'S256',
    }
    const url = await this.#configure(library, provider)
      .then((config) => webAddress(library.buildAuthorizationUrl(config, parameters)))
      .catch((error: unknown) => {
        throw new ProviderError(error)
      })
    const times = { at: instantOf(nowMs), until: instantOf(nowMs + SIGN_IN_MS) }
    await this.#challenges.keep(derive(secret, 'state'), purposeOf(provider), times)
    const cookie = `${secret}.${device ?? ''}.${Buffer.from(returnTo).toString('base64url')}`
    return { url: url.href, setCookies: [this.#cookies.set(COOKIE, cookie, SIGN_IN_MS)] }
  }

  /** Ends a sign-in: finds, links or adds the user whom the provider has sent back. */
  async finish(
    provider: ProviderSettings,
    response: AuthorizationResponse,
    cookies: string | undefined,
  ): Promise<CompanySignInOutcome> {
    const begun = readBegun(this.#cookies.read(cookies, COOKIE))
    if (!begun || response.state !== derive(begun.secret, 'state'))
      return { outcome: 'refused', reason: 'expired', returnTo: '/' }
    const { returnTo, device } = begun
    const at = instantOf(this.#options.clock.now())
    const isFirst = await this.#challenges.take(response.state, purposeOf(provider), at)
    if (!isFirst) return { outcome: 'refused', reason: 'expired', returnTo }
    const proved = await this.#prove(provider, response, begun)
    if (proved.outcome === 'refused') return { ...proved, returnTo }
    const { issuer, subject, claims, signOutUrl } = proved
    const person = { verifiedEmail: verifiedEmailOf(claims, provider), isAdmin: isAdminBy(claims, provider) }
    const { verifiedEmail } = person
    const name = nameOf(claims, verifiedEmail)
    const newPerson = { issuer, subject, verifiedEmail, name }
    const admitted = await this.identities.admit(
      newPerson,
      (facts) => decideAdmission(facts, person, provider, device),
      at,
    )
    if (admitted.outcome !== 'admitted') return { ...admitted, returnTo }
    const isAdmin = provider.adminGroup === undefined ? undefined : person.isAdmin
    return { ...admitted, identity: { issuer, subject }, signOutUrl, isAdmin, returnTo }
  }

  /** Returns the cookies that remove a sign-in which has ended. */
  forget(): string[] {
    return [this.#cookies.set(COOKIE, '', 0)]
  }

  /** Exchanges the code for claims whose signature, issuer, audience, nonce and times are right. */
  async #prove(provider: ProviderSettings, response: AuthorizationResponse, { secret }: Begun) {
    const library = await import('openid-client')
    try {
      const config = await this.#configure(library, provider)
      const url = new URL(this.#redirectUri(provider))
      for (const [name, value] of Object.entries({ ...response }))
        if (value !== undefined) url.searchParams.set(name, value)
      const tokens = await library.authorizationCodeGrant(config, url, {
        pkceCodeVerifier: derive(secret, 'verifier'),
        expectedState: derive(secret, 'state'),
        expectedNonce: derive(secret, 'nonce'),
      })
      const claims: Claims = { ...tokens.claims() }
      const { sub } = claims
      if (typeof sub !== 'string' || sub === '') throw new Error('the ID token has no subject')
      const metadata = config.serverMetadata()
      const isComplete = neededClaims(provider).every((name) => claims[name] !== undefined)
      const more =
        isComplete || metadata.userinfo_endpoint === undefined
          ? {}
          : await library.fetchUserInfo(config, tokens.access_token, sub)
      const signOutUrl =
        metadata.end_session_endpoint === undefined
          ? undefined
          : webAddress(library.buildEndSessionUrl(config, { post_logout_redirect_uri: `${this.#options.publicUrl}/` }))
              .href
      const all = mergeClaims(claims, more, provider)
      return { outcome: 'proved' as const, issuer: metadata.issuer, subject: sub, claims: all, signOutUrl }
    } catch (error) {
      const isCancelled = error instanceof library.AuthorizationResponseError && error.error === 'access_denied'
      const reason = isCancelled ? ('cancelled' as const) : ('failed' as const)
      return { outcome: 'refused' as const, reason, detail: reasonOf(error) }
    }
  }

  /** Reads the metadata of a provider anew, which may have changed. The keys follow when they are needed. */
  async #configure(library: Library, provider: ProviderSettings): Promise<Configuration> {
    const metadata = await discover(library, provider)
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const isBasic = methods.includes('client_secret_basic')
    const authentication = isBasic ? library.ClientSecretBasic : library.ClientSecretPost
    const client = {
      [library.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
      // The library reads the computer's clock.
      [library.clockSkew]: Math.round((this.#options.clock.now() - systemClock.now()) / 1_000),
    }
    const config = new library.Configuration(metadata, provider.clientId, client, authentication(provider.clientSecret))
    config.timeout = TIMEOUT_SECONDS
    config[library.customFetch] = limitedFetch
    library.enableNonRepudiationChecks(config)
    if (provider.issuer.startsWith('http:')) library.allowInsecureRequests(config)
    return config
  }

  #redirectUri({ id }: ProviderSettings): string {
    return `${this.#options.publicUrl}/api/auth/oidc/${id}/callback`
  }
}

/** Reads what a provider publishes of itself. The issuer must be the very one of the settings, of one tenant. */
async function discover(library: Library, { issuer, clientId }: ProviderSettings): Promise<ServerMetadata> {
  const execute = issuer.startsWith('http:') ? [library.allowInsecureRequests] : []
  const options = { timeout: TIMEOUT_SECONDS, execute, [library.customFetch]: limitedFetch }
  const config = await library.discovery(new URL(issuer), clientId, undefined, undefined, options)
  const metadata = config.serverMetadata()
  if (new URL(metadata.issuer).href === new URL(issuer).href) return metadata
  throw new Error('the issuer is not the one of the settings')
}

/** Returns a value for one use, which only the holder of the secret can compute. */
function derive(secret: string, use: 'state' | 'nonce' | 'verifier'): string {
  return hash('sha256', `company sign-in ${use} ${secret}`, 'base64url')
}

function purposeOf({ id, issuer }: ProviderSettings): string {
  return `company_sign_in ${id} ${issuer}`
}

function readBegun(cookie: string | undefined): Begun | undefined {
  const [, secret, device, path] = /^([\w-]{43})\.(\d{0,15})\.([\w-]+)$/.exec(cookie ?? '') ?? []
  if (secret === undefined || path === undefined) return undefined
  const returnTo = Buffer.from(path, 'base64url').toString()
  if (!isReturnPath(returnTo)) return undefined
  const number = Number(device)
  return { secret, returnTo, device: isUserNumber(number) ? number : undefined }
}

function neededClaims({ verifiedClaim, groupsClaim, adminGroup }: ProviderSettings): string[] {
  return ['email', verifiedClaim, 'name', ...(adminGroup === undefined ? [] : [groupsClaim])]
}

/**
 * Returns the claims of both documents, of which those of the signed ID token win. Address and verification come from
 * one document: the ID token if it has both, else the userinfo endpoint (D20.16).
 */
function mergeClaims(idToken: Claims, userInfo: Claims, { verifiedClaim }: ProviderSettings): Claims {
  const hasBoth = idToken.email !== undefined && idToken[verifiedClaim] !== undefined
  const vouching = hasBoth ? idToken : userInfo
  return { ...userInfo, ...idToken, email: vouching.email, [verifiedClaim]: vouching[verifiedClaim] }
}

/** Returns an address to which a browser can go. Throws for one that runs as a script or opens a program. */
function webAddress(url: URL): URL {
  if (url.protocol === 'https:' || url.protocol === 'http:') return url
  throw new Error('an endpoint of the provider is no web address')
}

/** Entra says `"1"` in `xms_edov`, and some providers write `"true"`. */
const YES: unknown[] = [true, 'true', 1, '1']

function verifiedEmailOf(claims: Claims, { verifiedClaim }: ProviderSettings): string | undefined {
  const email = v.safeParse(Email, claims.email)
  return email.success && YES.includes(claims[verifiedClaim]) ? email.output : undefined
}

function isAdminBy(claims: Claims, { groupsClaim, adminGroup }: ProviderSettings): boolean {
  const groups = [claims[groupsClaim]].flat()
  return adminGroup !== undefined && groups.includes(adminGroup)
}

/** Returns the person's name, or the first part of the address. */
function nameOf(claims: Claims, email = ''): string {
  const name = check(DisplayName, claims.name)
  return name.ok ? name.value : (email.split('@')[0] ?? '')
}

/** Returns what the operator needs to know. The messages of the library contain no secret; what they quote may. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause } = error
  const detail = fieldOf(error, 'error') ?? fieldOf(fieldOf(cause, 'cause'), 'claim') ?? fieldOf(cause, 'code')
  if (typeof detail !== 'string') return errorText(error)
  return `${errorText(error)} (${detail.slice(0, 100)})${adviceFor(detail)}`
}
