import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'

/** Bodies up to so many bytes are sent as they are (D5). */
const THRESHOLD_BYTES = 1024

type Encode = (body: Uint8Array) => Promise<Uint8Array>

const zstd = promisify(zstdCompress)
const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** What we offer, best first: measured on entries as JSON, each at the level with the best time for its size. */
const encodings: readonly [name: string, encode: Encode][] = [
  ['zstd', (body) => zstd(body, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })],
  ['br', (body) => brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ['gzip', (body) => gzipped(body, { level: 1 })],
]

/** A body in the best encoding that the client accepts; as it is where it is short or nothing suits. */
export async function compress(
  body: Uint8Array,
  acceptEncoding: string | undefined,
): Promise<{ body: Uint8Array; encoding?: string }> {
  if (body.byteLength <= THRESHOLD_BYTES || acceptEncoding === undefined) return { body }
  const accepted = acceptedEncodings(acceptEncoding)
  const best = encodings.find(([name]) => accepted.get(name) ?? accepted.get('*'))
  if (!best) return { body }
  const [encoding, encode] = best
  return { body: await encode(body), encoding }
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
