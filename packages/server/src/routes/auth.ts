import type { IncomingHttpHeaders } from 'node:http'
import * as v from 'valibot'
import { requireSameOrigin } from '../http/access.ts'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import { QUARTER_HOUR_SECONDS, Throttle } from '../http/throttle.ts'
import { Code, Email, NewPassword, Password } from '../users/credentials.ts'
import { RequestOptions, SignedChallenge } from '../users/passkeys.ts'
import { requireParty, requireUncommon } from './guards.ts'
import type { Services } from './services.ts'

const SignedIn = v.object({ user_id: v.pipe(v.number(), v.integer()) })

/** The limit of sign-ups and sign-ins per address of the client and quarter of an hour. */
const TRIES_PER_ADDRESS = 100

/** Sign-up, sign-in and sign-out (D8). */
export function authRoutes({ auth, users, config, log, nameOf }: Services): Route[] {
  const tries = new Throttle(TRIES_PER_ADDRESS, QUARTER_HOUR_SECONDS)
  const failures = new Throttle(config.failedSignIns, QUARTER_HOUR_SECONDS)

  /** Pages of other origins must not sign a browser in or out. Programs do not send these headers. */
  const requireOwnPage = (headers: IncomingHttpHeaders) => {
    if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) requireSameOrigin(headers)
  }

  const signIn = async (
    who: { email: string; password: string; code?: string | undefined },
    headers: IncomingHttpHeaders,
  ) => {
    const outcome = await auth.signIn(who, headers)
    if (outcome.outcome === 'signed_in') return outcome
    log.info({ reason: outcome.outcome }, 'sign-in refused')
    throw refusals[outcome.outcome]()
  }

  return [
    route({
      endpoint: 'POST /api/auth/sign-up',
      tag: 'users',
      summary: 'Sign up, and begin a session',
      description: 'The first user needs the set-up code that the service prints at start.',
      access: 'public',
      body: v.object({ email: Email, password: NewPassword, setup_code: v.optional(v.string()) }),
      answers: { 201: { description: 'Signed up and signed in.', schema: SignedIn, headers: ['Set-Cookie'] } },
      problems: ['forbidden', 'conflict', 'rate_limited'],
      handle: async ({ body: { email, password, setup_code = '' }, headers, clientAddress }) => {
        requireOwnPage(headers)
        await tries.take(clientAddress)
        const isFirst = !(await users.hasAny())
        const isOpen = isFirst ? config.signup !== 'closed' : config.signup === 'open'
        if (!isOpen) throw new ProblemError('forbidden', 'Sign-up is closed. Ask the operator for an account.')
        await requireUncommon(password, '/password')
        const { outcome } = await auth.signUp(email, password, isFirst ? setup_code : undefined)
        if (outcome === 'wrong_setup_code') throw wrongSetupCode()
        if (outcome === 'email_taken') throw new ProblemError('conflict', 'This e-mail address already has an account.')
        const { user, setCookies } = await signIn({ email, password }, headers)
        log.info({ user: nameOf(user), first: isFirst }, 'user signed up')
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
      answers: { 200: { description: 'Signed in.', schema: SignedIn, headers: ['Set-Cookie'] } },
      problems: ['invalid_credentials', 'second_factor_required', 'forbidden', 'rate_limited'],
      handle: async ({ body, headers, clientAddress }) => {
        requireOwnPage(headers)
        await tries.take(clientAddress)
        await failures.take(body.email)
        const { user, setCookies } = await signIn(body, headers)
        await failures.reset(body.email)
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
      answers: { 200: { description: 'The options for the authenticator.', schema: RequestOptions } },
      problems: ['forbidden', 'conflict', 'rate_limited'],
      handle: async ({ headers, clientAddress }) => {
        requireOwnPage(headers)
        await tries.take(clientAddress)
        return json(200, await auth.passkeys.requestOptions(requireParty(auth, headers)))
      },
    }),
    route({
      endpoint: 'POST /api/auth/passkey',
      tag: 'users',
      summary: 'Sign in with a passkey, and begin a session',
      description: 'Needs neither e-mail address nor code. The new session replaces that of the request.',
      access: 'public',
      body: v.object({ credential: SignedChallenge }),
      answers: { 200: { description: 'Signed in.', schema: SignedIn, headers: ['Set-Cookie'] } },
      problems: ['invalid_credentials', 'forbidden', 'conflict', 'rate_limited'],
      handle: async ({ body, headers, clientAddress }) => {
        requireOwnPage(headers)
        await tries.take(clientAddress)
        const outcome = await auth.signInByPasskey(requireParty(auth, headers), body.credential, headers)
        if (outcome.outcome !== 'signed_in') {
          log.info({ reason: outcome.outcome }, 'sign-in refused')
          throw new ProblemError('invalid_credentials', 'This passkey is unknown, or its answer is not valid.')
        }
        log.info({ user: nameOf(outcome.user), factors: 2, passkey: true }, 'user signed in')
        return { ...json(200, { user_id: outcome.user }), setCookies: outcome.setCookies }
      },
    }),
    route({
      endpoint: 'POST /api/auth/sign-out',
      tag: 'users',
      summary: 'Sign out',
      access: 'session',
      answers: { 204: { description: 'Signed out.', headers: ['Set-Cookie'] } },
      handle: async ({ headers }) => ({ status: 204, setCookies: await auth.signOut(headers) }),
    }),
  ]
}

const refusals = {
  refused: () => new ProblemError('invalid_credentials', 'The e-mail address or the password is wrong.'),
  code_needed: () =>
    new ProblemError('second_factor_required', 'Enter a code of your authenticator app, or a recovery code.'),
  wrong_code: () =>
    new ProblemError(
      'second_factor_required',
      'That code is not valid or was already used. Check that the time on your phone is correct.',
    ),
}

function wrongSetupCode(): ProblemError {
  const detail = 'The set-up code is missing or wrong. Use the address that the service prints at start.'
  return new ProblemError('forbidden', detail)
}
