import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib'
import { PROTOCOL_VERSION } from '@saldo/core'
import { Gate } from '../gate.ts'
import type { RouteResponse, Stream } from './route.ts'

/** The headers of every response. Pages override the policy with their own. */
export const standardHeaders = {
  'saldo-protocol': String(PROTOCOL_VERSION),
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Sends a response, compressed if the client accepts that; `headers` are added to those of the response. */
export async function send(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  response: RouteResponse,
  headers: Record<string, string | string[]>,
): Promise<void> {
  const { body, compressor, headers: encodingHeaders } = await encode(response, incoming.headers['accept-encoding'])
  const vary = [headers.vary, encodingHeaders.vary].filter((names) => names !== undefined).join(', ')
  outgoing.writeHead(response.status, {
    ...standardHeaders,
    ...headers,
    ...((body || response.parts) && { 'content-type': 'application/json' }),
    ...response.headers,
    ...encodingHeaders,
    ...(vary !== '' && { vary }),
  })
  if (response.stream) attach(response.stream, incoming, outgoing)
  else if (incoming.method === 'HEAD') outgoing.end()
  else if (response.parts)
    await pipeline([Readable.from(response.parts), ...(compressor ? [compressor] : []), outgoing])
  else outgoing.end(body)
}

/** Returns the body as it is sent, and the headers that describe it. */
async function encode(
  { status, body, parts, stream, headers }: RouteResponse,
  acceptEncoding: string | undefined,
): Promise<{ body?: Uint8Array; compressor?: Transform; headers: Record<string, string | number> }> {
  if (stream) return { headers: {} }
  if (parts) {
    const best = firstAccepted(encodings, acceptEncoding)
    return {
      ...(best && { compressor: best.compressor() }),
      headers: { vary: 'Accept-Encoding', ...(best && { 'content-encoding': best.name }) },
    }
  }
  if (body === undefined) return { headers: status === 204 || status === 304 ? {} : { 'content-length': 0 } }
  // A strong entity tag names one representation.
  if (headers?.etag?.startsWith('"') || headers?.['content-encoding'] !== undefined) {
    return { body: Buffer.from(body), headers: { 'content-length': Buffer.byteLength(body) } }
  }
  const { body: sent, encoding } = await compress(body, acceptEncoding)
  return {
    body: sent,
    headers: {
      'content-length': sent.byteLength,
      vary: 'Accept-Encoding',
      ...(encoding && { 'content-encoding': encoding }),
    },
  }
}

/** Lets a stream write until the connection closes. Stops it at once if nobody can read it. */
function attach(stream: Stream, { method }: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.once('close', () => stream.stop())
  if (method === 'HEAD' || outgoing.destroyed) stream.stop()
  stream.begin(outgoing)
}

/** Bodies up to this size are sent uncompressed. */
const THRESHOLD_BYTES = 1024
/** The most bodies to compress at a time: one for each thread of Node. */
const MAX_COMPRESSIONS = 4

const gzipAsync = promisify(gzip)
const brotliAsync = promisify(brotliCompress)
const zstdAsync = promisify(zstdCompress)

const zstdFast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const brotliFast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const gzipFast = { level: 1 }

interface Encoding {
  name: string
  compress: (body: Uint8Array) => Promise<Uint8Array>
  /** Compresses a body that comes in parts. */
  compressor: () => Transform
}

/** The offered encodings, the preferred first, each at its fastest level. */
const encodings: readonly Encoding[] = [
  { name: 'zstd', compress: (body) => zstdAsync(body, zstdFast), compressor: () => createZstdCompress(zstdFast) },
  { name: 'br', compress: (body) => brotliAsync(body, brotliFast), compressor: () => createBrotliCompress(brotliFast) },
  { name: 'gzip', compress: (body) => gzipAsync(body, gzipFast), compressor: () => createGzip(gzipFast) },
]

const compressions = new Gate(MAX_COMPRESSIONS)
/** The compressed copies of responses that stay the same, by encoding. */
const copies = new WeakMap<Uint8Array, Map<string, Promise<Uint8Array>>>()

/** Compresses a body with the preferred encoding that the client accepts, unless the body is small. */
async function compress(
  body: string | Uint8Array,
  acceptEncoding: string | undefined,
): Promise<{ body: Uint8Array; encoding?: string }> {
  const plain = typeof body === 'string' ? Buffer.from(body) : body
  const best = plain.byteLength > THRESHOLD_BYTES ? firstAccepted(encodings, acceptEncoding) : undefined
  if (!best) return { body: plain }
  const copiesOfBody = copies.get(plain) ?? new Map<string, Promise<Uint8Array>>()
  const copy = copiesOfBody.get(best.name) ?? compressions.run('', () => best.compress(plain))
  if (plain === body) copies.set(plain, copiesOfBody.set(best.name, copy))
  return { body: await copy, encoding: best.name }
}

/** Returns the first offered encoding that an `Accept-Encoding` header allows (RFC 9110 §12.5.3): weight 0 forbids. */
export function firstAccepted<E extends { name: string }>(offered: readonly E[], acceptEncoding = ''): E | undefined {
  const isAccepted = new Map(
    acceptEncoding.split(',').map((part) => {
      const [name = '', ...params] = part.split(';').map((word) => word.trim().toLowerCase())
      return [name, !params.some((param) => /^q=0(\.0*)?$/.test(param))]
    }),
  )
  return offered.find(({ name }) => isAccepted.get(name) ?? isAccepted.get('*'))
}
