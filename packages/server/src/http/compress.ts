import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'

/** Bodies up to this size are sent uncompressed (D5). */
const THRESHOLD_BYTES = 1024

const gzipAsync = promisify(gzip)
const brotliAsync = promisify(brotliCompress)
const zstdAsync = promisify(zstdCompress)

/** The offered encodings, the preferred first, each at its fastest level. */
const encodings: readonly { name: string; compress: (body: Uint8Array) => Promise<Uint8Array> }[] = [
  { name: 'zstd', compress: (body) => zstdAsync(body, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }) },
  { name: 'br', compress: (body) => brotliAsync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }) },
  { name: 'gzip', compress: (body) => gzipAsync(body, { level: 1 }) },
]

/** Compresses a body with the preferred encoding that the client accepts, unless the body is small. */
export async function compress(
  body: Uint8Array,
  acceptEncoding: string | undefined,
): Promise<{ body: Uint8Array; encoding?: string }> {
  const best = body.byteLength > THRESHOLD_BYTES ? firstAccepted(encodings, acceptEncoding) : undefined
  return best ? { body: await best.compress(body), encoding: best.name } : { body }
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
