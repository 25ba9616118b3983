import {
  BalanceSummary as BalanceSchema,
  type BalanceSummary,
  check,
  type JsonObject,
  Problem,
  PullAnswer,
  PushAnswer,
  type PushResult,
  type Random,
  recordSchemas,
  type WritableKind,
} from '@saldo/core'
import { Broken, has, holds, NotApplicable } from '../check.ts'

/** A service under test. */
export interface ServiceTarget {
  /** Its address, such as `https://saldo.example`. */
  url: string
  /** A bearer token of the account to test with. */
  token: string
  /** One of another account. */
  otherToken?: string | undefined
  /** Moves the service's clock on, where it can be moved. */
  advanceClock?: ((ms: number) => Promise<void>) | undefined
  random: Random
}

/** An answer as checks look at it. */
export interface Answer {
  status: number
  headers: Headers
  /** The body's JSON; `undefined` where it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a check looks at what it asked for, and says what it finds
  body: any
}

export interface CallOptions {
  /** Sent as JSON. */
  json?: unknown
  /** Sent as it is, as `application/json` unless headers say otherwise. */
  raw?: string
  headers?: Readonly<Record<string, string>>
  /** Another token than the account's; null for none. */
  token?: string | null
}

/** Where the records of a kind are over REST (D9), with contents that touch nothing of an account that is in use. */
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

/**
 * A program that talks to the service under test, looks at each answer for what holds for all of them (D1), and remembers
 * what it made, to clear it away again.
 */
export class Session {
  readonly #target: ServiceTarget
  readonly #made = new Map<string, { path: string; token: string }>()
  readonly #closed = new Set<string>()
  /** Paths of records that could not be removed. */
  readonly leftovers: string[] = []

  constructor(target: ServiceTarget) {
    this.#target = target
  }

  get url(): string {
    return this.#target.url
  }

  /** A new id, as a client makes one. */
  id(): string {
    return this.#target.random.uuid()
  }

  /** The token of another account. */
  get otherToken(): string {
    if (this.#target.otherToken === undefined) throw new NotApplicable('needs a token of a second account')
    return this.#target.otherToken
  }

  /** Moves the service's clock on. */
  async advanceClock(ms: number): Promise<void> {
    if (!this.#target.advanceClock)
      throw new NotApplicable('needs a service whose clock can be moved, or an account that was pruned')
    await this.#target.advanceClock(ms)
  }

  /** Returns the headers that authenticate a request. */
  authorization(token: string | null = this.#target.token): Record<string, string> {
    return token === null ? {} : { authorization: `Bearer ${token}` }
  }

  /** Asks, and looks at the answer for what holds for all answers. */
  async call(method: string, path: string, { json, raw, headers, token }: CallOptions = {}): Promise<Answer> {
    const body = json === undefined ? raw : JSON.stringify(json)
    this.#remember(method, path, json, token ?? this.#target.token)
    const response = await fetch(`${this.#target.url}${path}`, {
      method,
      body: body ?? null,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...this.authorization(token),
        ...headers,
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    const text = await response.text()
    const type = response.headers.get('content-type') ?? ''
    const answer = { status: response.status, headers: response.headers, body: parsed(text, type) }
    requireAnswer(`${method} ${path}`, answer, type, text)
    if (answer.status === 201) this.#rememberMade(path, answer.body, token ?? this.#target.token)
    return answer
  }

  /** Asks for what must succeed, and returns the body. */
  async get(path: string): Promise<Answer['body']> {
    const { status, body } = await this.call('GET', path)
    holds(status === 200, `GET ${path} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  /** Creates a record over REST and returns it as it is stored. */
  async create(kind: WritableKind, content: JsonObject): Promise<Answer['body']> {
    const { status, body } = await this.call('POST', resources[kind].path, { json: content })
    holds(status === 201, `creating one of ${kind} answered ${status}: ${JSON.stringify(body)}`)
    return body
  }

  /** A record as it is read over REST; `undefined` where there is none. */
  async read(kind: WritableKind, id: string): Promise<Answer['body']> {
    const { status, body } = await this.call('GET', `${resources[kind].path}/${id}`)
    holds(status === 200 || status === 404, `reading one of ${kind} answered ${status}`)
    return status === 200 ? body : undefined
  }

  /** Pushes changes and returns their results, of which there must be as many. */
  async push(changes: readonly unknown[], device?: string): Promise<PushResult[]> {
    const { status, body } = await this.call('POST', '/api/sync/push', { json: { device, changes } })
    holds(status === 200, `push answered ${status}: ${JSON.stringify(body)}`)
    const { results } = fits(PushAnswer, body, 'the answer of push')
    holds(results.length === changes.length, `push answered ${results.length} results to ${changes.length} changes`)
    return results
  }

  /** Pushes one change and returns its result. */
  async pushOne(change: unknown, device?: string): Promise<PushResult> {
    return (await this.push([change], device))[0] as PushResult
  }

  /** Pulls what must be there. */
  async pull(query: string): Promise<PullAnswer> {
    const { status, body } = await this.call('GET', `/api/sync/pull${query}`)
    holds(status === 200, `pull with «${query}» answered ${status}: ${JSON.stringify(body)}`)
    return fits(PullAnswer, body, 'the answer of pull')
  }

  /** Where the account stands: the version of its last change, and the service's time, in milliseconds. */
  async now(): Promise<{ version: number; tag: string | null; ms: number }> {
    const { version, tag, server_time } = await this.pull(`?since=${Number.MAX_SAFE_INTEGER}`)
    return { version, tag, ms: Date.parse(server_time) }
  }

  /** The service's time, or one that lies so many milliseconds from it, as text. */
  async time(offsetMs = 0): Promise<string> {
    return new Date((await this.now()).ms + offsetMs).toISOString()
  }

  /** The balance summary (R2.7). */
  async balance(): Promise<BalanceSummary> {
    return fits(BalanceSchema, await this.get('/api/balance'), 'the balance')
  }

  /** For checks that need the whole calendar. */
  async requireEmpty(): Promise<void> {
    const { changes } = await this.pull('?limit=1')
    if (Object.values(changes).some((records) => (records ?? []).length > 0)) {
      throw new NotApplicable('needs an account without records')
    }
  }

  /** Clears away what was made: what is closed is reopened, records are deleted. Tombstones stay, as they must. */
  async tidy(): Promise<void> {
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

  async #remove(path: string, token: string): Promise<void> {
    const gone = await fetch(`${this.#target.url}${path}`, {
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

  /** Remembers what a request may make, before it is sent: the answer may be lost, or wrong. */
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

/** The collection of client-writable records that a path names, and the id in it. */
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
    throw new Broken(`D1: a body that calls itself JSON is none: ${text.slice(0, 200)}`)
  }
}

/** Throws `Broken` unless a response keeps what holds for all responses (D1). */
function requireAnswer(asked: string, { status, headers, body }: Answer, type: string, text: string): void {
  holds(/^[1-9]\d*$/.test(headers.get('saldo-protocol') ?? ''), `D1: ${asked} carries no Saldo-Protocol`)
  if (status < 400) return
  holds(status < 500 || status === 503, `D1: ${asked} answered ${status}: ${text.slice(0, 200)}`)
  holds(type.startsWith('application/problem+json'), `D1: ${asked} answered ${status} as ${type || 'nothing'}`)
  has(fits(Problem, body, `D1: the problem of ${asked}`), { status }, `D1: the problem of ${asked}`)
  holds(
    !/\\n\s+at |\bINSERT INTO\b/.test(text) && !(/\bSELECT\b/.test(text) && /\bFROM\b/.test(text)),
    `D1: ${asked} tells of stack traces or SQL: ${text}`,
  )
}

/** A body that has the form that the contract gives it. */
function fits<S extends Parameters<typeof check>[0]>(
  schema: S,
  body: unknown,
  what: string,
): Extract<ReturnType<typeof check<S>>, { ok: true }>['value'] {
  const checked = check(schema, body)
  if (checked.ok) return checked.value
  const [first] = checked.errors
  throw new Broken(`${what} is not what the contract says: ${first?.pointer || '/'} ${first?.detail}`)
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** A record as the service hands it out: of its schema (D2), with a version, and instants in the one form (D1). */
export function requireRecord(kind: keyof typeof recordSchemas, record: JsonObject): void {
  fits(recordSchemas[kind], record, `one of ${kind}`)
  for (const [name, value] of Object.entries(record)) {
    if (!/^(created|updated|started|ended|closed)_at$/.test(name) || value === null) continue
    holds(
      INSTANT.test(String(value)),
      `D1: «${name}» of one of ${kind} is ${value}, no instant in UTC with milliseconds`,
    )
  }
}

/** A change of push that creates or replaces. */
export function upsert(kind: string, id: string, updatedAt: string, content: JsonObject, seq?: number): JsonObject {
  return { kind, op: 'upsert', ...(seq !== undefined && { seq }), record: { ...content, id, updated_at: updatedAt } }
}

/** A change of push that deletes. */
export function deletion(kind: string, id: string, updatedAt: string, seq?: number): JsonObject {
  return { kind, op: 'delete', ...(seq !== undefined && { seq }), id, updated_at: updatedAt }
}
