import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import {
  type Change,
  type Claims,
  DigestSum,
  decideChange,
  type Instant,
  instantOf,
  isWritableKind,
  type JsonObject,
  PROTOCOL_VERSION,
  type ProblemCode,
  type PushResult,
  parseChange,
  parseContent,
  problemOf,
  type Random,
  type RecordId,
  type WritableKind,
} from '@saldo/core'

/** A request as the service receives it. */
export interface ReceivedRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: whatever a client under test sends
  body: any
}

/** A response of the service; `headers` are added to those that every response has. */
export interface ScriptedResponse {
  status: number
  body?: unknown
  headers?: Record<string, string>
  /** The response is another server's, such as a captive portal's. */
  isForeign?: true
}

/**
 * The fault that a request meets: the network loses the request, or its response after the service has carried it
 * out, or another response is sent. `undefined` if there is none.
 */
export type Fault = (request: ReceivedRequest) => 'requestLost' | 'responseLost' | ScriptedResponse | undefined

interface Row {
  kind: WritableKind
  id: RecordId
  version: number
  updatedAt: Instant
  createdAt: Instant
  /** Null for a tombstone. */
  content: Change['content']
  claims: Claims
}

interface History {
  rows: Map<string, Row>
  version: number
  /** History tags by version. */
  tags: Map<number, string>
  /** The version up to which the log is pruned. */
  marker: number
}

export const USER = 7
export const TOKEN = 'conformance'

const collections: Record<string, WritableKind> = {
  '/api/entries': 'entries',
  '/api/settings': 'settings_history',
  '/api/balance/adjustments': 'balance_adjustments',
}

const LIMIT = 5_000

/**
 * A service in memory that has what the sync of a client needs. A check makes it fail, prune its log or go back to a
 * backup. It records its requests.
 */
export class ScriptedService {
  /** Every request in order, whatever the response. */
  readonly requests: ReceivedRequest[] = []
  fault: Fault = () => undefined
  /** Changes responses before they are sent. */
  alter: (response: ScriptedResponse, request: ReceivedRequest) => ScriptedResponse = (response) => response
  /** The clock is this far ahead of the computer's. */
  skewMs = 0
  /** The maximum number of records in a page of a pull. */
  pageSize = LIMIT
  readonly #random: Random
  readonly #now: () => number
  readonly #server = createServer((incoming, outgoing) => void this.#serve(incoming, outgoing))
  #history: History = { rows: new Map(), version: 0, tags: new Map(), marker: 0 }
  #backup: History | undefined

  constructor(random: Random, now: () => number) {
    this.#random = random
    this.#now = now
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  get version(): number {
    return this.#history.version
  }

  nowMs(offsetMs = 0): number {
    return this.#now() + this.skewMs + offsetMs
  }

  /** Returns the time of the service plus `offsetMs` as text. */
  time(offsetMs = 0): Instant {
    return instantOf(this.nowMs(offsetMs))
  }

  /** Returns the live records of a kind as the service hands them out. */
  records(kind: WritableKind): JsonObject[] {
    return [...this.#history.rows.values()].flatMap((row) => (row.kind === kind && row.content ? [handed(row)] : []))
  }

  /** Stores a change of another device; null deletes the record. */
  write(kind: WritableKind, id: RecordId, content: Change['content'], updatedAt = this.time()): void {
    const before = this.#history.rows.get(`${kind} ${id}`)
    this.#put(kind, id, content, updatedAt, before?.claims ?? {})
  }

  /** Prunes the whole log, so that a client that has not pulled it gets a 410. */
  prune(): void {
    this.#history.marker = this.#history.version
  }

  backUp(): void {
    this.#backup = structuredClone(this.#history)
  }

  restore(): void {
    if (this.#backup) this.#history = structuredClone(this.#backup)
  }

  #put(kind: WritableKind, id: RecordId, content: Change['content'], updatedAt: Instant, claims: Claims): Row {
    const { rows, tags } = this.#history
    this.#history.version += 1
    const { version } = this.#history
    tags.set(version, this.#random.token(9))
    const createdAt = rows.get(`${kind} ${id}`)?.createdAt ?? this.time()
    const row = { kind, id, version, updatedAt, createdAt, content, claims }
    rows.set(`${kind} ${id}`, row)
    return row
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '', this.url)
    const request: ReceivedRequest = {
      method: incoming.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: parsed(await text(incoming).catch(() => '')),
    }
    this.requests.push(request)
    const fault = this.fault(request)
    if (fault === 'requestLost') return void outgoing.destroy()
    const response =
      fault === undefined || fault === 'responseLost' ? this.alter(this.#answer(request), request) : fault
    if (fault === 'responseLost') return void outgoing.destroy()
    const isJson = response.body !== undefined && typeof response.body !== 'string'
    outgoing.writeHead(response.status, {
      ...(isJson && { 'content-type': response.status < 400 ? 'application/json' : 'application/problem+json' }),
      ...(!response.isForeign && { 'saldo-protocol': String(PROTOCOL_VERSION) }),
      ...response.headers,
    })
    outgoing.end(isJson ? JSON.stringify(response.body) : (response.body as string | undefined))
  }

  #answer(request: ReceivedRequest): ScriptedResponse {
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return problemResponse('unauthenticated')
    const { method, path } = request
    if (path === '/api/me')
      return { status: 200, body: { user_id: USER, email: 'ada@example.com', created_at: this.time() } }
    if (path === '/api/sync/pull') return this.#pull(request)
    if (path === '/api/sync/digest') return this.#digest()
    if (path === '/api/sync/push') return this.#push(request)
    const [collection = '', id] = splitPath(path)
    const kind = collections[collection]
    if (!kind) return problemResponse('not_found')
    if (method === 'GET' && id !== undefined) return this.#read(kind, id)
    if (method === 'PUT' && id !== undefined) return this.#write(request, kind, id)
    if (method === 'DELETE' && id !== undefined) return this.#write({ ...request, body: null }, kind, id)
    if (method === 'POST') return this.#write(request, kind, request.body?.id ?? this.#random.uuid())
    return problemResponse('method_not_allowed')
  }

  /** Carries out a REST write: a direct write of a device, or one without a stamp (D6). */
  #write({ query, body, method }: ReceivedRequest, kind: WritableKind, id: RecordId): ScriptedResponse {
    const before = this.#history.rows.get(`${kind} ${id}`)
    const content = body === null ? null : parseContent(kind, body)
    if (content && !content.ok) return problemResponse('invalid_record', content.errors)
    const updatedAt = query.get('updated_at')
    if (updatedAt === null && method !== 'POST' && !before?.content) return this.#read(kind, id)
    const said = {
      kind,
      id,
      content: content?.value ?? null,
      updatedAt: updatedAt as Instant | null,
      device: (query.get('device') ?? undefined) as RecordId | undefined,
      seq: query.has('seq') ? Number(query.get('seq')) : undefined,
    }
    const { row } = this.#apply(said)
    if (said.content === null && row.content === null) return { status: 204, headers: headersOf(row) }
    return this.#read(kind, id)
  }

  #read(kind: WritableKind, id: RecordId): ScriptedResponse {
    const row = this.#history.rows.get(`${kind} ${id}`)
    if (row?.content) return { status: 200, body: handed(row), headers: { etag: `"${row.version}"` } }
    return { ...problemResponse('not_found'), ...(row && { headers: headersOf(row) }) }
  }

  /** Applies a change by the conflict rule (D6). */
  #apply(change: Change) {
    const { kind, id } = change
    const before = this.#history.rows.get(`${kind} ${id}`)
    const decision = decideChange(before, change, this.nowMs())
    if (decision.outcome !== 'applied') return { status: decision.outcome, row: before as Row }
    return { status: decision.outcome, row: this.#put(kind, id, decision.content, decision.updatedAt, decision.claims) }
  }

  #push({ body }: ReceivedRequest): ScriptedResponse {
    const results = (body?.changes ?? []).map((change: unknown): PushResult => {
      const parsed = parseChange(change, body.device)
      if (parsed.outcome === 'skipped') return { kind: parsed.kind, id: parsed.id, status: 'skipped' }
      if (parsed.outcome === 'rejected') {
        const problem = problemOf('invalid_record', 'The change cannot be stored.', parsed.errors)
        return { kind: parsed.kind, id: parsed.id, status: 'rejected', problem }
      }
      const { status, row } = this.#apply(parsed.change)
      const stands = { kind: row.kind, id: row.id, status, version: row.version, updated_at: row.updatedAt }
      if (status !== 'superseded') return stands
      return row.content ? { ...stands, record: handed(row) as never } : { ...stands, deleted: true }
    })
    return { status: 200, body: { version: this.version, server_time: this.time(), results } }
  }

  #digest(): ScriptedResponse {
    const { rows, tags, version } = this.#history
    const sum = new DigestSum()
    for (const row of rows.values()) if (row.content) sum.add(row.kind, handed(row))
    return { status: 200, body: { version, tag: tags.get(version) ?? null, kinds: sum.digests() } }
  }

  #pull({ query }: ReceivedRequest): ScriptedResponse {
    const since = query.get('since')
    const limit = Math.min(Number(query.get('limit') ?? LIMIT), this.pageSize)
    return since === null ? this.#snapshot(query.get('cursor'), limit) : this.#changes(Number(since), limit)
  }

  #changes(since: number, limit: number): ScriptedResponse {
    const { rows, tags, marker, version } = this.#history
    if (!Number.isSafeInteger(since) || since < 0) return problemResponse('invalid_since')
    if (since < marker) return problemResponse('sync_stale')
    const behind = [...rows.values()].filter((row) => row.version > since).toSorted((a, b) => a.version - b.version)
    const page = behind.slice(0, limit)
    const hasMore = behind.length > page.length
    const end = hasMore ? (page.at(-1) as Row).version : version
    const head = { version: end, tag: tags.get(end) ?? null, since_tag: tags.get(since) ?? null, has_more: hasMore }
    const [changes, deleted] = [listed(page.filter((row) => row.content)), listed(page.filter((row) => !row.content))]
    return { status: 200, body: { ...head, server_time: this.time(), changes, deleted } }
  }

  #snapshot(cursor: string | null, limit: number): ScriptedResponse {
    const { rows, tags, version } = this.#history
    const [at, after] = cursor === null ? [version, ''] : (JSON.parse(cursor) as [number, string])
    const live = [...rows.values()].filter((row) => row.content && `${row.kind} ${row.id}` > after)
    const sorted = live.toSorted((a, b) => (`${a.kind} ${a.id}` < `${b.kind} ${b.id}` ? -1 : 1))
    const page = sorted.slice(0, limit)
    const last = page.at(-1)
    const next = last && sorted.length > page.length ? JSON.stringify([at, `${last.kind} ${last.id}`]) : null
    const head = { version: at, tag: tags.get(at) ?? null, has_more: next !== null, cursor: next }
    return { status: 200, body: { ...head, server_time: this.time(), changes: listed(page), deleted: {} } }
  }
}

/** An answer with a problem. */
export function problemResponse(code: ProblemCode, errors: Parameters<typeof problemOf>[2] = []): ScriptedResponse {
  const problem = problemOf(code, 'A script says so.', errors)
  return { status: problem.status, body: problem }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function splitPath(path: string): [string?, RecordId?] {
  const collection = Object.keys(collections).find((one) => path === one || path.startsWith(`${one}/`))
  if (!collection) return []
  const id = path.slice(collection.length + 1)
  return id === '' ? [collection] : [collection, decodeURIComponent(id) as RecordId]
}

function headersOf({ version, updatedAt }: Row): Record<string, string> {
  return { 'saldo-version': String(version), 'saldo-updated-at': updatedAt }
}

function handed({ id, content, createdAt, updatedAt, version }: Row): JsonObject {
  return { id, ...content, created_at: createdAt, updated_at: updatedAt, version }
}

function listed(rows: readonly Row[]): Record<string, JsonObject[]> {
  const lists: Record<string, JsonObject[]> = {}
  for (const row of rows.filter(({ kind }) => isWritableKind(kind))) {
    lists[row.kind] ??= []
    const { id, updatedAt, version } = row
    lists[row.kind]?.push(row.content ? handed(row) : { id, updated_at: updatedAt, version })
  }
  return lists
}
