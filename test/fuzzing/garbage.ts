import type { Chance } from '../simulation/chance.ts'
import { percent, pick } from './hostile.ts'
import { bytesOf, type FuzzRequest } from './requests.ts'

/**
 * Bytes that are no request, not a whole one, or more than one; and whether the client then ends its side or is gone.
 */
export interface Garbage {
  what: string
  parts: Buffer[]
  last: 'ends' | 'is gone'
}

const LINES = [
  'GET /', 'GET', '', ' ', '\0', 'GET / HTTP/0.9', 'GET / HTTP/1.2', 'GET / HTTP/2.0', 'GET / HTTP/1.1 x', 'GET  / HTTP/1.1', 'G\0T / HTTP/1.1', 'CONNECT localhost:1 HTTP/1.1',
  'PRI * HTTP/2.0', 'SSTP_DUPLEX_POST /sra HTTP/1.1', 'hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'OPTIONS * HTTP/1.1', 'GET /api/me HTTP/1.0',
  'GET \xff\xfe HTTP/1.1', 'GET /\tx HTTP/1.1', `${'A'.repeat(20_000)} / HTTP/1.1`, `GET /${'a'.repeat(100_000)} HTTP/1.1`, 'GET /api/me HTTP/1.1\nhost: x\n\n', 'HTTP/1.1 200 OK',
] // biome-ignore format: a table

/** Garbage, mostly made of a request. */
export function garbageOf(request: FuzzRequest, chance: Chance): Garbage {
  const last = percent(chance, 70) ? 'ends' : 'is gone'
  const bytes = bytesOf(request)
  const roll = chance.below(8)
  if (roll === 0)
    return { what: 'a line', parts: [Buffer.from(`${pick(chance, LINES)}\r\nhost: x\r\n\r\n`, 'latin1')], last }
  if (roll === 1) return { what: 'a part', parts: [bytes.subarray(0, chance.below(bytes.length))], last }
  if (roll === 2) return { what: 'altered', parts: [altered(bytes, chance)], last }
  if (roll === 3) {
    const step = 1 + chance.below(Math.max(1, bytes.length / 20))
    const parts = Array.from({ length: Math.ceil(bytes.length / step) }, (_, n) =>
      bytes.subarray(n * step, (n + 1) * step),
    )
    return { what: 'in pieces', parts, last: 'ends' }
  }
  if (roll === 4) return { what: 'pipelined', parts: [Buffer.concat(Array(1 + chance.below(20)).fill(bytes))], last }
  if (roll === 5) return { what: 'a request in a body', parts: [smuggled(bytes, chance)], last }
  if (roll === 6)
    return {
      what: 'headers without end',
      parts: Array(40).fill(Buffer.from(`x-${chance.below(1e6)}: ${'y'.repeat(900)}\r\n`)),
      last,
    }
  return {
    what: 'noise',
    parts: [Buffer.from(Array.from({ length: 1 + chance.below(2_000) }, () => chance.below(256)))],
    last,
  }
}

function altered(bytes: Buffer, chance: Chance): Buffer {
  const copy = Buffer.from(bytes)
  for (let n = 0; n <= chance.below(8); n += 1) copy[chance.below(Math.min(copy.length, 600))] = chance.below(256)
  return copy
}

/** Lengths that two readers could understand in two ways. */
function smuggled(bytes: Buffer, chance: Chance): Buffer {
  const lengths = pick(chance, [
    'content-length: 5\r\ncontent-length: 6', 'content-length: 5\r\ntransfer-encoding: chunked', 'transfer-encoding: chunked\r\ntransfer-encoding: identity',
    'content-length: 5, 5', 'content-length : 5', 'transfer-encoding : chunked', 'transfer-encoding:\x0bchunked', 'content-length: 0005', 'transfer-encoding: x, chunked',
  ]) // biome-ignore format: a table
  const body = pick(chance, [
    '5\r\nhello\r\n0\r\n\r\n',
    'zz\r\n',
    '5;a=b\r\nhello\r\n0\r\nx: y\r\n\r\n',
    'ffffffffffffffffff\r\n',
    '-1\r\n',
    '5\nhello\n0\n\n',
    '0\r\n\r\n',
  ])
  const head = `POST /api/entries HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${lengths}\r\n\r\n${body}`
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes])
}
