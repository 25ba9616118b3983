import { DisplayName, LinkTarget, type ProblemCode, type Signup } from '@saldo/core'
import * as v from 'valibot'
import { acceptedLanguage } from '../http/accepted-language.ts'
import { requireSameOrigin } from '../http/access.ts'
import { ProblemError } from '../http/problem.ts'
import { type CheckedRequest, json, type Route, route } from '../http/route.ts'
import { HOUR_SECONDS, QUARTER_HOUR_SECONDS, Throttle } from '../http/throttle.ts'
import { Code, Email, NewPassword, Password } from '../users/credentials.ts'
import type { SignInOutcome } from '../users/sign-in.ts'
import { RequestOptions, SignedChallenge } from '../users/webauthn-schemas.ts'
import { requireParty, requireUncommon, UserId } from './guards.ts'
import type { RouteContext } from './route-context.ts'

const LinkSecret = v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/, 'must be the secret of a link'))
const SignedOut = v.object({ provider_sign_out_url: v.string() })
const SignedIn = v.object({ user_id: v.pipe(v.number(), v.integer()) })

/** The limit of sign-ups and sign-ins per network of the client and quarter of an hour. */
const TRIES_PER_NETWORK = 100
/** The limit of mails with a reset link per e-mail address and hour, and per network of the client. */
const RESETS_PER_EMAIL = 3
const RESETS_PER_NETWORK = 20

export function authRoutes(services: RouteContext): Route[] {
  const { userAccounts, signIn, passkeys, users, config, log, nameOf, mailer, mailLimits } = services
  const tries = new Throttle(TRIES_PER_NETWORK, QUARTER_HOUR_SECONDS)
  // Everybody knows the password of a demo, so guessing it is no attack, and must lock nobody out.
  const failures = new Throttle(config.demo ? Number.MAX_SAFE_INTEGER : config.failedSignIns, QUARTER_HOUR_SECONDS)
  const resetsByEmail = new Throttle(RESETS_PER_EMAIL, HOUR_SECONDS)
  const resetsByNetwork = new Throttle(RESETS_PER_NETWORK, HOUR_SECONDS)

  /** Throws 403 to pages of other origins, and 429 after too many tries. Programs do not send these headers. */
  const admit = async ({ headers, clientNetwork }: Pick<CheckedRequest, 'headers' | 'clientNetwork'>) => {
    if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined)
      requireSameOrigin(headers, config.publicUrl)
    await tries.take(clientNetwork)
  }

  const requirePasswords = () => {
    if (config.oidcOnly) throw refusal('company_only')
  }

  const requireSignedIn = (outcome: SignInOutcome) => {
    if (outcome.outcome === 'signed_in') return outcome
    log.info({ reason: outcome.outcome }, 'sign-in refused')
    throw refusal(outcome.outcome)
  }

  return [
    route({
      endpoint: 'POST /api/auth/sign-up',
      tag: 'users',
      summary: 'Sign up, and begin a session',
      description:
        'The first user needs the set-up code that the service prints at start. Others get a mail with a link that ' +
        'confirms the address, where the service sends mails.',
      access: 'public',
      body: v.object({ email: Email, name: DisplayName, password: NewPassword, setup_code: v.optional(v.string()) }),
      responses: { 201: { description: 'Signed up and signed in.', schema: SignedIn, headers: ['Set-Cookie'] } },
      problems: ['forbidden', 'conflict', 'rate_limited'],
      handle: async (request) => {
        await admit(request)
        const { email, name, password, setup_code = '' } = request.body
        const signup = await whoCanSignUp(services)
        if (signup === 'closed') throw refusal('signup_closed')
        const isFirst = signup === 'first_user'
        await requireUncommon(password, '/password')
        const person = { email, name, password }
        // Nobody becomes an admin without the code, also if the last user is deleted at this moment.
        const rights = isFirst ? { setupCode: setup_code } : { role: 'user' as const }
        const { outcome } = await userAccounts.signUp(person, rights)
        if (outcome !== 'added') throw refusal(outcome)
        const { user, setCookies } = requireSignedIn(await signIn.byPassword({ email, password }, request.headers))
        log.info({ user: nameOf(user), first: isFirst }, 'user signed up')
        if (await mailLimits.allowsConfirmation(email)) {
          await userAccounts.confirmLater(user, acceptedLanguage(request.headers['accept-language']))
        }
        return { ...json(201, { user_id: user }), setCookies }
      },
    }),
    route({
      endpoint: 'POST /api/auth/sign-in',
      tag: 'users',
      summary: 'Sign in, and begin a session',
      description:
        'With a second factor, it also needs a code or a recovery code. The new session replaces that of the request.',
      access: 'public',
      body: v.object({ email: Email, password: Password, code: v.optional(Code) }),
      responses: { 200: { description: 'Signed in.', schema: SignedIn, headers: ['Set-Cookie'] } },
      problems: ['invalid_credentials', 'second_factor_required', 'forbidden', 'rate_limited'],
      handle: async (request) => {
        requirePasswords()
        await admit(request)
        const { body, headers } = request
        const { user, setCookies } = await failures.attempt(body.email, async () =>
          requireSignedIn(await signIn.byPassword(body, headers)),
        )
        log.info({ user: nameOf(user), factors: body.code === undefined ? 1 : 2 }, 'user signed in')
        return { ...json(200, { user_id: user }), setCookies }
      },
    }),
    route({
      endpoint: 'POST /api/auth/passkey/options',
      tag: 'users',
      summary: 'Ask for a challenge to sign in with a passkey',
      description:
        'The input of `PublicKeyCredential.parseRequestOptionsFromJSON`. Answer it once, within five minutes.',
      access: 'public',
      responses: { 200: { description: 'The options for the authenticator.', schema: RequestOptions } },
      problems: ['forbidden', 'conflict', 'rate_limited'],
      handle: async (request) => {
        await admit(request)
        return json(200, await passkeys.requestOptions(requireParty(passkeys, request.headers)))
      },
    }),
    route({
      endpoint: 'POST /api/auth/passkey',
      tag: 'users',
      summary: 'Sign in with a passkey, and begin a session',
      description: 'Needs neither e-mail address nor code. The new session replaces that of the request.',
      access: 'public',
      body: v.object({ credential: SignedChallenge }),
      responses: { 200: { description: 'Signed in.', schema: SignedIn, headers: ['Set-Cookie'] } },
      problems: ['invalid_credentials', 'forbidden', 'conflict', 'rate_limited'],
      handle: async (request) => {
        requirePasswords()
        await admit(request)
        const { body, headers } = request
        const outcome = await signIn.byPasskey(requireParty(passkeys, headers), body.credential, headers)
        const { user, setCookies } = requireSignedIn(outcome)
        log.info({ user: nameOf(user), factors: 2, passkey: true }, 'user signed in')
        return { ...json(200, { user_id: user }), setCookies }
      },
    }),
    route({
      endpoint: 'POST /api/auth/forgotten-password',
      tag: 'users',
      summary: 'Ask for a mail with a link to set a new password',
      description:
        'The response is the same for every address. Only an active account gets a mail. 409 where the service sends no ' +
        'mails: an admin creates a link then.',
      access: 'public',
      body: v.object({ email: Email }),
      responses: { 202: { description: 'If the address has an account, the mail is on its way.' } },
      problems: ['forbidden', 'conflict', 'rate_limited'],
      handle: async (request) => {
        await admit(request)
        requirePasswords()
        if (!mailer.isOn) throw refusal('no_mail')
        const { body, headers, clientNetwork } = request
        await resetsByNetwork.take(clientNetwork)
        await resetsByEmail.take(body.email)
        userAccounts.forgotPassword(body.email, acceptedLanguage(headers['accept-language']))
        return { status: 202 }
      },
    }),
    route({
      endpoint: 'POST /api/auth/email',
      tag: 'users',
      summary: 'Confirm an e-mail address by the link in the mail',
      description:
        'In a session of the user who asked for the link, which is used up; other links of the user are revoked. ' +
        'If nobody had confirmed the address before, all but this session and the password ends.',
      access: 'session',
      body: v.object({ secret: LinkSecret }),
      responses: { 200: { description: 'The address to sign in with.', schema: v.object({ email: v.string() }) } },
      problems: ['not_found', 'conflict'],
      handle: async ({ identity, headers, body: { secret } }) => {
        const { user, by } = identity
        if (by.kind !== 'session') throw refusal('wrong_confirmation')
        const language = acceptedLanguage(headers['accept-language'])
        const confirmed = await userAccounts.confirmEmail(secret, { user, session: by.id }, language)
        if (confirmed.outcome === 'wrong_link') throw refusal('wrong_confirmation')
        if (confirmed.outcome !== 'changed') throw refusal(confirmed.outcome)
        log.info({ user: nameOf(user) }, 'user confirmed their e-mail address')
        return json(200, { email: confirmed.email })
      },
    }),
    route({
      endpoint: 'GET /api/auth/accounts/{id}',
      tag: 'users',
      summary: 'Ask whether an account still exists',
      description: 'For a device whose session has ended. Numbers of users are random and are given once.',
      access: 'public',
      params: UserId,
      responses: { 200: { description: 'Whether it exists.', schema: v.object({ exists: v.boolean() }) } },
      problems: ['forbidden', 'rate_limited'],
      handle: async (request) => {
        await admit(request)
        return json(200, { exists: (await users.byId(request.params.id)) !== undefined })
      },
    }),
    route({
      endpoint: 'POST /api/auth/link',
      tag: 'users',
      summary: 'Read whose password a link sets',
      access: 'public',
      body: v.object({ secret: LinkSecret }),
      responses: { 200: { description: 'The account.', schema: LinkTarget } },
      problems: ['not_found', 'forbidden', 'rate_limited'],
      handle: async (request) => {
        requirePasswords()
        await admit(request)
        const target = await userAccounts.openLink(request.body.secret)
        if (!target) throw refusal('wrong_link')
        return json(200, target)
      },
    }),
    route({
      endpoint: 'POST /api/auth/link/password',
      tag: 'users',
      summary: 'Set a password by a link, end all sessions, and revoke all tokens',
      description: 'The link is used up. Signing in still needs a code where the user has a second factor.',
      access: 'public',
      body: v.object({ secret: LinkSecret, password: NewPassword }),
      responses: { 204: { description: 'Set.' } },
      problems: ['not_found', 'forbidden', 'rate_limited'],
      handle: async (request) => {
        requirePasswords()
        await admit(request)
        const { secret, password } = request.body
        await requireUncommon(password, '/password')
        const language = acceptedLanguage(request.headers['accept-language'])
        const user = await userAccounts.useLink(secret, password, language)
        if (user === undefined) throw refusal('wrong_link')
        log.info({ user: nameOf(user) }, 'user set a password by a link')
        return { status: 204 }
      },
    }),
    route({
      endpoint: 'POST /api/auth/sign-out',
      endsAccess: true,
      tag: 'users',
      summary: 'Sign out',
      access: 'session',
      responses: {
        200: { description: 'Signed out. The provider has a session too.', schema: SignedOut, headers: ['Set-Cookie'] },
        204: { description: 'Signed out.', headers: ['Set-Cookie'] },
      },
      handle: async ({ identity }) => {
        const { setCookies, providerSignOutUrl } = await signIn.end(identity)
        if (providerSignOutUrl === undefined) return { status: 204, setCookies }
        return { ...json(200, { provider_sign_out_url: providerSignOutUrl }), setCookies }
      },
    }),
  ]
}

export async function whoCanSignUp({ config, users }: RouteContext): Promise<Signup> {
  if (config.oidcOnly || config.demo) return 'closed'
  if (config.signup !== 'closed' && !(await users.hasAny())) return 'first_user'
  return config.signup === 'open' ? 'open' : 'closed'
}

const refusals = {
  signup_closed: ['forbidden', 'Sign-up is closed. Ask the operator for an account.'],
  wrong_setup_code: [
    'forbidden',
    'The set-up code is missing or wrong. Use the address that the service prints at start.',
  ],
  email_taken: ['conflict', 'This e-mail address already has an account.'],
  company_only: ['forbidden', 'This service has company sign-in only. Sign in with your company account.'],
  refused: ['invalid_credentials', 'The e-mail address or the password is wrong.'],
  deactivated: ['forbidden', 'This account is deactivated. Ask an admin of this service.'],
  code_needed: ['second_factor_required', 'Enter a code of your authenticator app, or a recovery code.'],
  wrong_code: [
    'second_factor_required',
    'That code is not valid or was already used. Check that the time on your phone is correct.',
  ],
  no_mail: ['conflict', 'This service sends no mails. Ask an admin for a link to set a new password.'],
  wrong_link: ['not_found', 'This link has expired or was used already. Ask an admin for a new one.'],
  wrong_confirmation: [
    'not_found',
    'This link has expired or was used already, or another account asked for it. Sign in there, or ask for a new one.',
  ],
  wrong_passkey: ['invalid_credentials', 'This passkey is unknown, or its answer is not valid.'],
  copied_passkey: ['invalid_credentials', 'This passkey is unknown, or its answer is not valid.'],
} satisfies Record<string, [ProblemCode, string]>

function refusal(reason: keyof typeof refusals): ProblemError {
  const [code, detail] = refusals[reason]
  return new ProblemError(code, detail)
}
