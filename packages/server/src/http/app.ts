import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { type Checked, check, escapePointer, type Random } from '@saldo/core'
import findMyWay, { type HTTPMethod } from 'find-my-way'
import type * as v from 'valibot'
import type { Config } from '../env.ts'
import type { FailureLog } from '../failure-log.ts'
import type { Log, LogName } from '../log.ts'
import type { Meter } from '../meter.ts'
import type { UserId } from '../store/store.ts'
import type { Auth, Identity } from '../users/auth.ts'
import { readJson } from './body.ts'
import { compress, lengthOf, type Parts } from './compress.ts'
import { ProblemError, problemAnswer, problemFor } from './problem.ts'
import type { RequestHeaders } from './request-headers.ts'
import type { Answer, Method, Route, RouteSpec, Stream } from './route.ts'
import { requireSameOrigin } from './same-origin.ts'
import { standardHeaders } from './standard-headers.ts'
import { Throttle } from './throttle.ts'
import type { WebApp } from './web-app.ts'

/** The most that a body may measure where a route does not say otherwise: a record with room for escapes. */
const MAX_BODY_BYTES = 256 * 1024
/** Paths are told apart by this much of them; longer ones exist nowhere. */
const MAX_PARAM_LENGTH = 200

export interface AppOptions {
  routes: readonly Route[]
  /** Answers before the routes where it has something; `undefined` where no app is built. */
  webApp: WebApp | undefined
  auth: Auth
  config: Pick<Config, 'publicUrl' | 'trustedProxies' | 'writesPerMinute'>
  random: Random
  log: Log
  /** What stands for a user in the log. */
  nameOf: (user: UserId) => LogName
  failures: FailureLog
  meter: Meter
}

/** What is known of a request, for log and metrics. */
interface Seen {
  requestId: string
  /** The path as the route writes it, `app` for the web app's files, `none` where nothing is at that address. */
  route: string
  user?: LogName
}

/** The HTTP application: finds the route of a request, checks the request, and sends what comes of it. */
export function createApp(options: AppOptions): RequestListener {
  const { routes, webApp, auth, config, random, log, nameOf, failures, meter } = options
  const router = findMyWay({ maxParamLength: MAX_PARAM_LENGTH })
  const writes = new Throttle(config.writesPerMinute, 60)
  const behindTls = config.publicUrl?.startsWith('https:') ?? false
  for (const route of routes) {
    router.on(route.spec.method, route.spec.path.replaceAll(/\{(\w+)\}/g, ':$1'), unused, route)
  }
  // Never rejects: what fails becomes an answer, or is logged.
  return (incoming, outgoing) => void respond(incoming, outgoing)

  async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const startedMs = performance.now()
    const seen: Seen = { requestId: requestIdOf(incoming), route: 'none' }
    const [path = '/', query = ''] = splitOnce(incoming.url ?? '/', '?')
    const answer = await run(incoming, path, query, seen).catch((error: unknown) => failure(error, seen))
    await send(incoming, outgoing, answer, seen.requestId).catch((error: unknown) => {
      log.error({ ...fieldsIn(seen), err: error }, 'an answer could not be sent')
      outgoing.destroy()
    })
    const durationMs = performance.now() - startedMs
    const { method = 'GET' } = incoming
    const { status } = answer
    meter.answered({ route: seen.route, method, status, seconds: durationMs / 1_000 })
    const fields = { ...fieldsIn(seen), method, status, duration_ms: Math.round(durationMs) }
    log[REFUSALS.has(status) ? 'info' : 'debug'](fields, 'request')
  }

  async function run(incoming: IncomingMessage, path: string, query: string, seen: Seen): Promise<Answer> {
    const method = incoming.method === 'HEAD' ? 'GET' : incoming.method
    const ofWebApp = method === 'GET' && webApp?.answer(path, incoming.headers)
    if (ofWebApp) {
      seen.route = 'app'
      return ofWebApp
    }
    const found = find(method as HTTPMethod, path)
    if (!found) return noRoute(path)
    seen.route = (found.store as Route).spec.path
    return perform(found, incoming, query, seen)
  }

  async function perform(
    { store, params: inPath }: { store: unknown; params: unknown },
    incoming: IncomingMessage,
    query: string,
    seen: Seen,
  ): Promise<Answer> {
    const { spec, handle } = store as Route
    const { headers } = incoming
    const identity = spec.access === 'public' ? undefined : await authorize(spec, headers, seen)
    const params = valid(spec.params, inPath, 'The path is not valid.')
    const fields = valid(spec.query, fieldsOf(query), 'The query is not valid.')
    const hadCome = incoming.complete
    const body = await readBody(incoming, spec)
    // While a body was on its way, the session may have ended, or the token been revoked.
    if (identity && !hadCome) await identify(spec, headers)
    const answer = await handle({
      params,
      query: fields,
      ...body,
      headers,
      identity,
      clientAddress: clientAddress(incoming),
    })
    if (!identity || identity.setCookies.length === 0) return answer
    return { ...answer, setCookies: [...identity.setCookies, ...(answer.setCookies ?? [])] }
  }

  async function authorize(spec: RouteSpec, headers: RequestHeaders, seen: Seen): Promise<Identity> {
    const identity = await identify(spec, headers)
    seen.user = nameOf(identity.user)
    if (spec.method !== 'GET') {
      if (identity.by.kind === 'session') requireSameOrigin(headers)
      await writes.take(String(identity.user))
    }
    return identity
  }

  async function identify(spec: RouteSpec, headers: RequestHeaders): Promise<Identity> {
    const identity = await auth.identify(headers)
    if (!identity) throw unauthenticated('Sign in, or send a token that is valid.')
    const meant = headers['saldo-user']
    if (meant !== undefined && meant !== String(identity.user)) {
      throw unauthenticated('Another user is meant than the one who is signed in.')
    }
    if (spec.access === 'session' && identity.by.kind !== 'session') {
      throw new ProblemError('forbidden', 'A token cannot do this; sign in with your password.')
    }
    return identity
  }

  /** What the router finds, but for what it is too generous with: `*`, which it takes for `/`, and parameters that are empty. */
  function find(method: HTTPMethod, path: string) {
    const found = path === '*' ? null : router.find(method, path)
    return found && !Object.values(found.params).includes('') ? found : null
  }

  function noRoute(path: string): Answer {
    const methods = (['GET', 'POST', 'PUT', 'DELETE'] satisfies Method[]).filter((method) => find(method, path))
    if (methods.length === 0) return problemAnswer(new ProblemError('not_found', 'There is nothing at this address.'))
    const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
    return problemAnswer(new ProblemError('method_not_allowed', `Allowed here: ${allow}.`, { headers: { allow } }))
  }

  function failure(error: unknown, seen: Seen): Answer {
    const problem = problemFor(error)
    if (problem && problem.code !== 'unavailable' && problem.code !== 'storage_full') return problemAnswer(problem)
    failures.tell(error, fieldsIn(seen), 'request failed')
    return problemAnswer(
      problem ?? new ProblemError('internal', `Something went wrong. Tell the operator: ${seen.requestId}`),
    )
  }

  async function send(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    answer: Answer,
    requestId: string,
  ): Promise<void> {
    const { status, headers, setCookies = [], stream } = answer
    const { parts, ...encoded } = await encodedBody(answer, incoming.headers['accept-encoding'])
    outgoing.writeHead(status, {
      ...standardHeaders,
      ...(behindTls && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
      'x-request-id': requestId,
      ...(setCookies.length > 0 && { 'set-cookie': setCookies.map((cookie) => secured(cookie, incoming)) }),
      ...(parts && { 'content-type': 'application/json' }),
      ...headers,
      ...encoded.headers,
    })
    if (stream) return carry(stream, incoming, outgoing)
    const sent = incoming.method === 'HEAD' ? [] : (parts ?? [])
    for (const part of sent.slice(0, -1)) outgoing.write(part)
    outgoing.end(sent.at(-1))
  }

  /** A trusted proxy's name for the request, so that its log and ours can be read together; else one of our own. */
  function requestIdOf({ headers }: IncomingMessage): string {
    const told = config.trustedProxies > 0 ? headers['x-request-id'] : undefined
    return typeof told === 'string' && REQUEST_ID.test(told) ? told : random.uuid()
  }

  /** A cookie, `Secure` also where a trusted proxy says that it was asked over TLS. */
  function secured(cookie: string, { headers }: IncomingMessage): string {
    const overTls = config.trustedProxies > 0 && headers['x-forwarded-proto'] === 'https'
    return overTls && !/;\s*secure/i.test(cookie) ? `${cookie}; Secure` : cookie
  }

  /** The client's address, as told by the outermost proxy that is trusted. */
  function clientAddress({ socket, headers }: IncomingMessage): string {
    const seen = socket.remoteAddress ?? ''
    if (config.trustedProxies === 0) return seen
    const told = headers['x-forwarded-for']?.toString().split(',').at(-config.trustedProxies)
    return told?.trim() ?? seen
  }
}

/** What tells that somebody tries what they may not: who is nobody, not allowed, or too often here. */
const REFUSALS = new Set([401, 403, 429])
/** As proxies make them: UUIDs, hexadecimal digits, and the like. */
const REQUEST_ID = /^[\w.:-]{8,128}$/

function fieldsIn({ requestId, route, user }: Seen) {
  return { request_id: requestId, route, ...(user && { user }) }
}

/** The router only finds; what is found is run by `run`. */
function unused(): void {}

function unauthenticated(detail: string): ProblemError {
  return new ProblemError('unauthenticated', detail, { headers: { 'www-authenticate': 'Bearer' } })
}

/** Lets a stream write until the connection closes; not at all where nobody would read it. */
function carry(stream: Stream, { method }: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.once('close', () => stream.stop())
  // An answer that waits behind others has no connection yet, and is not told when that ends; nor is one whose client is gone.
  if (method === 'HEAD' || outgoing.socket?.destroyed !== false) stream.stop()
  stream.begin(outgoing)
}

/** The body as it is sent, and the headers that say so. */
async function encodedBody(
  { status, body, stream, headers }: Answer,
  acceptEncoding: string | undefined,
): Promise<{ parts?: Parts; headers: Record<string, string | number> }> {
  if (stream) return { headers: {} }
  if (body === undefined) return { headers: status === 204 || status === 304 ? {} : { 'content-length': 0 } }
  const plain = partsOf(body)
  // A strong entity tag names one representation.
  const isAsItIs = headers?.etag?.startsWith('"') || headers?.['content-encoding'] !== undefined
  if (isAsItIs) return { parts: plain, headers: { 'content-length': lengthOf(plain) } }
  const { parts, encoding } = await compress(plain, acceptEncoding)
  return {
    parts,
    headers: {
      'content-length': lengthOf(parts),
      vary: 'Accept-Encoding',
      ...(encoding && { 'content-encoding': encoding }),
    },
  }
}

function partsOf(body: string | Uint8Array | Parts): Parts {
  if (typeof body === 'string') return [Buffer.from(body)]
  return body instanceof Uint8Array ? [body] : body
}

async function readBody(incoming: IncomingMessage, spec: RouteSpec): Promise<{ body: unknown; record: unknown }> {
  if (!spec.body && !spec.record) return { body: undefined, record: undefined }
  const read = await readJson(incoming, spec.maxBodyBytes ?? MAX_BODY_BYTES)
  if (spec.record) return { body: undefined, record: read }
  return { body: valid(spec.body, read, 'The body is not valid.'), record: undefined }
}

function valid<S extends v.GenericSchema>(schema: S | undefined, input: unknown, detail: string): unknown {
  if (!schema) return undefined
  const checked: Checked<unknown> = check(schema, input)
  if (checked.ok) return checked.value
  throw new ProblemError('invalid_request', detail, { errors: checked.errors })
}

/** The fields of a query. Of one that is given twice nobody knows which was meant. */
function fieldsOf(query: string): Record<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of query === '' ? [] : new URLSearchParams(query)) {
    if (fields.has(name)) {
      const errors = [{ pointer: `/${escapePointer(name)}`, detail: 'must be given once' }]
      throw new ProblemError('invalid_request', 'The query is not valid.', { errors })
    }
    fields.set(name, value)
  }
  return Object.fromEntries(fields)
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
