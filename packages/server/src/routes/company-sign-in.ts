import { isUserNumber } from '@saldo/core'
import * as v from 'valibot'
import { acceptedLanguage } from '../http/accepted-language.ts'
import { requireSameOrigin } from '../http/access.ts'
import { ProblemError } from '../http/problem.ts'
import { json, type Route, route } from '../http/route.ts'
import { QUARTER_HOUR_SECONDS, Throttle } from '../http/throttle.ts'
import { ProviderError } from '../users/company-sign-in.ts'
import { isReturnPath } from '../users/return-path.ts'
import type { RouteContext } from './route-context.ts'

/** Per network of the client and quarter of an hour: a company may have one address, and nobody guesses here. */
const TRIES_PER_NETWORK = 1_000
/** A provider that does not respond is asked again soon. */
const RETRY_AFTER_SECONDS = 30

const ProviderId = v.object({ provider: v.string() })
const text = v.optional(v.pipe(v.string(), v.maxLength(4_000, 'must have at most 4000 characters')))

/** Sign-in at OpenID providers (D20). */
export function companySignInRoutes(services: RouteContext): Route[] {
  const { acts, company, signIn, userAccounts, config, log, nameOf } = services
  const tries = new Throttle(TRIES_PER_NETWORK, QUARTER_HOUR_SECONDS)

  const providerOf = (id: string) => {
    const provider = company.providers.find((other) => other.id === id)
    if (!provider) throw new ProblemError('not_found', 'This provider is not configured.')
    return provider
  }

  return [
    route({
      endpoint: 'POST /api/auth/oidc/{provider}',
      tag: 'users',
      summary: 'Begin to sign in at an OpenID provider',
      description:
        'Send the browser to `url` within 15 minutes. It comes back to `return_to`, a path of the app. With `user_id`, ' +
        'nobody but this user is signed in.',
      access: 'public',
      params: ProviderId,
      body: v.object({
        return_to: v.pipe(v.string(), v.check(isReturnPath, 'must be a path of the app')),
        user_id: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(999_999_999_999_999))),
      }),
      responses: {
        200: { description: 'Where to sign in.', schema: v.object({ url: v.string() }), headers: ['Set-Cookie'] },
      },
      problems: ['not_found', 'forbidden', 'rate_limited', 'unavailable'],
      handle: async ({ params, body: { return_to, user_id }, headers, clientNetwork }) => {
        const provider = providerOf(params.provider)
        requireSameOrigin(headers, config.publicUrl)
        await tries.take(clientNetwork)
        try {
          const device = user_id !== undefined && isUserNumber(user_id) ? user_id : undefined
          const begun = { returnTo: return_to, device }
          const { url, setCookies } = await company.begin(provider, begun)
          return { ...json(200, { url }), setCookies }
        } catch (error) {
          if (!(error instanceof ProviderError)) throw error
          log.warn({ provider: provider.id, reason: error.reason }, 'the provider of company sign-in failed')
          throw new ProblemError('unavailable', `${provider.label} does not respond. Try again in a moment.`, {
            headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
          })
        }
      },
    }),
    route({
      endpoint: 'GET /api/auth/oidc/{provider}/callback',
      tag: 'users',
      summary: 'Come back from an OpenID provider, and begin a session',
      description:
        'Leads to `return_to`; if nobody is signed in, with the reason behind `#sign-in-failed=` of the address.',
      access: 'public',
      params: ProviderId,
      query: v.object({ code: text, state: text, iss: text, error: text }),
      responses: { 303: { description: 'Go on to the app.', headers: ['Location', 'Set-Cookie'] } },
      problems: ['not_found', 'rate_limited'],
      handle: async ({ params, query, headers, clientNetwork }) => {
        const provider = providerOf(params.provider)
        await tries.take(clientNetwork)
        const done = await signIn.atCompany(provider, query, headers)
        const { returnTo, setCookies } = done
        if (done.outcome === 'signed_in') {
          log.info({ user: nameOf(done.user), provider: provider.id, by: done.by }, 'user signed in')
          if (done.by === 'link') userAccounts.tellOwnChange(done.user, 'linked', headers)
          const language = acceptedLanguage(headers['accept-language'])
          for (const act of done.acts) await acts.done(act, done.user, 'provider', language)
          return { status: 303, headers: { location: returnTo }, setCookies }
        }
        const { reason, detail } = done
        log.info({ reason, provider: provider.id, detail }, 'sign-in refused')
        return { status: 303, headers: { location: `${returnTo}#sign-in-failed=${reason}` }, setCookies }
      },
    }),
  ]
}
