import { maxHeaderSize } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { DAY_MS } from '@saldo/core'
import { ContractCheck, type OpenApiDocument } from '../../packages/server/test/contract-check.ts'
import { type Chance, chanceOf } from '../simulation/chance.ts'
import { Connection, NoAnswerError, type WireAnswer } from './connection.ts'
import { type Document, operationsOf } from './document.ts'
import type { FuzzedService } from './fuzzed-service.ts'
import { garbageOf } from './garbage.ts'
import { percent } from './hostile.ts'
import { requireSound, stateOf } from './invariants.ts'
import { bytesOf, type FuzzRequest, type Known, requestOf } from './requests.ts'
import { PASSWORD, START_MS, type User } from './wire.ts'

/** Something that must not be, with the request that it came of. */
export class FuzzProblem extends Error {
  constructor(message: string, sent: Buffer | undefined) {
    const shown =
      sent && sent.length > 1_500
        ? `${sent.toString('latin1', 0, 1_500)}… (${sent.length} bytes)`
        : sent?.toString('latin1')
    super(shown === undefined ? message : `${message}\nto:\n${shown}`)
    this.name = 'FuzzProblem'
  }
}

/** Counts of a run: answers by status, and malformed bytes that were sent. */
export type Tally = Map<string, number>

/** State that all rounds of a run share. */
export interface Range {
  service: FuzzedService
  document: Document
  contract: ContractCheck
  bystander: Known['bystander']
  tally: Tally
}

export function count(tally: Tally, what: string): void {
  tally.set(what, (tally.get(what) ?? 0) + 1)
}

/** Prepares a service for rounds. */
export async function rangeOn(service: FuzzedService): Promise<Range> {
  const document = (await (await fetch(`${service.url}/api/openapi.json`)).json()) as Document
  const user = await service.user('bystander@example.com')
  const ids = ['b0000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-000000000002']
  for (const id of ids) {
    await fetch(`${service.url}/api/entries`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id, kind: 'work', started_at: '2026-11-20T08:00:00Z', ended_at: null }),
    })
  }
  const contract = new ContractCheck(document as unknown as OpenApiDocument)
  return { service, document, contract, bystander: { ...user, ids }, tally: new Map() }
}

/**
 * Sends so many hostile requests as a new user, one after the other, some at once, and checks each answer, and what
 * the service has at the end. One seed decides all. With `only`, the requests are made but only those sent. Throws
 * `FuzzProblem`.
 */
export async function fuzzRound(
  range: Range,
  seed: number,
  requests: number,
  only?: ReadonlySet<number>,
): Promise<void> {
  await new Round(range, seed, only).run(requests)
}

let made = 0

class Round {
  readonly #range: Range
  readonly #chance: Chance
  readonly #only: ReadonlySet<number> | undefined
  #connection: Connection | undefined

  constructor(range: Range, seed: number, only: ReadonlySet<number> | undefined) {
    this.#range = range
    this.#chance = chanceOf(seed)
    this.#only = only
  }

  async run(requests: number): Promise<void> {
    const { service, bystander } = this.#range
    made += 1
    const email = `round-${made}@example.com`
    const user = await service.user(email)
    const known = await this.#known(user, email)
    const before = await standingOf(service.url, bystander)
    for (let index = 0; index < requests; ) {
      const together = percent(this.#chance, 3) ? 2 + this.#chance.below(7) : 1
      const sending: Promise<void>[] = []
      for (let one = 0; one < together; one += 1, index += 1) sending.push(this.#step(known, index, together > 1))
      await Promise.all(sending)
      if (service.failures.length > 0) throw new FuzzProblem(service.failures.splice(0).join('\n'), undefined)
    }
    this.#connection?.destroy()
    requireSound(await stateOf(service.url, user))
    if ((await standingOf(service.url, bystander)) !== before)
      throw new FuzzProblem('another user was touched', undefined)
  }

  async #known(user: User, email: string): Promise<Known> {
    const { service, document, bystander } = this.#range
    const chance = this.#chance
    const cookie = await this.#signIn(email)
    return {
      email,
      document,
      operations: operationsOf(document),
      url: service.url,
      nowMs: START_MS,
      user,
      bystander,
      cookie,
      ids: Array.from({ length: 10 }, () => chance.uuid()),
      devices: [chance.uuid(), chance.uuid()],
      cursors: [],
      tags: [],
    }
  }

  /** Begins a session, and returns its cookie. */
  async #signIn(email: string, password = PASSWORD): Promise<string> {
    const answer = await fetch(`${this.#range.service.url}/api/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': email },
      body: JSON.stringify({ email, password }),
    })
    return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  }

  /** Sets the password that the requests know again, after one of them has set another. */
  async #restorePassword({ cookie, email }: Known, current_password: string): Promise<void> {
    const { url } = this.#range.service
    const answer = await fetch(`${url}/api/me/password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': email, origin: url, cookie },
      body: JSON.stringify({ current_password, new_password: PASSWORD }),
    })
    if (answer.status !== 204) throw new Error(`the password was not restored: ${await answer.text()}`)
  }

  async #ownEmail({ user }: Known): Promise<string> {
    const headers = { authorization: `Bearer ${user.token}` }
    const answer = await fetch(`${this.#range.service.url}/api/me`, { headers })
    return ((await answer.json()) as { email: string }).email
  }

  /** Creates a token in the session, and returns its secret. */
  async #createToken({ cookie, email }: Known): Promise<string> {
    const { url } = this.#range.service
    const answer = await fetch(`${url}/api/me/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': email, origin: url, cookie },
      body: JSON.stringify({ name: 'fuzz', password: PASSWORD }),
    })
    return ((await answer.json()) as { token: string }).token
  }

  /** One request, or something that is none; now and then time passes instead. */
  async #step(known: Known, index: number, own: boolean): Promise<void> {
    const chance = this.#chance
    const { service, tally } = this.#range
    const request = requestOf(known, chance)
    const asGarbage = percent(chance, 4) ? garbageOf(request, chance) : undefined
    const waits = percent(chance, 0.3) && !own
    if (this.#only && !this.#only.has(index)) return
    if (waits) return service.wait(chance.below(3) === 0 ? DAY_MS : 60_000)
    count(tally, 'requests')
    if (!asGarbage) return this.#ask(known, request, own)
    count(tally, `no request: ${asGarbage.what}`)
    const connection = await Connection.open(service.url)
    for (const part of asGarbage.parts) {
      connection.write(part)
      if (asGarbage.parts.length > 1) await new Promise((resolve) => setImmediate(resolve))
    }
    if (asGarbage.last === 'is gone') return connection.destroy()
    connection.end()
    const sent = Buffer.concat(asGarbage.parts)
    const came = await connection.rest().catch((error: unknown) => this.#fail(error, sent))
    for (const [, status] of came.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)) this.#requireNoDefect(Number(status), sent)
  }

  async #ask(known: Known, request: FuzzRequest, own: boolean): Promise<void> {
    const sent = bytesOf(request)
    const isLoose = isLooselyFramed(request)
    const connection = await this.#connectionFor(own || isLoose)
    connection.write(sent)
    if (isLoose) connection.end()
    const answer = await connection.answer(request.method === 'HEAD').catch((error: unknown) => {
      // No answer is due to a request of ambiguous length, nor to one whose head is too long and is still being sent.
      const isDue = !isLoose && sent.indexOf('\r\n\r\n') <= maxHeaderSize
      if (!isDue && error instanceof NoAnswerError && error.message === 'closed') return undefined
      return this.#fail(error, sent)
    })
    if (own || isLoose) connection.destroy()
    if (!answer) return count(this.#range.tally, 'closed')
    this.#requireNoDefect(answer.status, sent)
    try {
      this.#check(request, answer)
    } catch (error) {
      this.#fail(error, sent)
    }
    learn(known, answer)
    // Without mails, an address is changed at once.
    if (answer.status === 200 && request.target.startsWith('/api/me/email')) known.email = await this.#ownEmail(known)
    const endsSession = answer.status === 204 && /^\/api\/(auth\/sign-out|me\/password)/.test(request.target)
    if (!endsSession) return
    const isNewPassword = request.target.startsWith('/api/me/password')
    const password = isNewPassword ? newPasswordOf(request) : PASSWORD
    known.cookie = await this.#signIn(known.email, password)
    if (password !== PASSWORD) {
      await this.#restorePassword(known, password)
      known.cookie = await this.#signIn(known.email)
    }
    // A new password revokes the token too.
    if (isNewPassword) known.user.token = await this.#createToken(known)
  }

  async #connectionFor(own: boolean): Promise<Connection> {
    if (own) return Connection.open(this.#range.service.url)
    if (!this.#connection || this.#connection.isClosed)
      this.#connection = await Connection.open(this.#range.service.url)
    return this.#connection
  }

  #requireNoDefect(status: number, sent: Buffer): void {
    count(this.#range.tally, String(status))
    if (status >= 500) throw new FuzzProblem(`${status}\n${this.#range.service.failures.splice(0).join('\n')}`, sent)
  }

  /** An answer is in the document; where nothing is documented, it says so. */
  #check({ method, target }: FuzzRequest, { status, headers, body }: WireAnswer): void {
    if (headers.get('saldo-protocol') !== '3') throw new Error('no Saldo-Protocol')
    const type = headers.get('content-type') ?? null
    const plain = decoded(body, headers.get('content-encoding'))
    const read =
      plain.length === 0 ? undefined : type?.includes('json') ? JSON.parse(plain.toString()) : plain.toString('latin1')
    if (
      /\bat \S+ \(|node:|\.ts:\d|SELECT |INSERT /.test(
        type?.includes('html') || type?.includes('script') ? '' : plain.toString('latin1'),
      ) &&
      status >= 400
    ) {
      throw new Error(`the answer tells too much: ${plain}`)
    }
    this.#range.contract.check(method, documentedPath(target), status, type, read)
  }

  #fail(error: unknown, sent: Buffer): never {
    const { failures } = this.#range.service
    throw new FuzzProblem([(error as Error).message, ...failures.splice(0)].join('\n'), sent)
  }
}

/** Returns the password that an accepted request has set. */
function newPasswordOf({ body }: FuzzRequest): string {
  return (JSON.parse(String(body)) as { new_password: string }).new_password
}

/** The path that a router compares: what is escaped needlessly is not. */
function documentedPath(target: string): string {
  const [path = ''] = target.replace(/^https?:\/\/[^/]*/, '').split(/[?#]/)
  return path.replaceAll(/%([2-7][0-9a-f])/gi, (escaped, hex) => {
    const char = String.fromCharCode(Number.parseInt(hex, 16))
    return /[\w.~-]/.test(char) ? char : escaped
  })
}

/** True if a reader could see the end of a request elsewhere than its writer. */
function isLooselyFramed({ headers, target, method }: FuzzRequest): boolean {
  const framing = new Set(['content-length', 'transfer-encoding', 'connection', 'upgrade', 'expect'])
  return (
    headers.some(
      ([name, value]) =>
        framing.has(name.toLowerCase()) || !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value),
    ) ||
    !/^[\x21-\x7e]+$/.test(target) ||
    !/^[A-Z-]+$/.test(method)
  )
}

function decoded(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'gzip') return gunzipSync(body)
  if (encoding === 'br') return brotliDecompressSync(body)
  if (encoding === 'zstd') return zstdDecompressSync(body)
  return body
}

/** Returns the data of a user that does not change by itself, as text. */
async function standingOf(url: string, user: User): Promise<string> {
  const { version, exported } = await stateOf(url, user)
  return JSON.stringify([version, exported])
}

const MOST_KEPT = 20

function learn({ cursors, tags }: Known, { headers, body }: WireAnswer): void {
  const etag = headers.get('etag')
  if (etag !== undefined) tags.push(etag)
  const [, cursor] = /"(?:next_)?cursor":"([\w-]+)"/.exec(body.toString('latin1')) ?? []
  if (cursor !== undefined) cursors.push(cursor)
  for (const list of [cursors, tags]) if (list.length > MOST_KEPT) list.shift()
}
