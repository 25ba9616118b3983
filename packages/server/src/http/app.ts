import type { HttpBindings } from '@hono/node-server'
import { type Checked, check, PROTOCOL_VERSION, type Random } from '@saldo/core'
import { type Context, Hono } from 'hono'
import type * as v from 'valibot'
import type { Config } from '../env.ts'
import type { Log } from '../log.ts'
import type { Auth, Identity } from '../users/auth.ts'
import { readJson } from './body.ts'
import { compress } from './compress.ts'
import { ProblemError, problemAnswer, problemFor } from './problem.ts'
import type { Answer, Route, RouteSpec } from './route.ts'
import { requireSameOrigin } from './same-origin.ts'
import { Throttle } from './throttle.ts'

/** The most that a body may measure where a route does not say otherwise: a record with room for escapes. */
const MAX_BODY_BYTES = 256 * 1024

export interface AppOptions {
  routes: readonly Route[]
  auth: Auth
  config: Pick<Config, 'publicUrl' | 'trustedProxies' | 'writesPerMinute'>
  random: Random
  log: Log
}

type Ctx = Context<{ Bindings: HttpBindings }>

/** The HTTP application: finds the route of a request, checks the request, and turns its outcome into a response. */
export function createApp({ routes, auth, config, random, log }: AppOptions) {
  const app = new Hono<{ Bindings: HttpBindings }>()
  const writes = new Throttle(config.writesPerMinute, 60)
  const behindTls = config.publicUrl?.startsWith('https:') ?? false

  for (const route of routes) {
    const path = route.spec.path.replaceAll(/\{(\w+)\}/g, ':$1')
    app.on(route.spec.method, path, (c) => respond(c, () => run(c, route)))
  }
  app.notFound((c) => respond(c, async () => noRoute(routes, c.req.path)))
  return app

  async function run(c: Ctx, { spec, handle }: Route): Promise<Answer> {
    const { headers } = c.req.raw
    const identity = spec.access === 'public' ? undefined : await authorize(spec, headers)
    const answer = await handle({
      params: valid(spec.params, c.req.param(), 'The path is not valid.'),
      query: valid(spec.query, c.req.query(), 'The query is not valid.'),
      ...(await readBody(c, spec)),
      headers,
      identity: identity as Identity,
      clientAddress: clientAddress(c),
    })
    return identity ? { ...answer, setCookies: [...identity.setCookies, ...(answer.setCookies ?? [])] } : answer
  }

  async function authorize({ access, method }: RouteSpec, headers: Headers): Promise<Identity> {
    const identity = await auth.identify(headers)
    if (!identity) {
      throw new ProblemError('unauthenticated', 'Sign in, or send a token that is valid.', {
        headers: { 'www-authenticate': 'Bearer' },
      })
    }
    if (access === 'session' && identity.by.kind !== 'session') {
      throw new ProblemError('forbidden', 'A token cannot do this; sign in with your password.')
    }
    if (method !== 'GET') {
      if (identity.by.kind === 'session') requireSameOrigin(headers)
      await writes.take(String(identity.user))
    }
    return identity
  }

  async function respond(c: Ctx, answerOf: () => Promise<Answer>): Promise<Response> {
    const requestId = random.uuid()
    const startedMs = performance.now()
    const answer = await answerOf().catch((error: unknown) => failure(error, requestId))
    const response = await toResponse(c, answer, requestId)
    const { method, path } = c.req
    const durationMs = Math.round(performance.now() - startedMs)
    log.debug({ request_id: requestId, method, path, status: answer.status, duration_ms: durationMs }, 'request')
    return response
  }

  function failure(error: unknown, requestId: string): Answer {
    const problem = problemFor(error)
    if (problem && problem.code !== 'unavailable' && problem.code !== 'storage_full') return problemAnswer(problem)
    log.error({ request_id: requestId, err: error }, 'request failed')
    return problemAnswer(
      problem ?? new ProblemError('internal', `Something went wrong. Tell the operator: ${requestId}`),
    )
  }

  async function toResponse(c: Ctx, answer: Answer, requestId: string): Promise<Response> {
    const headers = new Headers({ ...standardHeaders, 'x-request-id': requestId, ...answer.headers })
    if (behindTls) headers.set('strict-transport-security', 'max-age=31536000')
    for (const cookie of answer.setCookies ?? []) headers.append('set-cookie', secured(cookie, c))
    if (answer.body === undefined) return new Response(null, { status: answer.status, headers })
    if (!headers.has('content-type')) headers.set('content-type', 'application/json')
    // An entity tag names one representation.
    if (headers.has('etag')) return new Response(answer.body, { status: answer.status, headers })
    headers.append('vary', 'Accept-Encoding')
    const bytes = typeof answer.body === 'string' ? new TextEncoder().encode(answer.body) : answer.body
    const { body, encoding } = await compress(bytes, c.req.header('accept-encoding') ?? null)
    if (encoding) headers.set('content-encoding', encoding)
    return new Response(body, { status: answer.status, headers })
  }

  /** A cookie, `Secure` also where a trusted proxy says that it was asked over TLS. */
  function secured(cookie: string, c: Ctx): string {
    const overTls = config.trustedProxies > 0 && c.req.header('x-forwarded-proto') === 'https'
    return overTls && !/;\s*secure/i.test(cookie) ? `${cookie}; Secure` : cookie
  }

  /** The client's address, as told by the outermost proxy that is trusted. */
  function clientAddress(c: Ctx): string {
    const seen = c.env.incoming.socket.remoteAddress ?? ''
    if (config.trustedProxies === 0) return seen
    return c.req.header('x-forwarded-for')?.split(',').at(-config.trustedProxies)?.trim() ?? seen
  }
}

/** What every answer carries. Pages that need more override the policy. */
const standardHeaders = {
  'saldo-protocol': String(PROTOCOL_VERSION),
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

async function readBody(c: Ctx, spec: RouteSpec): Promise<{ body: unknown; record: unknown }> {
  if (!spec.body && !spec.record) return { body: undefined, record: undefined }
  const read = await readJson(c.env.incoming, spec.maxBodyBytes ?? MAX_BODY_BYTES)
  return spec.record
    ? { body: undefined, record: read }
    : { body: valid(spec.body, read, 'The body is not valid.'), record: undefined }
}

function valid<S extends v.GenericSchema>(schema: S | undefined, input: unknown, detail: string): unknown {
  if (!schema) return undefined
  const checked: Checked<unknown> = check(schema, input)
  if (checked.ok) return checked.value
  throw new ProblemError('invalid_request', detail, { errors: checked.errors })
}

function noRoute(routes: readonly Route[], path: string): Answer {
  const methods = routes.filter(({ spec }) => matches(spec.path, path)).map(({ spec }) => spec.method)
  if (methods.length === 0) return problemAnswer(new ProblemError('not_found', 'There is nothing at this address.'))
  const allow = methods.join(', ')
  return problemAnswer(new ProblemError('method_not_allowed', `Allowed here: ${allow}.`, { headers: { allow } }))
}

function matches(template: string, path: string): boolean {
  const wanted = template.split('/')
  const given = path.split('/')
  return wanted.length === given.length && wanted.every((part, index) => part.startsWith('{') || part === given[index])
}
