import { setTimeout } from 'node:timers/promises'
import {
  BalanceSummary as BalanceSchema,
  type BalanceSummary,
  check,
  type JsonObject,
  type LocalDate,
  Problem,
  PullResponse,
  PushResponse,
  type PushResult,
  type Random,
  recordSchemas,
  utcDate,
  type WritableKind,
} from '@saldo/core'
import { assertFields, assertTrue, NotApplicable, RuleViolation } from '../check.ts'

/**
 * Sessions of users, as the `Cookie` headers of their requests: a member and a colleague of a group whose members see
 * each other, its lead, who is a member too and has no other role, and a stranger without a company.
 */
export type TeamSessions = Record<'member' | 'colleague' | 'lead' | 'stranger', string>
/** A user of `TeamSessions`. */
export type TeamMember = keyof TeamSessions

/** A service under test. */
export interface ServiceTarget {
  /** Its address, such as `https://saldo.example`. */
  url: string
  /** A bearer token of the account to test with. */
  token: string
  /** A bearer token of another account. */
  otherToken?: string | undefined
  /** Sessions of a company, for the checks of teams. */
  team?: TeamSessions | undefined
  /** Advances the clock of the service, if it can be advanced. */
  advanceClock?: ((ms: number) => Promise<void>) | undefined
  random: Random
}

/** A response of the service. */
export interface CheckedResponse {
  status: number
  headers: Headers
  /** The JSON of the body, `undefined` if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: checks inspect whatever the service answers
  body: any
}

export interface CallOptions {
  /** Sent as JSON. */
  json?: unknown
  /** Sent unchanged, as `application/json` unless headers say otherwise. */
  raw?: string
  headers?: Readonly<Record<string, string>>
  /** Used instead of the token of the account; null sends none. */
  token?: string | null
}

/** The REST path of each kind (D9), with contents that do not affect the records of an account in use. */
export const resources = {
  entries: {
    path: '/api/entries',
    content: { kind: 'work', started_at: '9000-03-01T08:00:00.000Z', ended_at: '9000-03-01T12:00:00.000Z' },
    other: { kind: 'sick', date: '9000-03-02', day_share: 0.5, note: 'other' },
    on: (date: string): JsonObject => ({ kind: 'vacation', date }),
  },
  settings_history: {
    path: '/api/settings',
    content: { effective_from: '9000-03-01', time_zone: 'Europe/Berlin', target_ms: [1, 2, 3, 4, 5, 0, 0] },
    other: { effective_from: '9000-03-02', time_zone: 'UTC', target_ms: [0, 0, 0, 0, 0, 0, 0], note: 'other' },
    on: (date: string): JsonObject => ({ effective_from: date, time_zone: 'UTC', target_ms: [0, 0, 0, 0, 0, 0, 0] }),
  },
  balance_adjustments: {
    path: '/api/balance/adjustments',
    content: { effective_date: '9000-03-01', delta_ms: 10_800_000, kind: 'correction', reason: 'conformance' },
    other: { effective_date: '9000-03-02', delta_ms: -1, kind: 'other', reason: 'other' },
    on: (date: string): JsonObject => ({ effective_date: date, delta_ms: 1, kind: 'other', reason: 'x' }),
  },
} as const satisfies Record<
  WritableKind,
  { path: string; content: JsonObject; other: JsonObject; on: (date: string) => JsonObject }
>

export const kinds = Object.keys(resources) as WritableKind[]

const UUID = /\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const REQUEST_TIMEOUT_MS = 30_000
/** The longest time that a request waits because of `Retry-After`. */
const MAX_WAIT_MS = 300_000

/**
 * Sends requests to the service under test. It checks every response for the rules that hold for all of them (D1), and
 * remembers the records that it creates in order to remove them.
 */
export class ServiceSession {
  readonly #target: ServiceTarget
  readonly #signal: AbortSignal | undefined
  readonly #made = new Map<string, { path: string; token: string }>()
  readonly #closed = new Set<string>()
  /** Paths of records that could not be removed. */
  readonly leftovers: string[] = []

  /** `signal` ends the requests of checks, but not the removal of what they created. */
  constructor(target: ServiceTarget, signal?: AbortSignal) {
    this.#target = target
    this.#signal = signal
  }

  get url(): string {
    return this.#target.url
  }

  /** Returns a new id, as a client does for a record that it creates. */
  newId(): string {
    return this.#target.random.uuid()
  }

  /** The token of another account. Throws `NotApplicable` if there is none. */
  get otherToken(): string {
    if (this.#target.otherToken === undefined) throw new NotApplicable('needs a token of a second account')
    return this.#target.otherToken
  }

  /** Sends a request in the session of a user of a company. Throws `NotApplicable` without these sessions. */
  callAs(who: TeamMember, method: string, path: string, json?: object): Promise<CheckedResponse> {
    const { team } = this.#target
    if (!team) throw new NotApplicable('needs sessions of a company')
    const headers = { cookie: team[who], 'sec-fetch-site': 'same-origin' }
    return this.call(method, path, { token: null, headers, ...(json && { json }) })
  }

  /** Advances the clock of the service. Throws `NotApplicable` if it cannot be advanced. */
  async advanceClock(ms: number): Promise<void> {
    if (!this.#target.advanceClock)
      throw new NotApplicable('needs a service whose clock can be advanced, or an account with a pruned log')
    await this.#target.advanceClock(ms)
  }

  /** Returns the header that authenticates a request. */
  authorization(token: string | null = this.#target.token): Record<string, string> {
    return token === null ? {} : { authorization: `Bearer ${token}` }
  }

  /** Sends a request and checks the response for the rules that hold for all of them. */
  async call(method: string, path: string, { json, raw, headers, token }: CallOptions = {}): Promise<CheckedResponse> {
    const body = json === undefined ? raw : JSON.stringify(json)
    this.#remember(method, path, json, token ?? this.#target.token)
    this.#signal?.throwIfAborted()
    const init = {
      method,
      body: body ?? null,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...this.authorization(token),
        ...headers,
      },
      redirect: 'manual',
    } as const
    const response = await this.#send(path, init, this.#signal)
    const text = await response.text()
    const type = response.headers.get('content-type') ?? ''
    const answer = { status: response.status, headers: response.headers, body: parsed(text, type) }
    assertValidResponse(`${method} ${path}`, answer, type, text)
    if (answer.status === 201) this.#rememberMade(path, answer.body, token ?? this.#target.token)
    return answer
  }

  /** Sends a GET request that must succeed and returns the body. */
  async get(path: string): Promise<CheckedResponse['body']> {
    const { status, body } = await this.call('GET', path)
    assertTrue(status === 200, `GET ${path} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  /** Creates a record over REST and returns it as the service stored it. */
  async create(kind: WritableKind, content: JsonObject): Promise<CheckedResponse['body']> {
    const { status, body } = await this.call('POST', resources[kind].path, { json: content })
    assertTrue(status === 201, `creating one of ${kind} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  /** Returns a record over REST, `undefined` if it does not exist. */
  async read(kind: WritableKind, id: string): Promise<CheckedResponse['body']> {
    const { status, body } = await this.call('GET', `${resources[kind].path}/${id}`)
    assertTrue(status === 200 || status === 404, `reading one of ${kind} answered ${status}`)
    return status === 200 ? body : undefined
  }

  /** Pushes changes and returns one result for each. */
  async push(changes: readonly unknown[], device?: string): Promise<PushResult[]> {
    const { status, body } = await this.call('POST', '/api/sync/push', { json: { device, changes } })
    assertTrue(status === 200, `push answered ${status}: ${JSON.stringify(body)}`)
    const { results } = fits(PushResponse, body, 'the answer of push')
    assertTrue(
      results.length === changes.length,
      `push answered ${results.length} results to ${changes.length} changes`,
    )
    return results
  }

  /** Pushes one change and returns its result. */
  async pushOne(change: unknown, device?: string): Promise<PushResult> {
    return (await this.push([change], device))[0] as PushResult
  }

  /** Sends a pull that must succeed. */
  async pull(query: string): Promise<PullResponse> {
    const { status, body } = await this.call('GET', `/api/sync/pull${query}`)
    assertTrue(status === 200, `pull with «${query}» answered ${status}: ${JSON.stringify(body)}`)
    return fits(PullResponse, body, 'the answer of pull')
  }

  /** Returns the version and history tag of the account's last change and the time of the service. */
  async now(): Promise<{ version: number; tag: string | null; ms: number }> {
    const { version, tag, server_time } = await this.pull(`?since=${Number.MAX_SAFE_INTEGER}`)
    return { version, tag, ms: Date.parse(server_time) }
  }

  /** Returns the time of the service plus `offsetMs` as text. */
  async time(offsetMs = 0): Promise<string> {
    return new Date((await this.now()).ms + offsetMs).toISOString()
  }

  /** Returns the date of the service's time in UTC. */
  async today(): Promise<LocalDate> {
    return utcDate((await this.now()).ms)
  }

  /** Returns the balance summary (R2.7). */
  async balance(): Promise<BalanceSummary> {
    return fits(BalanceSchema, await this.get('/api/balance'), 'the balance')
  }

  /** Throws `NotApplicable` unless the account has no records, for checks that use the whole calendar. */
  async requireEmpty(): Promise<void> {
    const { changes } = await this.pull('?limit=1')
    if (Object.values(changes).some((records) => (records ?? []).length > 0)) {
      throw new NotApplicable('needs an account without records')
    }
  }

  /** Reopens closed days and weeks and deletes the created records. Their tombstones stay. */
  async cleanUp(): Promise<void> {
    const closed = [...this.#closed]
    this.#closed.clear()
    for (const kind of ['/api/closed-weeks/', '/api/closed-days/']) {
      const its = closed.filter((path) => path.startsWith(kind))
      await Promise.all(its.map((path) => this.#remove(path, this.#target.token)))
    }
    const made = [...this.#made.values()]
    this.#made.clear()
    await Promise.all(made.map(({ path, token }) => this.#remove(path, token)))
  }

  /** Sends a request, and again after the delay of `Retry-After` while the account may not write so much (D1.25). */
  async #send(path: string, init: RequestInit, end?: AbortSignal): Promise<Response> {
    for (let waitedMs = 0; ; ) {
      const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
      const response = await fetch(`${this.#target.url}${path}`, { ...init, signal })
      const delayMs = Number(response.headers.get('retry-after') ?? Number.NaN) * 1_000
      waitedMs += delayMs
      if (response.status !== 429 || !(delayMs > 0) || waitedMs > MAX_WAIT_MS) return response
      await response.body?.cancel()
      await setTimeout(delayMs, undefined, { ...(end && { signal: end }) })
    }
  }

  async #remove(path: string, token: string): Promise<void> {
    const gone = await this.#send(path, {
      method: 'DELETE',
      headers: this.authorization(token),
    }).then(
      async (response) => {
        await response.body?.cancel()
        return [204, 404, 409].includes(response.status)
      },
      () => false,
    )
    if (!gone) this.leftovers.push(path)
  }

  /** Remembers the records that a request may create before it is sent, because the response may be lost or wrong. */
  #remember(method: string, path: string, json: unknown, token: string): void {
    if (method !== 'POST' && method !== 'PUT') return
    if (path === '/api/sync/push') {
      for (const change of Array.isArray(Object(json).changes) ? Object(json).changes : []) {
        const { kind, id, record } = Object(change)
        const its = resources[kind as WritableKind]
        if (its) this.#keep(`${its.path}/${Object(record).id ?? id}`, token)
      }
    }
    const [collection = '', id = Object(json).id] = pathOf(path)
    if (collection && typeof id === 'string') this.#keep(`${collection}/${id}`, token)
  }

  #rememberMade(path: string, body: unknown, token: string): void {
    const { id, week, date } = Object(body)
    const [collection] = pathOf(path)
    if (collection) this.#keep(`${collection}/${id}`, token)
    if (path === '/api/closed-weeks') this.#closed.add(`${path}/${week}`)
    if (path === '/api/closed-days') this.#closed.add(`${path}/${date}`)
  }

  #keep(path: string, token: string): void {
    if (UUID.test(path)) this.#made.set(`${token} ${path}`, { path, token })
  }
}

/** Returns the collection of client-writable records and the id in a path. */
function pathOf(path: string): [string?, string?] {
  const pathname = path.split('?')[0] as string
  const collection = Object.values(resources).find(
    (its) => pathname === its.path || pathname.startsWith(`${its.path}/`),
  )
  if (!collection) return []
  const id = pathname.slice(collection.path.length + 1)
  return id === '' ? [collection.path] : [collection.path, id]
}

function parsed(text: string, type: string): unknown {
  if (!type.includes('json') || text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new RuleViolation(`D1: a body of type JSON is not JSON: ${text.slice(0, 200)}`)
  }
}

/** Checks the rules that hold for every response (D1). */
function assertValidResponse(
  request: string,
  { status, headers, body }: CheckedResponse,
  type: string,
  text: string,
): void {
  assertTrue(
    /^[1-9]\d*(?:; *from=[1-9]\d*)?$/.test(headers.get('saldo-protocol') ?? ''),
    `D1: the response to ${request} has no Saldo-Protocol`,
  )
  if (status < 400) return
  assertTrue(status < 500 || status === 503, `D1: ${request} answered ${status}: ${text.slice(0, 200)}`)
  assertTrue(type.startsWith('application/problem+json'), `D1: ${request} answered ${status} as ${type || 'nothing'}`)
  assertFields(fits(Problem, body, `D1: the problem of ${request}`), { status }, `D1: the problem of ${request}`)
  assertTrue(
    !/\\n\s+at |\bINSERT INTO\b/.test(text) && !(/\bSELECT\b/.test(text) && /\bFROM\b/.test(text)),
    `D1: the response to ${request} contains a stack trace or SQL: ${text}`,
  )
}

/** Returns a body that matches its schema. Throws `RuleViolation` if it does not. */
function fits<S extends Parameters<typeof check>[0]>(
  schema: S,
  body: unknown,
  what: string,
): Extract<ReturnType<typeof check<S>>, { ok: true }>['value'] {
  const checked = check(schema, body)
  if (checked.ok) return checked.value
  const [first] = checked.errors
  throw new RuleViolation(`${what} does not match its schema: ${first?.pointer || '/'} ${first?.detail}`)
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Checks a record that the service hands out: its schema (D2), its version and the form of instants (D1). */
export function assertValidRecord(kind: keyof typeof recordSchemas, record: JsonObject): void {
  fits(recordSchemas[kind], record, `one of ${kind}`)
  for (const [name, value] of Object.entries(record)) {
    if (!/^(created|updated|started|ended|closed)_at$/.test(name) || value === null) continue
    assertTrue(
      INSTANT.test(String(value)),
      `D1: «${name}» of one of ${kind} is ${value}, not an instant in UTC with milliseconds`,
    )
  }
}

/** Returns a change that creates or replaces a record. */
export function upsert(kind: string, id: string, updatedAt: string, content: JsonObject, seq?: number): JsonObject {
  return { kind, op: 'upsert', ...(seq !== undefined && { seq }), record: { ...content, id, updated_at: updatedAt } }
}

/** Returns a change that deletes a record. */
export function deletion(kind: string, id: string, updatedAt: string, seq?: number): JsonObject {
  return { kind, op: 'delete', ...(seq !== undefined && { seq }), id, updated_at: updatedAt }
}
