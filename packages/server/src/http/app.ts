import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Random, UserNumber } from '@saldo/core'
import findMyWay, { type HTTPMethod } from 'find-my-way'
import type { JobPace } from '../account/job-pace.ts'
import type { Config } from '../env.ts'
import { Gate } from '../gate.ts'
import type { FailureLog, Log } from '../log.ts'
import type { Meter } from '../meter.ts'
import type { Storage } from '../store/storage.ts'
import { actingAs } from '../store/users/acting.ts'
import { type Identity, nameOfKey } from '../users/identification.ts'
import { type AccessConfig, AccessControl, type AccessOptions, refuseOtherSites } from './access.ts'
import { BytesInFlight, type HeldBytes } from './bytes-in-flight.ts'
import { Cors } from './cors.ts'
import { inTurns } from './parts.ts'
import { ProblemError, problemFor, responseOfProblem } from './problem.ts'
import { clientNetworkOf, requestIdOf, secureCookie } from './proxy.ts'
import { parseQuery, readBody, readSlowly, requireClearRequest, validate } from './request.ts'
import type { Method, Route, RouteResponse, RouteSpec } from './route.ts'
import { send } from './send.ts'
import { tooMany } from './throttle.ts'
import { unknownFieldsHeader, unknownFieldsOf, unknownQueryFieldsOf } from './unknown-fields.ts'
import type { WebApp } from './web-app.ts'

/** Refusals of requests that may be attacks: logged at `info`, all others at `debug`. */
const SUSPICIOUS_STATUSES = new Set([401, 403, 429])

export interface AppOptions extends AccessOptions {
  routes: readonly Route[]
  /** Is asked before the routes; `undefined` if no web app is built. */
  webApp: WebApp | undefined
  config: AccessConfig & Pick<Config, 'allowedOrigins' | 'trustedProxies'>
  random: Random
  log: Log
  /** Returns the pseudonym of a user in the log. */
  nameOf: (user: UserNumber) => string
  failures: FailureLog
  meter: Meter
  storage: Pick<Storage, 'noteFailure'>
  jobPace: Pick<JobPace, 'noteRequest'>
}

/** This many requests of a user are in progress at a time, each until the client has taken its response. */
const MAX_REQUESTS_AT_ONCE = 4
/** A session or a token has at most two of them: a program that reads no responses leaves room for its user. */
const MAX_REQUESTS_OF_KEY = 2
/** The tokens have at most three: however many read no responses, the app of their user can load, and revoke them. */
const MAX_REQUESTS_OF_TOKENS = 3
/** Access is checked again after this time while a client takes a response, and the response ends with it. */
const ACCESS_CHECK_MS = 10_000
/** This many more wait; a further one is refused. */
const MAX_WAITING_REQUESTS = 400
/** The bodies of a user's requests that are in memory: four of the largest; and those of all users together. */
const MAX_USER_BODY_BYTES = 16 * 1024 * 1024
const MAX_BODY_BYTES = 128 * 1024 * 1024
/** Of these, a session or a token has two of the largest: a program that sends no end leaves room for its user. */
const MAX_KEY_BODY_BYTES = 8 * 1024 * 1024
/** The bodies of a session that end access, apart from all others. */
const MAX_ENDING_BODY_BYTES = 64 * 1024
/** The same of requests that anybody may send: of a network, and of all together. */
const MAX_NETWORK_BODY_BYTES = 256 * 1024
const MAX_PUBLIC_BODY_BYTES = 16 * 1024 * 1024

/** The fields of a request in log and metrics. */
interface LogFields {
  request_id: string
  /** The path of the route; `app` for files of the web app, `none` if the address does not exist. */
  route: string
  user?: string
}

/** The HTTP application: finds the route of a request, checks the request, and sends the response. */
export class HttpApp {
  readonly #options: AppOptions
  readonly #router: Router
  readonly #access: AccessControl
  readonly #cors: Cors
  /** Leaves time for others: the requests of a user are handled one after another. */
  readonly #turns = new Gate(1)
  /** Requests that end access wait for none of the others, which can take long (D1.38). */
  readonly #endingTurns = new Gate(1)
  /** Leaves memory for others, since a response that nobody reads keeps its place. Event streams take none. */
  readonly #places = new Gate(MAX_REQUESTS_AT_ONCE)
  readonly #placesOfKeys = new Gate(MAX_REQUESTS_OF_KEY)
  readonly #placesOfTokens = new Gate(MAX_REQUESTS_OF_TOKENS)
  readonly #bodies = new BytesInFlight(MAX_USER_BODY_BYTES, MAX_BODY_BYTES)
  readonly #bodiesOfKeys = new BytesInFlight(MAX_KEY_BODY_BYTES, MAX_BODY_BYTES)
  readonly #endingBodies = new BytesInFlight(MAX_ENDING_BODY_BYTES, MAX_PUBLIC_BODY_BYTES)
  readonly #publicBodies = new BytesInFlight(MAX_NETWORK_BODY_BYTES, MAX_PUBLIC_BODY_BYTES)

  constructor(options: AppOptions) {
    this.#options = options
    this.#router = new Router(options.routes)
    this.#access = new AccessControl(options)
    this.#cors = new Cors(options.config.allowedOrigins)
  }

  /** The listener for requests. Never throws: failures become responses, or are logged. */
  readonly listener: RequestListener = (incoming, outgoing) => void this.#respond(incoming, outgoing)

  async #respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { log, meter, random, config } = this.#options
    const startedMs = performance.now()
    const requestId = requestIdOf(incoming, config.trustedProxies) ?? random.uuid()
    const fields: LogFields = { request_id: requestId, route: 'none' }
    const target = this.#targetOf(incoming)
    const unknownFields: string[] = []
    const response = await this.#answer(target, incoming, outgoing, fields, unknownFields).catch((error: unknown) =>
      this.#answerFailure(error, fields),
    )
    if (!incoming.complete) readSlowly(incoming)
    const cors = this.#cors.headersFor(target.match?.route.spec, incoming.headers)
    const own = this.#headersOf(response, incoming, fields, unknownFields)
    await send(incoming, outgoing, response, { ...cors, ...own }).catch((error: unknown) => {
      const isRefused = error instanceof ProblemError
      if (!incoming.socket.destroyed && !isRefused) {
        this.#options.failures.log(error, { ...fields }, 'sending a response failed')
      }
      outgoing.destroy()
    })
    const durationMs = performance.now() - startedMs
    const { method = 'GET' } = incoming
    const { status } = response
    meter.answered({ route: fields.route, method, status, seconds: durationMs / 1_000 })
    const level = SUSPICIOUS_STATUSES.has(status) ? 'info' : 'debug'
    log[level]({ ...fields, method, status, duration_ms: Math.round(durationMs) }, 'request')
  }

  #targetOf(incoming: IncomingMessage): Target {
    const [path = '/', ...query] = (incoming.url ?? '/').split('?')
    const method = incoming.method === 'HEAD' ? 'GET' : (incoming.method ?? 'GET')
    return { method, path, query: query.join('?'), match: this.#router.find(method, path) }
  }

  async #answer(
    { method, path, query, match }: Target,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    fields: LogFields,
    unknownFields: string[],
  ): Promise<RouteResponse> {
    const { headers } = incoming
    requireClearRequest(incoming)
    const file = method === 'GET' ? this.#options.webApp?.answer(path, headers) : undefined
    if (file) {
      fields.route = 'app'
      return file
    }
    if (match) {
      fields.route = match.route.spec.path
      return this.#run(match, incoming, outgoing, query, fields, unknownFields)
    }
    const specOf = (announced: string) => this.#router.find(announced, path)?.route.spec
    const preflight = method === 'OPTIONS' ? this.#cors.preflight(headers, specOf) : undefined
    if (!preflight) throw this.#noRoute(path)
    return preflight
  }

  async #run(
    { route: { spec, handle }, params }: Match,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    query: string,
    fields: LogFields,
    unknownFields: string[],
  ): Promise<RouteResponse> {
    const { headers } = incoming
    const identity = spec.access === 'public' ? undefined : await this.#access.identify(spec, headers)
    if (identity) {
      fields.user = this.#options.nameOf(identity.user)
      this.#options.jobPace.noteRequest(identity.user)
    }
    if (identity && spec.method === 'GET') refuseOtherSites(spec, identity, headers)
    if (identity && spec.method !== 'GET') await this.#access.admitUnsafe(spec, identity, headers)
    const checkedParams = validate(spec.params, params, 'The path is not valid.')
    const queryFields = parseQuery(query)
    unknownFields.push(...unknownQueryFieldsOf(spec.query, queryFields))
    const checkedQuery = validate(spec.query, queryFields, 'The query is not valid.')
    const isSlow = !incoming.complete
    using held = spec.body ? this.#beginBody(spec, identity, incoming) : undefined
    const sent = await readBody(incoming, spec, {
      admit: (bytes) => identity && this.#access.admitBytes(spec, identity, bytes),
      hold: (bytes) => held?.add(bytes),
      begin: () => headers.expect?.toLowerCase() === '100-continue' && outgoing.writeContinue(),
    })
    const documented = spec.documentedBody ?? spec.body
    if (documented) unknownFields.push(...unknownFieldsOf(documented, sent))
    const body = validate(spec.body, sent, 'The body is not valid.')
    const networkOf = () => this.#networkOf(incoming)
    const request = {
      ...{ params: checkedParams, query: checkedQuery, body, headers, identity },
      // Few routes ask for it.
      get clientNetwork() {
        return networkOf()
      },
    }
    // Awaited, so that the body counts until the request has been handled.
    if (!identity) return whenTaken(await handle(request), outgoing)
    const turns = spec.endsAccess ? this.#endingTurns : this.#turns
    const isBusy = this.#isBusy(identity, turns)
    const leave = spec.endsAccess ? () => undefined : await this.#enter(identity)
    if (outgoing.destroyed) leave()
    else outgoing.once('close', leave)
    // Another request may have begun since the place was free.
    const mustWait = isBusy || this.#isBusy(identity, turns)
    const response = await turns.run(identity.user, async () => {
      if (outgoing.destroyed) {
        throw new ProblemError('invalid_request', 'The connection closed before the request was handled.')
      }
      // Meanwhile the session may have ended, the token been revoked or the admin become a user (D8.37).
      if (isSlow || mustWait) await this.#access.identify(spec, headers)
      // Reads too: some note in a trail that somebody looked, and answer what they have read in that write.
      return actingAs({ ...identity, asAdmin: spec.access === 'admin' }, () => handle(request))
    })
    const check = () => this.#access.identify(spec, headers)
    if (response.stream) {
      outgoing.off('close', leave)
      leave()
    } else {
      endWithAccess(outgoing, check)
    }
    const parts = response.parts && inTurns(turns, identity.user, response.parts, check)
    return {
      ...response,
      ...(parts && { parts }),
      setCookies: [...identity.setCookies, ...(response.setCookies ?? [])],
    }
  }

  /** Begins to count the body of a request: of what ends access apart, so that programs leave room for it (D1.38). */
  #beginBody(spec: RouteSpec, identity: Identity | undefined, incoming: IncomingMessage): HeldBytes {
    if (!identity) return this.#publicBodies.begin(this.#networkOf(incoming))
    const key = nameOfKey(identity.by)
    if (spec.endsAccess) return this.#endingBodies.begin(key)
    const [ofKey, ofUser] = [this.#bodiesOfKeys.begin(key), this.#bodies.begin(identity.user)]
    return {
      add(bytes) {
        ofKey.add(bytes)
        ofUser.add(bytes)
      },
      [Symbol.dispose]() {
        ofKey[Symbol.dispose]()
        ofUser[Symbol.dispose]()
      },
    }
  }

  #networkOf(incoming: IncomingMessage): string {
    return clientNetworkOf(incoming, this.#options.config.trustedProxies)
  }

  /** True if a request of a user has to wait for a place or a turn. */
  #isBusy(identity: Identity, turns: Gate): boolean {
    return this.#placesFor(identity).some(([gate, key]) => gate.isFull(key)) || turns.isFull(identity.user)
  }

  /** Waits for a place, and returns a function that leaves it. Throws 429 if too many wait already. */
  async #enter(identity: Identity): Promise<() => void> {
    const places = this.#placesFor(identity)
    const waiting = Math.max(...places.map(([gate, key]) => gate.waiting(key)))
    if (waiting >= MAX_WAITING_REQUESTS) throw tooMany(1)
    const leaving: (() => void)[] = []
    for (const [gate, key] of places) leaving.unshift(await gate.enter(key))
    return () => {
      for (const leave of leaving) leave()
    }
  }

  /** The places that a request takes: first that of its key, whose requests that wait take none of the user's. */
  #placesFor({ user, by }: Identity): [Gate, string | number][] {
    const ofTokens: [Gate, number][] = by.kind === 'token' ? [[this.#placesOfTokens, user]] : []
    return [[this.#placesOfKeys, nameOfKey(by)], ...ofTokens, [this.#places, user]]
  }

  #noRoute(path: string): ProblemError {
    const allow = this.#router.allowedMethods(path).join(', ')
    if (allow === '') return new ProblemError('not_found', 'This address does not exist.')
    return new ProblemError('method_not_allowed', `Allowed methods: ${allow}.`, { headers: { allow } })
  }

  #answerFailure(error: unknown, fields: LogFields): RouteResponse {
    const problem = problemFor(error)
    if (problem && problem.code !== 'unavailable' && problem.code !== 'storage_full') return responseOfProblem(problem)
    this.#options.storage.noteFailure(error)
    this.#options.failures.log(error, fields, 'request failed')
    const detail = `Something went wrong. Report this request id to the operator: ${fields.request_id}`
    return responseOfProblem(problem ?? new ProblemError('internal', detail))
  }

  #headersOf(
    { setCookies = [] }: RouteResponse,
    incoming: IncomingMessage,
    fields: LogFields,
    unknownFields: readonly string[],
  ) {
    const { publicUrl, trustedProxies } = this.#options.config
    const unknown = unknownFieldsHeader(unknownFields)
    const isBehindTls = publicUrl?.startsWith('https:')
    const cookies = setCookies.map((cookie) => secureCookie(cookie, incoming, trustedProxies))
    return {
      ...(isBehindTls && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
      'x-request-id': fields.request_id,
      ...(unknown !== undefined && { 'saldo-unknown-fields': unknown }),
      ...(cookies.length > 0 && { 'set-cookie': cookies }),
    }
  }
}

/** Ends a response that a client takes slowly, or not at all, once `check` refuses its access. */
function endWithAccess(outgoing: ServerResponse, check: () => Promise<unknown>): void {
  if (outgoing.destroyed) return
  const end = (error: unknown) => {
    if (error instanceof ProblemError) outgoing.destroy()
  }
  const checking = setInterval(() => void check().catch(end), ACCESS_CHECK_MS).unref()
  outgoing.once('close', () => clearInterval(checking))
}

/** Returns a response, and tells its route once the client has taken it, or is gone. */
function whenTaken(response: RouteResponse, outgoing: ServerResponse): RouteResponse {
  if (outgoing.destroyed) response.onTaken?.()
  else outgoing.once('close', () => response.onTaken?.())
  return response
}

/** Longer path parameters match no route. */
const MAX_PARAM_LENGTH = 200

/** Method, path and route of a request. */
interface Target {
  method: string
  path: string
  query: string
  /** `undefined` if there is no route. */
  match: Match | undefined
}

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

interface Match {
  route: Route
  /** The parameters in the path, decoded. */
  params: Record<string, string | undefined>
}

class Router {
  readonly #router = findMyWay({ maxParamLength: MAX_PARAM_LENGTH })

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const path = route.spec.path.replaceAll(/\{(\w+)\}/g, ':$1')
      this.#router.on(route.spec.method, path, () => undefined, route)
    }
  }

  find(method: string, path: string): Match | undefined {
    // The library takes `*` for `/`, and matches empty parameters.
    const found = path === '*' ? null : this.#router.find(method as HTTPMethod, path)
    if (!found || Object.values(found.params).includes('')) return undefined
    return { route: found.store as Route, params: found.params }
  }

  /** Returns the methods that a path allows, as the `Allow` header lists them; none if the path does not exist. */
  allowedMethods(path: string): string[] {
    const methods = METHODS.filter((method) => this.find(method, path))
    return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  }
}
