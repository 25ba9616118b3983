import * as v from 'valibot'
import { ProblemError } from '../http/problem.ts'
import type { RequestHeaders } from '../http/request-headers.ts'
import { json, type Route, route } from '../http/route.ts'
import { requireSameOrigin } from '../http/same-origin.ts'
import { QUARTER_HOUR_SECONDS, Throttle } from '../http/throttle.ts'
import { Code, Email, NewPassword, Password } from '../users/credentials.ts'
import { RequestOptions, SignedChallenge } from '../users/passkeys.ts'
import { requireParty } from './relying-party.ts'
import type { Services } from './services.ts'
import { requireUncommon } from './uncommon-password.ts'

const SignedIn = v.object({ user_id: v.pipe(v.number(), v.integer()) })

/** How many sign-ups and sign-ins one address may try in a quarter of an hour. */
const TRIES_PER_ADDRESS = 100

/** Sign-up, sign-in and sign-out (D8). */
export function authRoutes({ auth, users, config, log, nameOf }: Services): Route[] {
  const tries = new Throttle(TRIES_PER_ADDRESS, QUARTER_HOUR_SECONDS)
  const failures = new Throttle(config.failedSignIns, QUARTER_HOUR_SECONDS)

  /** Others' pages must not sign a browser in or out either. Programs send no such headers. */
  const requireOwnPage = (headers: RequestHeaders) => {
    if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) requireSameOrigin(headers)
  }

  const signIn = async (
    who: { email: string; password: string; code?: string | undefined },
    headers: RequestHeaders,
  ) => {
    const outcome = await auth.signIn(who, headers)
    if (outcome.outcome === 'signed_in') return outcome
    log.info({ reason: outcome.outcome }, 'a sign-in was refused')
    throw refusals[outcome.outcome]()
  }

  return [
    route(
      {
        method: 'POST',
        path: '/api/auth/sign-up',
        tag: 'users',
        summary: 'Sign up, and begin a session',
        description: 'The first user needs the set-up code that the service printed when it started.',
        access: 'public',
        body: v.object({ email: Email, password: NewPassword, setup_code: v.optional(v.string()) }),
        answers: { 201: { description: 'Signed up and signed in.', schema: SignedIn, headers: ['Set-Cookie'] } },
        problems: ['forbidden', 'conflict', 'rate_limited'],
      },
      async ({ body: { email, password, setup_code = '' }, headers, clientAddress }) => {
        requireOwnPage(headers)
        await tries.take(clientAddress)
        const isFirst = (await users.count()) === 0
        if (!isFirst && config.signup !== 'open') throw new ProblemError('forbidden', 'Sign-up is closed.')
        if (isFirst && config.signup === 'closed') throw new ProblemError('forbidden', 'Sign-up is closed.')
        await requireUncommon(password, '/password')
        const { outcome } = await auth.signUp(email, password, isFirst ? setup_code : undefined)
        if (outcome === 'wrong_setup_code') throw wrongSetupCode()
        if (outcome === 'email_taken') throw new ProblemError('conflict', 'This e-mail address has an account already.')
        const { user, setCookies } = await signIn({ email, password }, headers)
        log.info({ user: nameOf(user), first: isFirst }, 'a user signed up')
        return { ...json(201, { user_id: user }), setCookies }
      },
    ),
    route(
      {
        method: 'POST',
        path: '/api/auth/sign-in',
        tag: 'users',
        summary: 'Sign in, and begin a session',
        description:
          'Who has turned codes on sends one too: of the authenticator app, or a recovery code. Each is taken once. A session that the request came with ends.',
        access: 'public',
        body: v.object({ email: Email, password: Password, code: v.optional(Code) }),
        answers: { 200: { description: 'Signed in.', schema: SignedIn, headers: ['Set-Cookie'] } },
        problems: ['invalid_credentials', 'second_factor_required', 'forbidden', 'rate_limited'],
      },
      async ({ body, headers, clientAddress }) => {
        requireOwnPage(headers)
        await tries.take(clientAddress)
        await failures.take(body.email)
        const { user, setCookies } = await signIn(body, headers)
        await failures.reset(body.email)
        log.info({ user: nameOf(user), factors: body.code === undefined ? 1 : 2 }, 'a user signed in')
        return { ...json(200, { user_id: user }), setCookies }
      },
    ),
    route(
      {
        method: 'POST',
        path: '/api/auth/passkey/options',
        tag: 'users',
        summary: 'Ask for a challenge to sign in with a passkey',
        description:
          'As `PublicKeyCredential.parseRequestOptionsFromJSON` reads it. It can be answered once, for five minutes.',
        access: 'public',
        answers: { 200: { description: 'What to ask an authenticator for.', schema: RequestOptions } },
        problems: ['forbidden', 'conflict', 'rate_limited'],
      },
      async ({ headers, clientAddress }) => {
        requireOwnPage(headers)
        await tries.take(clientAddress)
        return json(200, await auth.passkeys.requestOptions(requireParty(auth, headers)))
      },
    ),
    route(
      {
        method: 'POST',
        path: '/api/auth/passkey',
        tag: 'users',
        summary: 'Sign in with a passkey, and begin a session',
        description:
          'The credential is what an authenticator made of the challenge. Nobody is named, and no code is asked for: the authenticator has verified its owner. A session that the request came with ends.',
        access: 'public',
        body: v.object({ credential: SignedChallenge }),
        answers: { 200: { description: 'Signed in.', schema: SignedIn, headers: ['Set-Cookie'] } },
        problems: ['invalid_credentials', 'forbidden', 'conflict', 'rate_limited'],
      },
      async ({ body, headers, clientAddress }) => {
        requireOwnPage(headers)
        await tries.take(clientAddress)
        const outcome = await auth.signInByPasskey(requireParty(auth, headers), body.credential, headers)
        if (outcome.outcome !== 'signed_in') {
          log.info({ reason: outcome.outcome }, 'a sign-in was refused')
          throw new ProblemError(
            'invalid_credentials',
            'The passkey is not one of this service, or its answer is wrong.',
          )
        }
        log.info({ user: nameOf(outcome.user), factors: 2, passkey: true }, 'a user signed in')
        return { ...json(200, { user_id: outcome.user }), setCookies: outcome.setCookies }
      },
    ),
    route(
      {
        method: 'POST',
        path: '/api/auth/sign-out',
        tag: 'users',
        summary: 'End this session',
        access: 'session',
        answers: { 204: { description: 'Signed out.', headers: ['Set-Cookie'] } },
      },
      async ({ headers }) => ({ status: 204, setCookies: await auth.signOut(headers) }),
    ),
  ]
}

const refusals = {
  refused: () => new ProblemError('invalid_credentials', 'The e-mail address or the password is wrong.'),
  code_needed: () => new ProblemError('second_factor_required', 'A code of the authenticator app is needed too.'),
  wrong_code: () => new ProblemError('second_factor_required', 'The code is wrong, or was used before.'),
}

function wrongSetupCode(): ProblemError {
  const detail = 'The set-up code is missing or wrong: it stands in the address that the service prints as it starts.'
  return new ProblemError('forbidden', detail)
}
