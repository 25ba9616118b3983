import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import {
  type Change,
  type Claims,
  DigestSum,
  decideChange,
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
  type WritableKind,
} from '@saldo/core'

/** A request as the service hears it. */
export interface Asked {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: whatever a client under test sends
  body: any
}

/** An answer as it goes out; headers beside those that every answer has. */
export interface Told {
  status: number
  body?: unknown
  headers?: Record<string, string>
  /** True if the response has Saldo-Protocol; that of a captive portal has not. */
  isForeign?: true
}

/**
 * What goes wrong with a request: the network takes it (`lost`), or its answer, after it was carried out (`answerLost`); or
 * somebody answers something else. `undefined` where nothing goes wrong.
 */
export type Fault = (asked: Asked) => 'lost' | 'answerLost' | Told | undefined

interface Row {
  kind: WritableKind
  id: string
  version: number
  updatedAt: string
  createdAt: string
  /** Null for a tombstone. */
  content: JsonObject | null
  claims: Claims
}

interface History {
  rows: Map<string, Row>
  version: number
  /** By version. */
  tags: Map<number, string>
  /** The version up to which the log was pruned. */
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
 * A service in memory, as far as the sync of a client needs one, that does what a script says: it fails on demand, forgets
 * its log, is restored from a backup. What it is asked it writes down.
 */
export class ScriptedService {
  /** Everything that was asked, in order, whatever became of it. */
  readonly heard: Asked[] = []
  fault: Fault = () => undefined
  /** Changes answers on their way. */
  alter: (told: Told, asked: Asked) => Told = (told) => told
  /** Milliseconds by which the service's clock is ahead of this computer's. */
  skewMs = 0
  /** The most records in a page of a pull. */
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

  /** The service's time, or one that lies so many milliseconds from it. */
  time(offsetMs = 0): string {
    return instantOf(this.nowMs(offsetMs))
  }

  /** The requests that were heard of a method and path. */
  asked(method: string, path: RegExp): Asked[] {
    return this.heard.filter((one) => one.method === method && path.test(one.path))
  }

  /** The live records of a kind, as they are handed out. */
  records(kind: WritableKind): JsonObject[] {
    return [...this.#history.rows.values()].flatMap((row) => (row.kind === kind && row.content ? [handed(row)] : []))
  }

  /** Another device's change of a record; null deletes it. */
  write(kind: WritableKind, id: string, content: JsonObject | null, updatedAt = this.time()): void {
    const before = this.#history.rows.get(`${kind} ${id}`)
    this.#put(kind, id, content, updatedAt, before?.claims ?? {})
  }

  /** Forgets the log up to now, so that all who have not pulled it are stale. */
  prune(): void {
    this.#history.marker = this.#history.version
  }

  backUp(): void {
    this.#backup = structuredClone(this.#history)
  }

  restore(): void {
    if (this.#backup) this.#history = structuredClone(this.#backup)
  }

  #put(kind: WritableKind, id: string, content: JsonObject | null, updatedAt: string, claims: Claims): Row {
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
    const asked: Asked = {
      method: incoming.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: parsed(await text(incoming).catch(() => '')),
    }
    this.heard.push(asked)
    const fault = this.fault(asked)
    if (fault === 'lost') return void outgoing.destroy()
    const told = fault === undefined || fault === 'answerLost' ? this.alter(this.#answer(asked), asked) : fault
    if (fault === 'answerLost') return void outgoing.destroy()
    const isJson = told.body !== undefined && typeof told.body !== 'string'
    outgoing.writeHead(told.status, {
      ...(isJson && { 'content-type': told.status < 400 ? 'application/json' : 'application/problem+json' }),
      ...(!told.isForeign && { 'saldo-protocol': String(PROTOCOL_VERSION) }),
      ...told.headers,
    })
    outgoing.end(isJson ? JSON.stringify(told.body) : (told.body as string | undefined))
  }

  #answer(asked: Asked): Told {
    if (asked.headers.authorization !== `Bearer ${TOKEN}`) return refusal('unauthenticated')
    const { method, path } = asked
    if (path === '/api/me')
      return { status: 200, body: { user_id: USER, email: 'ada@example.com', created_at: this.time() } }
    if (path === '/api/sync/pull') return this.#pull(asked)
    if (path === '/api/sync/digest') return this.#digest()
    if (path === '/api/sync/push') return this.#push(asked)
    const [collection = '', id] = splitPath(path)
    const kind = collections[collection]
    if (!kind) return refusal('not_found')
    if (method === 'GET' && id !== undefined) return this.#standing(kind, id)
    if (method === 'PUT' && id !== undefined) return this.#write(asked, kind, id)
    if (method === 'DELETE' && id !== undefined) return this.#write({ ...asked, body: null }, kind, id)
    if (method === 'POST') return this.#write(asked, kind, asked.body?.id ?? this.#random.uuid())
    return refusal('method_not_allowed')
  }

  /** A write over REST, of a device or of a simple program (D6). */
  #write({ query, body, method }: Asked, kind: WritableKind, id: string): Told {
    const before = this.#history.rows.get(`${kind} ${id}`)
    const content = body === null ? null : parseContent(kind, body)
    if (content && !content.ok) return refusal('invalid_record', content.errors)
    const updatedAt = query.get('updated_at')
    if (updatedAt === null && method !== 'POST' && !before?.content) return this.#standing(kind, id)
    const said = {
      kind,
      id,
      content: content && (content.value as JsonObject),
      updatedAt,
      device: query.get('device') ?? undefined,
      seq: query.has('seq') ? Number(query.get('seq')) : undefined,
    }
    const { row } = this.#apply(said)
    if (said.content === null && row.content === null) return { status: 204, headers: headersOf(row) }
    return this.#standing(kind, id)
  }

  #standing(kind: WritableKind, id: string): Told {
    const row = this.#history.rows.get(`${kind} ${id}`)
    if (row?.content) return { status: 200, body: handed(row), headers: { etag: `"${row.version}"` } }
    return { ...refusal('not_found'), ...(row && { headers: headersOf(row) }) }
  }

  /** The conflict rule (D6). */
  #apply(change: Change) {
    const { kind, id } = change
    const before = this.#history.rows.get(`${kind} ${id}`)
    const decision = decideChange(before, change, this.nowMs())
    if (decision.outcome !== 'applied') return { status: decision.outcome, row: before as Row }
    return { status: decision.outcome, row: this.#put(kind, id, decision.content, decision.updatedAt, decision.claims) }
  }

  #push({ body }: Asked): Told {
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

  #digest(): Told {
    const { rows, tags, version } = this.#history
    const sum = new DigestSum()
    for (const row of rows.values()) if (row.content) sum.add(row.kind, handed(row))
    return { status: 200, body: { version, tag: tags.get(version) ?? null, kinds: sum.digests() } }
  }

  #pull({ query }: Asked): Told {
    const since = query.get('since')
    const limit = Math.min(Number(query.get('limit') ?? LIMIT), this.pageSize)
    return since === null ? this.#snapshot(query.get('cursor'), limit) : this.#changes(Number(since), limit)
  }

  #changes(since: number, limit: number): Told {
    const { rows, tags, marker, version } = this.#history
    if (!Number.isSafeInteger(since) || since < 0) return refusal('invalid_since')
    if (since < marker) return refusal('sync_stale')
    const behind = [...rows.values()].filter((row) => row.version > since).toSorted((a, b) => a.version - b.version)
    const page = behind.slice(0, limit)
    const hasMore = behind.length > page.length
    const end = hasMore ? (page.at(-1) as Row).version : version
    const head = { version: end, tag: tags.get(end) ?? null, since_tag: tags.get(since) ?? null, has_more: hasMore }
    const [changes, deleted] = [listed(page.filter((row) => row.content)), listed(page.filter((row) => !row.content))]
    return { status: 200, body: { ...head, server_time: this.time(), changes, deleted } }
  }

  #snapshot(cursor: string | null, limit: number): Told {
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
export function refusal(code: ProblemCode, errors: Parameters<typeof problemOf>[2] = []): Told {
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

function splitPath(path: string): [string?, string?] {
  const collection = Object.keys(collections).find((one) => path === one || path.startsWith(`${one}/`))
  if (!collection) return []
  const id = path.slice(collection.length + 1)
  return id === '' ? [collection] : [collection, decodeURIComponent(id)]
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
