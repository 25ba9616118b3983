import * as v from 'valibot'
import { ProblemError } from '../http/problem.ts'
import { json, type RequestHeaders, type Route, route } from '../http/route.ts'
import { requireSameOrigin } from '../http/same-origin.ts'
import { QUARTER_HOUR_SECONDS, Throttle } from '../http/throttle.ts'
import { Email, NewPassword, Password } from '../users/credentials.ts'
import type { Services } from './services.ts'

const SignedIn = v.object({ user_id: v.pipe(v.number(), v.integer()) })

/** How many sign-ups and sign-ins one address may try in a quarter of an hour. */
const TRIES_PER_ADDRESS = 100

/** Sign-up, sign-in and sign-out (D8). */
export function authRoutes({ auth, users, config, log }: Services): Route[] {
  const tries = new Throttle(TRIES_PER_ADDRESS, QUARTER_HOUR_SECONDS)
  const failures = new Throttle(config.failedSignIns, QUARTER_HOUR_SECONDS)

  /** Others' pages must not sign a browser in or out either. Programs send no such headers. */
  const requireOwnPage = (headers: RequestHeaders) => {
    if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) requireSameOrigin(headers)
  }

  const signIn = async (email: string, password: string, headers: RequestHeaders) => {
    const outcome = await auth.signIn(email, password, headers)
    if (outcome.outcome === 'refused') {
      throw new ProblemError('invalid_credentials', 'The e-mail address or the password is wrong.')
    }
    return outcome
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
        const { outcome } = await auth.signUp(email, password, isFirst ? setup_code : undefined)
        if (outcome === 'wrong_setup_code') throw wrongSetupCode()
        if (outcome === 'email_taken') throw new ProblemError('conflict', 'This e-mail address has an account already.')
        log.info({ first: isFirst }, 'a user signed up')
        const { user, setCookies } = await signIn(email, password, headers)
        return { ...json(201, { user_id: user }), setCookies }
      },
    ),
    route(
      {
        method: 'POST',
        path: '/api/auth/sign-in',
        tag: 'users',
        summary: 'Sign in, and begin a session',
        access: 'public',
        body: v.object({ email: Email, password: Password }),
        answers: { 200: { description: 'Signed in.', schema: SignedIn, headers: ['Set-Cookie'] } },
        problems: ['invalid_credentials', 'forbidden', 'rate_limited'],
      },
      async ({ body: { email, password }, headers, clientAddress }) => {
        requireOwnPage(headers)
        await tries.take(clientAddress)
        await failures.take(email)
        const { user, setCookies } = await signIn(email, password, headers)
        await failures.reset(email)
        return { ...json(200, { user_id: user }), setCookies }
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

function wrongSetupCode(): ProblemError {
  const detail = 'The set-up code is missing or wrong: it stands in the address that the service prints as it starts.'
  return new ProblemError('forbidden', detail)
}
