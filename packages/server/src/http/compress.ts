import { Readable, type Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'

/** Bodies up to so many bytes are sent as they are (D5). */
const THRESHOLD_BYTES = 1024
/** Another thread hands over this much at a time: each time costs the way there and back. */
const inThread = { chunkSize: 256 * 1024 }
/** Bodies up to so many bytes are compressed at once: that takes less than the way to another thread and back. */
const AT_ONCE_BYTES = 128 * 1024

interface Encoding {
  name: string
  atOnce: (body: Uint8Array) => Uint8Array
  inThread: () => Transform
}

const zstd = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const gzip = { level: 1 }

/** What we offer, best first: measured on entries as JSON, each at the level with the best time for its size. */
const encodings: readonly Encoding[] = [
  {
    name: 'zstd',
    atOnce: (body) => zstdCompressSync(body, zstd),
    inThread: () => createZstdCompress({ ...zstd, ...inThread }),
  },
  {
    name: 'br',
    atOnce: (body) => brotliCompressSync(body, brotli),
    inThread: () => createBrotliCompress({ ...brotli, ...inThread }),
  },
  { name: 'gzip', atOnce: (body) => gzipSync(body, gzip), inThread: () => createGzip({ ...gzip, ...inThread }) },
]

/** The bytes of a body, in one or more parts. */
export type Parts = readonly Uint8Array[]

/** A body in the best encoding that the client accepts; as it is where it is short or nothing suits. */
export async function compress(
  parts: Parts,
  acceptEncoding: string | undefined,
): Promise<{ parts: Parts; encoding?: string }> {
  const length = lengthOf(parts)
  if (length <= THRESHOLD_BYTES) return { parts }
  const best = firstAccepted(encodings, acceptEncoding)
  if (!best) return { parts }
  const compressed =
    length <= AT_ONCE_BYTES
      ? best.atOnce(Buffer.concat(parts))
      : await buffer(Readable.from(parts).pipe(best.inThread()))
  return { parts: [compressed], encoding: best.name }
}

/** The first of the encodings on offer that an `Accept-Encoding` header allows. */
export function firstAccepted<E extends { name: string }>(
  offered: readonly E[],
  acceptEncoding: string | undefined,
): E | undefined {
  if (acceptEncoding === undefined) return undefined
  const accepted = acceptedEncodings(acceptEncoding)
  return offered.find(({ name }) => accepted.get(name) ?? accepted.get('*'))
}

/** How many bytes the parts have together. */
export function lengthOf(parts: Parts): number {
  return parts.reduce((sum, part) => sum + part.byteLength, 0)
}

/** Which encodings an `Accept-Encoding` header allows (RFC 9110 §12.5.3): those whose weight is not 0. */
function acceptedEncodings(header: string): Map<string, boolean> {
  return new Map(
    header.split(',').map((part) => {
      const [name = '', ...params] = part.split(';').map((word) => word.trim().toLowerCase())
      return [name, !params.some((param) => /^q=0(\.0*)?$/.test(param))]
    }),
  )
}
