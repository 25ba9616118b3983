import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { check, escapePointer } from '@saldo/core'
import type * as v from 'valibot'
import { ProblemError } from './problem.ts'
import type { RouteSpec } from './route.ts'

/** Bodies may have this size unless their route says otherwise: a record of 64 KiB, and room for escapes. */
const MAX_BODY_BYTES = 256 * 1024
/** Bodies of routes that anybody may call, or that end access, may have this size: a passkey has some 1 KiB. */
const MAX_PUBLIC_BODY_BYTES = 8 * 1024
/** The most values in a body: 50 in each of the changes of the largest push. */
const MAX_VALUES = 50_000
/** The pause after each piece, of 64 KiB mostly, of a body that nobody needs: the largest push takes 2.6 s. */
const REST_PAUSE_MS = 40
/** The least number of bytes before a pause: chunks of a few bytes would take longer than a request may. */
const REST_PIECE_BYTES = 16 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The budgets of a body, used up while it arrives. `admit` and `hold` throw 429 where nothing is left. */
export interface BodyBudget {
  /** Called with the declared length before anything is read; of a body without one, with each piece. */
  admit: (bytes: number) => void
  /** Called with each piece that is kept in memory. */
  hold: (bytes: number) => void
  /** Called before anything is read: a client may wait to be asked for the body (`Expect: 100-continue`). */
  begin: () => void
}

/** Reads the body of a request as JSON; `undefined` if its route has none. */
export async function readBody(
  incoming: IncomingMessage,
  { body, access, endsAccess, maxBodyBytes }: RouteSpec,
  budget: BodyBudget,
): Promise<unknown> {
  if (!body) return undefined
  const usualBytes = access === 'public' || endsAccess ? MAX_PUBLIC_BODY_BYTES : MAX_BODY_BYTES
  return readJson(incoming, maxBodyBytes ?? usualBytes, budget)
}

/**
 * Throws 400 if a request does not name its host exactly once (RFC 9112, section 3.2), or if one of HTTP/1.0 is
 * chunked, whose end intermediaries may see elsewhere (section 6.1); 501 if it has another transfer coding.
 */
export function requireClearRequest({ headers, headersDistinct, httpVersion }: IncomingMessage): void {
  const hosts = headersDistinct.host?.length ?? 0
  const isOld = httpVersion === '1.0'
  if (hosts > 1 || (hosts === 0 && !isOld)) {
    throw new ProblemError('invalid_request', 'A request has exactly one Host header.')
  }
  const coding = headers['transfer-encoding']?.trim().toLowerCase()
  if (isOld && coding !== undefined) {
    throw new ProblemError('invalid_request', 'HTTP/1.0 has no Transfer-Encoding.', {
      headers: { connection: 'close' },
    })
  }
  if (coding !== undefined && coding !== 'chunked') {
    throw new ProblemError('invalid_request', 'The only Transfer-Encoding is chunked.')
  }
}

/** Returns the output of a schema. Throws 400 if the input is not valid. */
export function validate<S extends v.GenericSchema>(schema: S | undefined, input: unknown, detail: string): unknown {
  if (!schema) return undefined
  const checked = check(schema, input)
  if (checked.ok) return checked.value
  throw new ProblemError('invalid_request', detail, { errors: checked.errors })
}

/** Returns the fields of a query string. Throws 400 if a field occurs twice. */
export function parseQuery(query: string): Record<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(query)) {
    if (fields.has(name)) {
      const errors = [{ pointer: `/${escapePointer(name)}`, detail: 'must be given once' }]
      throw new ProblemError('invalid_request', 'The query is not valid.', { errors })
    }
    fields.set(name, value)
  }
  return Object.fromEntries(fields)
}

/**
 * Reads what is left of a refused body, with a pause after each piece (D1.32). Node would read it all at once; and if
 * the connection were closed instead, the client would lose the response.
 */
export function readSlowly(rest: Readable): void {
  // After the response, Node reads a body at once if nobody has read any of it.
  rest.read()
  let bytes = 0
  rest.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes < REST_PIECE_BYTES) return
    bytes = 0
    rest.pause()
    setTimeout(() => rest.resume(), REST_PAUSE_MS)
  })
}

async function readJson(incoming: IncomingMessage, maxBytes: number, budget: BodyBudget): Promise<unknown> {
  const type = incoming.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    throw new ProblemError('unsupported_media_type', 'Send the body as application/json.')
  }
  if ((incoming.headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity') {
    const headers = { 'accept-encoding': 'identity' }
    throw new ProblemError('unsupported_media_type', 'Send the body without Content-Encoding.', { headers })
  }
  const bytes = await readBytes(incoming, maxBytes, budget)
  // Parsing takes time by the number of values, and many keys of one object take more than their share.
  if (hasMoreValues(bytes, MAX_VALUES)) {
    throw new ProblemError('payload_too_large', `The body may have at most ${MAX_VALUES} JSON values.`)
  }
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (error) {
    const detail = error instanceof TypeError ? 'must be UTF-8' : 'must be JSON'
    throw new ProblemError('invalid_request', 'The body cannot be parsed.', { errors: [{ pointer: '', detail }] })
  }
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = [...'"\\,[{'].map((character) => character.charCodeAt(0))

/** True if a JSON text has more than `limit` values, with lists and objects. Other texts may have any number. */
function hasMoreValues(json: Uint8Array, limit: number): boolean {
  let values = 1
  let isInString = false
  for (let index = 0; index < json.length && values <= limit; index += 1) {
    const byte = json[index]
    if (byte === QUOTE) isInString = !isInString
    else if (isInString && byte === BACKSLASH) index += 1
    else if (!isInString && (byte === COMMA || byte === BRACKET || byte === BRACE)) values += 1
  }
  return values > limit
}

async function readBytes(
  incoming: IncomingMessage,
  maxBytes: number,
  { admit, hold, begin }: BodyBudget,
): Promise<Buffer> {
  const tooLarge = () => new ProblemError('payload_too_large', `The body may have at most ${maxBytes} bytes.`)
  const { 'content-length': declared } = incoming.headers
  if (Number(declared ?? 0) > maxBytes) throw tooLarge()
  // A body that is refused costs less if nobody collects it.
  if (declared !== undefined) admit(Number(declared))
  begin()
  const bytes = new GrowingBytes()
  try {
    // Destroying the rest would close the connection before the client has the response.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (bytes.length + chunk.byteLength > maxBytes) throw tooLarge()
      if (declared === undefined) admit(chunk.byteLength)
      hold(chunk.byteLength)
      bytes.add(chunk)
    }
  } catch (error) {
    if (error instanceof ProblemError) throw error
    throw new ProblemError('invalid_request', 'The connection closed before the whole body arrived.')
  }
  return bytes.all()
}

/** Collects the bytes of a body in one buffer, since each piece takes some 430 bytes more while it is kept. */
class GrowingBytes {
  #buffer = Buffer.allocUnsafe(1024)
  length = 0

  add(piece: Buffer): void {
    const length = this.length + piece.length
    if (length > this.#buffer.length) {
      const wider = Buffer.allocUnsafe(2 * length)
      this.#buffer.copy(wider, 0, 0, this.length)
      this.#buffer = wider
    }
    piece.copy(this.#buffer, this.length)
    this.length = length
  }

  all(): Buffer {
    return this.#buffer.subarray(0, this.length)
  }
}
